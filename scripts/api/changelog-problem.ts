import { execFileSync } from 'node:child_process';

/**
 * Returns the problem if an API report differs from the one of a base commit and the CHANGELOG has
 * no new line since then, and `undefined` otherwise. Uncommitted changes count too.
 */
export function changelogProblem(repository: string, base: string): string | undefined {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
  // The reports did not exist yet.
  if (git('ls-tree', '--name-only', base, 'api/') === '') return undefined;
  const tracked = git('diff', '--name-only', base, '--', 'api').split('\n');
  const added = git('ls-files', '--others', '--exclude-standard', '--', 'api').split('\n');
  const changed = [...tracked, ...added].filter((path) => path !== '');
  if (changed.length === 0) return undefined;
  // An item of a list, or a row of the table of renamed things.
  const hasNewLine = /^\+[-|] /m.test(git('diff', '--unified=0', base, '--', 'CHANGELOG.md'));
  if (hasNewLine) return undefined;
  return `${changed.join(', ')} changed since ${base}: add a line to CHANGELOG.md`;
}

/**
 * Returns the commit to compare with: `API_BASE` if it is set, otherwise the commit where the
 * branch left main, or on main itself the previous commit. Returns `undefined` if the history does
 * not reach that far.
 */
export function baseCommit(
  repository: string,
  named: string | undefined = process.env['API_BASE'],
): string | undefined {
  const git = (...args: string[]) => {
    try {
      const options = { cwd: repository, encoding: 'utf8', stdio: 'pipe' } as const;
      return execFileSync('git', args, options).trim();
    } catch {
      return undefined;
    }
  };
  const commit = (name: string) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  if (named) return commit(named);
  const head = commit('HEAD');
  for (const main of ['origin/main', 'main']) {
    const base = commit(main) && git('merge-base', main, 'HEAD');
    if (base && base !== head) return base;
  }
  return commit('HEAD^');
}
