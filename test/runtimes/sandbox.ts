import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The service on this machine: the command of the packed package, in a process of its own. */
export type RunningSandbox = {
  url: string;
  clientKey: string;
  clientId: string;
  stop: () => Promise<void>;
};

const SAID = /listens on (\S+)\n.*clientKey (\S+), clientId (\S+),/;

/** Starts the sandbox of a consumer's folder on any free port, with its demo users. */
export async function startSandbox(folder: string): Promise<RunningSandbox> {
  const command = join(folder, 'node_modules', '.bin', 'card-platform-sandbox');
  const child = spawn(command, ['--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let text = '';
  // Read to its end: leaving a `for await` would close the pipe that the sandbox says goodbye on.
  const said = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (SAID.test(text)) resolve();
    });
  });
  await Promise.race([said, ended]);
  const [, url, clientKey, clientId] = SAID.exec(text) ?? [];
  if (url === undefined || clientKey === undefined || clientId === undefined) {
    throw new Error(`the sandbox ended before it said where it listens: ${text}`);
  }
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { url, clientKey, clientId, stop };
}
