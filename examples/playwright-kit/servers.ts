import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const fileAt = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** In your project: `npx card-platform-sandbox`. Here it runs from the source. */
const SANDBOX = [process.execPath, '--import', 'tsx', fileAt('../../src/sandbox/main.ts')] as const;

/** Starts the sandbox as a program, on a free port, with its demo users. */
export async function startSandboxProgram() {
  const [command, ...args] = SANDBOX;
  const program = spawn(command, [...args, '--port', '0', '--seed', 'demo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const line of createInterface(program.stdout)) {
    printed += `${line}\n`;
    if (/Ctrl\+C/.test(line)) break;
  }
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
  const [, clientKey = ''] = /clientKey ([^,\s]+)/.exec(printed) ?? [];
  if (url === '' || clientKey === '') throw new Error(`the sandbox printed: ${printed}`);
  return {
    url,
    clientKey,
    /**
     * Runs an action of the sandbox, as its page does: plans a fault, verifies a user and so on.
     */
    act: async (fields: Record<string, string>) => {
      const body = new URLSearchParams(fields);
      const headers = { accept: 'application/json' };
      const response = await fetch(`${url}/sandbox/actions`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`${fields['action']}: ${await response.text()}`);
    },
    state: async () => (await fetch(`${url}/sandbox/state`)).json(),
    stop: async () => {
      program.kill();
      await once(program, 'exit');
    },
  };
}

/** Serves the app on a free port. In your project: your dev server. */
export async function startApp() {
  const bundled = await build({
    entryPoints: [fileAt('./app.ts')],
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    outdir: '/',
  });
  const scripts = new Map(bundled.outputFiles.map(({ path, text }) => [path, text]));
  const page = readFileSync(fileAt('./index.html'), 'utf8');
  const server = createServer(({ url = '/' }, response) => {
    const script = scripts.get(url);
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    response.end(script ?? page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, stop };
}
