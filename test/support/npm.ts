import { execFileSync } from 'node:child_process';

/** Runs npm in a folder, and gives what it printed. Its own warnings and advice are left out. */
export function npm(args: readonly string[], cwd: string): string {
  const env = { ...process.env, npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };
  return execFileSync('npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
