import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'card-platform-sdk-contributing-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The environment of a contributor's shell, without the variables that the test runner sets. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|TEST$|npm_)/.test(name)),
);

function run(command: string, args: readonly string[], input?: string): string {
  return execFileSync(command, args, {
    cwd: scratch,
    env: environment,
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  });
}

/** Copies every file that is tracked, or would be with the next commit. */
function copyRepository(): void {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const gone = new Set([...deleted.split('\0'), 'node_modules', '']);
  for (const file of files) {
    if (!gone.has(file)) cpSync(join(ROOT, file), join(scratch, file), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
}

function codeBlocks(page: string, language: string): string[] {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...blocks].map(([, code = '']) => code);
}

it('following CONTRIBUTING to the letter adds an endpoint', { timeout: 1_200_000 }, () => {
  copyRepository();
  const page = readFileSync(join(scratch, 'CONTRIBUTING.md'), 'utf8');
  const [, section = ''] = page.split('## Add an endpoint');
  const diffs = codeBlocks(section, 'diff');
  expect(diffs).toHaveLength(4);
  // One line of context is enough: the lines around a change may move.
  for (const diff of diffs) run('git', ['apply', '-C1', '-'], diff);
  const commands = (codeBlocks(section, 'sh')[0] ?? '').trim().split('\n');
  expect(commands[0]).toBe('npm run generate');
  for (const command of commands) run('sh', ['-c', command]);
  const added = readFileSync(join(scratch, 'docs/reference/endpoints.md'), 'utf8');
  expect(added).toContain('| `referral.listUses` | `GET /v1/referral/uses` |');
});
