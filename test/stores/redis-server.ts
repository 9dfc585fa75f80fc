import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';

const isInstalled = () => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
};

/** Installs Debian's Redis where that is allowed. Returns why there is none, or an empty string. */
export function whyNoRedis(): string {
  if (isInstalled()) return '';
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const run = (...words: string[]) => {
    const [program = '', ...args] = [...asRoot, ...words];
    execFileSync(program, args, { stdio: 'pipe' });
  };
  const install = ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'redis-server'];
  try {
    console.warn('The tests of the Redis store install redis-server with apt-get.');
    run('apt-get', 'update', '-q');
    run('env', 'DEBIAN_FRONTEND=noninteractive', ...install);
  } catch {
    // The next line says so.
  }
  if (isInstalled()) return '';
  const line = 'The tests of the Redis store are skipped: redis-server is not installed.';
  if (process.env['CI'] !== undefined) throw new Error(`${line} CI must run them.`);
  return line;
}

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
    connect: () => createClient({ socket: { path, tls: false } }).connect(),
    stop: async () => {
      const ended = new Promise((resolve) => server.once('close', resolve));
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
