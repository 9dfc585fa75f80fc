import type { TestProject } from 'vitest/node';
import { NetworkNamespaces, removeAbandonedNamespaces } from './network-namespaces.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Why there are no network namespaces here; empty where there are. */
    whyNoNamespaces: string;
  }
}

function whyNoNamespaces(): string {
  if (process.platform !== 'linux') return 'this is not Linux';
  if (process.getuid?.() !== 0) return 'they need root';
  try {
    removeAbandonedNamespaces();
    const network = new NetworkNamespaces();
    try {
      network.dropServerSegments();
      network.connections('client');
    } finally {
      network.remove();
    }
    return '';
  } catch (error) {
    const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return `the system refused: ${line}`;
  }
}

/** Runs before all kernel tests: says why if they can't run, and fails where that is CI. */
export default function setup(project: TestProject): void {
  const why = whyNoNamespaces();
  if (why !== '') {
    const line = `Kernel tests with network namespaces are skipped: ${why}.`;
    if (process.env['CI'] !== undefined) throw new Error(`${line} CI must run them.`);
    console.warn(line);
  }
  project.provide('whyNoNamespaces', why);
}

export { removeAbandonedNamespaces as teardown };
