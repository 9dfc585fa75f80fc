import type { TestProject } from 'vitest/node';
import { NetworkNamespaces, removeAbandonedNamespaces } from './network-namespaces.js';
import { run } from './run.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Why there are no network namespaces here; empty where there are. */
    whyNoNamespaces: string;
    /** Why there is no `nft` here; empty where there is. */
    whyNoFirewall: string;
  }
}

/** Returns why a step fails, in one line; an empty text where it succeeds. */
function whyNot(step: () => void): string {
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
  return whyNot(() => {
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
  const isMissing = whyNot(() => run('nft --version')) !== '';
  if (!isMissing) return;
  console.warn('Kernel tests install nftables with apt-get.');
  run('apt-get update -q');
  run('env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends nftables');
}

function whyNoFirewall(): string {
  return whyNot(() => {
    installNft();
    const network = new NetworkNamespaces();
    try {
      network.router.fail('port unreachable');
    } finally {
      network.remove();
    }
  });
}

function announce(what: string, why: string): void {
  const line = `Kernel tests ${what} are skipped: ${why}.`;
  if (process.env['CI'] !== undefined) throw new Error(`${line} CI must run them.`);
  console.warn(line);
}

/**
 * Runs before all kernel tests. Prints why some can't run here, and fails where that is CI. Returns
 * what runs after them.
 */
export default function setup(project: TestProject): () => void {
  const noNamespaces = whyNoNamespaces();
  const noFirewall = noNamespaces === '' ? whyNoFirewall() : noNamespaces;
  if (noNamespaces !== '') announce('with network namespaces', noNamespaces);
  else if (noFirewall !== '') announce('with a firewall', noFirewall);
  project.provide('whyNoNamespaces', noNamespaces);
  project.provide('whyNoFirewall', noFirewall);
  return () => {
    if (noNamespaces === '') removeAbandonedNamespaces();
  };
}
