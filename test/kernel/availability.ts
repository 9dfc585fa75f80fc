import type { TestProject } from 'vitest/node';
import { installDebianPackage } from '../support/debian-package.js';
import { NetworkNamespaces, removeAbandonedNamespaces } from './network-namespaces.js';
import { run } from './run.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The reason why network namespaces cannot be used here, or an empty string. */
    whyNoNamespaces: string;
    /** The reason why `nft` cannot be used here, or an empty string. */
    whyNoFirewall: string;
  }
}

/** Returns the reason why a step fails in one line, or an empty string when it succeeds. */
function reasonOfFailure(step: () => void): string {
  try {
    step();
    return '';
  } catch (error) {
    const { code, path, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') return `${path} is not installed`;
    const [line = ''] = (stderr || message).split('\n');
    return line;
  }
}

function whyNoNamespaces(): string {
  if (process.platform !== 'linux') return 'this is not Linux';
  if (process.getuid?.() !== 0) return 'they need root';
  return reasonOfFailure(() => {
    removeAbandonedNamespaces();
    const network = new NetworkNamespaces();
    try {
      network.router.dropServerSegments();
      network.connections('client');
    } finally {
      network.remove();
    }
  });
}

function installNft(): void {
  const isMissing = reasonOfFailure(() => run('nft --version')) !== '';
  if (!isMissing) return;
  console.warn('Kernel tests install nftables with apt-get.');
  installDebianPackage('nftables');
}

function whyNoFirewall(): string {
  return reasonOfFailure(() => {
    installNft();
    const network = new NetworkNamespaces();
    try {
      network.router.fail('port unreachable');
    } finally {
      network.remove();
    }
  });
}

function reportSkipped(what: string, why: string): void {
  const line = `Kernel tests ${what} are skipped: ${why}.`;
  if (process.env['CI'] !== undefined) throw new Error(`${line} CI must run them.`);
  console.warn(line);
}

/**
 * Runs before all kernel tests. Prints why some cannot run here, and fails in that case on CI.
 * Returns the cleanup to run after them.
 */
export default function setup(project: TestProject): () => void {
  const noNamespaces = whyNoNamespaces();
  const noFirewall = noNamespaces === '' ? whyNoFirewall() : noNamespaces;
  if (noNamespaces !== '') reportSkipped('with network namespaces', noNamespaces);
  else if (noFirewall !== '') reportSkipped('with a firewall', noFirewall);
  project.provide('whyNoNamespaces', noNamespaces);
  project.provide('whyNoFirewall', noFirewall);
  return () => {
    if (noNamespaces === '') removeAbandonedNamespaces();
  };
}
