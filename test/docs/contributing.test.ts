import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it('the change that CONTRIBUTING shows still applies', () => {
  const page = readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8');
  const steps = [...page.matchAll(/^```diff\n([\s\S]*?)^```$/gm)].map(([, diff]) => diff);
  expect(steps).toHaveLength(4);
  // One line of context is enough: what stands around a change may move.
  const args = ['apply', '--check', '-C1', '--numstat', '-'];
  const changed = execFileSync('git', args, { cwd: ROOT, input: steps.join(''), encoding: 'utf8' });
  expect(changed.trim().split('\n')).toHaveLength(11);
});
