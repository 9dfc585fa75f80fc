import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Returns the path of the EVM node; `undefined` if it is not installed, as on every system except
 * Linux x64.
 */
export function findAnvil(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      '@foundry-rs/anvil-linux-amd64/package.json',
    );
    const binary = join(dirname(manifest), 'bin', 'anvil');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Seconds between two blocks. Without it, each transaction is mined before its hash is returned,
 * which hides tests that take a sent transaction for a mined one.
 */
export const BLOCK_TIME = process.env['BLOCK_TIME'];

/** A running node. */
export type Anvil = { readonly url: string; stop(): Promise<void> };

const LISTENING = /Listening on (127\.0\.0\.1:\d+)/;

/** Starts a node on a free port of 127.0.0.1. */
export async function startAnvil(chainId: number): Promise<Anvil> {
  const binary = findAnvil();
  if (binary === undefined) throw new Error('anvil is not installed: run npm install');
  const args = ['--port', '0', '--host', '127.0.0.1', '--chain-id', String(chainId)];
  if (BLOCK_TIME !== undefined) args.push('--block-time', BLOCK_TIME);
  const node = spawn(binary, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const kill = () => node.kill('SIGKILL');
  process.once('exit', kill);
  const address = await waitUntilListening(node);
  return {
    url: `http://${address}`,
    stop: async () => {
      process.off('exit', kill);
      const ended = new Promise((resolve) => node.once('exit', resolve));
      kill();
      await ended;
    },
  };
}

function waitUntilListening(node: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    node.once('error', reject);
    node.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${printed}`)));
    node.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [, address] = LISTENING.exec(printed) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}
