import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ROOT = dirname(
  dirname(createRequire(import.meta.url).resolve('card-platform-sdk/openapi.json')),
);

/** Starts the sandbox of the package with its demo users. */
export function startSandbox() {
  const main = join(ROOT, 'dist', 'sandbox.js');
  const child = spawn(process.execPath, [main, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error(`the sandbox ended: ${text}`)));
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      const url = /listens on (\S+)/.exec(text)?.[1];
      const keys = /clientKey (\S+), clientId (\S+), secretKey (\S+)/.exec(text);
      if (url === undefined || keys === null) return;
      const [, clientKey, clientId, secretKey] = keys;
      resolve({ url, clientKey, clientId, secretKey, stop: () => child.kill() });
    });
  });
}
