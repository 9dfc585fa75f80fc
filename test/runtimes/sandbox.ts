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
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += chunk;
    const [, url, clientKey, clientId] = SAID.exec(text) ?? [];
    if (url === undefined || clientKey === undefined || clientId === undefined) continue;
    const stop = async () => {
      child.kill();
      await ended;
    };
    return { url, clientKey, clientId, stop };
  }
  throw new Error(`the sandbox ended before it said where it listens: ${text}`);
}
