import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script of this folder in a process of its own, and returns the one message that it sends.
 */
export async function inProcess<Message>(
  script: string,
  args: readonly (string | number)[],
  execArgv: readonly string[] = [],
): Promise<Message> {
  const file = fileURLToPath(new URL(`./${script}`, import.meta.url));
  const child = fork(file, args.map(String), { execArgv: [...execArgv] });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Message));
    child.once('exit', () => reject(new Error(`${script} ${args[0]} ended without a result`)));
  });
}
