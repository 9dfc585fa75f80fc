import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '../../src/sandbox/server.js';
import { packPackage } from '../package/packed.js';
import { install } from './install.js';

// Starts the Next.js example, with the packed package, and the sandbox: `npm run next-app`.

const EXAMPLE = fileURLToPath(new URL('../../examples/next-app', import.meta.url));
const PORT = '4040';

/** Installs the example outside the repository. */
function installExample(): string {
  const packed = mkdtempSync(join(tmpdir(), 'card-platform-sdk-packed-'));
  try {
    return install('next', EXAMPLE, packPackage(packed).tarball);
  } finally {
    rmSync(packed, { recursive: true });
  }
}

const folder = installExample();
const { url, platform, stop } = await startSandbox(4012, 'demo', Date.now);
const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');
const app = spawn(process.execPath, [next, 'dev', '-p', PORT, '-H', '127.0.0.1'], {
  cwd: folder,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    INSECURE_COOKIES: '1',
    CARD_PLATFORM_URL: url,
    CARD_PLATFORM_CLIENT_KEY: platform.credentials.clientKey,
  },
});
const alan = platform.users.get('alan@example.com');
console.log(`The app:      http://127.0.0.1:${PORT}`);
console.log(`  log in as ${alan.email} with "${alan.password}"`);
console.log(`The sandbox:  ${url}/?watch`);
console.log('Ctrl+C stops both.');
app.once('exit', () => void stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => app.kill());
