import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyNotInstalled } from '../support/debian-package.js';

/** Debian keeps the programs of the server off the path. */
const VERSIONS = '/usr/lib/postgresql';

function programs(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  return versions.map((version) => join(VERSIONS, version, 'bin')).find(hasServer);
}

const hasServer = (folder: string) =>
  existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'));

export const whyNoPostgres = () => whyNotInstalled('postgresql', () => programs() !== undefined);

/** The server refuses to run as root, so root lends it the user that Debian made for it. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Starts a Postgres of its own, which listens on a socket in a temporary folder only. */
export async function startPostgres() {
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const options = { ...user, cwd: folder };
  const data = join(folder, 'data');
  const bin = programs() ?? '';
  const made = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8'];
  execFileSync(join(bin, 'initdb'), made, { ...options, stdio: 'pipe' });
  const sockets = ['-c', 'listen_addresses=', '-k', folder];
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...sockets], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`postgres ended with ${code}: ${output}`)));
    server.stderr.on('data', (text) => {
      output += text;
      if (/ready to accept connections/.test(output)) resolve();
    });
  });
  return {
    address: folder,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('close', resolve));
      // Waits until its clients have disconnected: SIGINT would disconnect them.
      server.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
