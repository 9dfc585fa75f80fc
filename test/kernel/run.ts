import { execFileSync } from 'node:child_process';

/** Runs a command whose arguments contain no spaces, and returns its output. */
export function run(command: string): string {
  const [file = '', ...args] = command.split(' ');
  return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
