import { execFileSync } from 'node:child_process';

/** Runs a command whose arguments hold no spaces; returns what it printed. */
export function run(command: string): string {
  const [file = '', ...args] = command.split(' ');
  return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
