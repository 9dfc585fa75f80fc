import { execFileSync } from 'node:child_process';

/** Runs npm in a folder and returns its output, without npm's own warnings and advice. */
export function npm(args: readonly string[], cwd: string): string {
  const env = { ...process.env, npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };
  return execFileSync('npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
