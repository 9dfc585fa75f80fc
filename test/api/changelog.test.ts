import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { baseCommit, changelogProblem } from '../../scripts/api/changelog-problem.js';

describe('this repository', () => {
  const repository = fileURLToPath(new URL('../../', import.meta.url));
  const base = baseCommit(repository);

  it.skipIf(base === undefined)('has a CHANGELOG line for every change of a public type', () => {
    expect(changelogProblem(repository, base ?? '')).toBeUndefined();
  });
});

describe('a change of an API report', () => {
  const repository = mkdtempSync(join(tmpdir(), 'card-platform-sdk-changelog-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'pipe' });
  const write = (path: string, text: string) => writeFileSync(join(repository, path), text);
  const commit = (subject: string) => {
    git('add', '--all');
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    git(...author, 'commit', '--quiet', '--allow-empty', '-m', subject);
  };

  beforeAll(() => {
    git('init', '--quiet', '--initial-branch=main');
    mkdirSync(join(repository, 'api'));
    write('CHANGELOG.md', '## [Unreleased]\n\n- A thing.\n');
    commit('Start without reports');
    write('api/index.api.md', 'type Thing = 1;\n');
    commit('Add reports');
    git('switch', '--quiet', '--create', 'feature');
  });
  afterAll(() => rmSync(repository, { recursive: true, force: true }));

  it('needs a new line in the CHANGELOG, committed or not', () => {
    const problem = () => changelogProblem(repository, 'main');
    expect(problem()).toBeUndefined();
    write('api/index.api.md', 'type Thing = 2;\n');
    expect(problem()).toContain('api/index.api.md changed since main');
    commit('Change a type');
    expect(problem()).toContain('add a line to CHANGELOG.md');
    write('CHANGELOG.md', '## [Unreleased]\n\n- A thing.\n- Another thing.\n');
    expect(problem()).toBeUndefined();
    commit('Name the change');
    expect(problem()).toBeUndefined();
  });

  it('has one in the table of renamed things', () => {
    write('api/index.api.md', 'type Item = 2;\n');
    write(
      'CHANGELOG.md',
      '## [Unreleased]\n\n- A thing.\n- Another thing.\n\n| `Thing` | `Item` |\n',
    );
    expect(changelogProblem(repository, 'HEAD')).toBeUndefined();
    write(
      'CHANGELOG.md',
      '## [Unreleased]\n\n- A thing.\n- Another thing.\n\nThing is now Item.\n',
    );
    expect(changelogProblem(repository, 'HEAD')).toContain('add a line');
    commit('Rename a type');
  });

  it('needs one for a new report too', () => {
    write('api/extra.api.md', 'type Extra = 1;\n');
    expect(changelogProblem(repository, 'HEAD')).toContain('api/extra.api.md');
    rmSync(join(repository, 'api/extra.api.md'));
  });

  it('is not looked for where the base has no reports', () => {
    expect(changelogProblem(repository, 'main^')).toBeUndefined();
  });

  it('is compared with the commit where the branch left main', () => {
    commit('Leave main');
    const main = execFileSync('git', ['rev-parse', 'main'], { cwd: repository, encoding: 'utf8' });
    expect(baseCommit(repository, '')).toBe(main.trim());
    expect(baseCommit(repository, 'no-such-commit')).toBeUndefined();
  });
});
