import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyNotInstalled } from '../support/debian-package.js';

const isInstalled = () => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
};

export const whyNoRedis = () => whyNotInstalled('redis-server', isInstalled);

/** Starts a Redis of its own, which listens on a socket in a temporary folder only. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const path = join(folder, 'socket');
  const settings = ['--port', '0', '--unixsocket', path, '--dir', folder];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
  const server = spawn('redis-server', [...settings, ...durable], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`redis-server ended with ${code}: ${output}`)));
    server.stdout.on('data', (data) => {
      output += data;
      if (/ready to accept connections/i.test(output)) resolve();
    });
  });
  return {
    address: path,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('close', resolve));
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
