import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A sandbox of the packed package, running in a separate process. */
export type RunningSandbox = {
  url: string;
  clientKey: string;
  clientId: string;
  stop: () => Promise<void>;
};

const STARTED = /listens on (\S+)\n[\s\S]*?clientKey (\S+), clientId (\S+),/;

/** Starts the sandbox installed in a consumer's folder on a free port, with its demo users. */
export async function startSandbox(folder: string, origin?: string): Promise<RunningSandbox> {
  const command = join(folder, 'node_modules', '.bin', 'card-platform-sandbox');
  const access = origin === undefined ? [] : ['--allow-origin', origin];
  const child = spawn(command, ['--port', '0', ...access], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let text = '';
  // Not `for await`: leaving the loop would close the pipe before the sandbox prints `stopped`.
  const started = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (STARTED.test(text)) resolve();
    });
  });
  await Promise.race([started, ended]);
  const [, url, clientKey, clientId] = STARTED.exec(text) ?? [];
  if (url === undefined || clientKey === undefined || clientId === undefined) {
    throw new Error(`the sandbox exited before it printed its URL: ${text}`);
  }
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { url, clientKey, clientId, stop };
}
