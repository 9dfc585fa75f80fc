import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsOfRelease, type Release } from '../../scripts/release-problems.js';

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n\n### Added\n\n- A thing.\n';
const EMPTY = CHANGELOG.replace('- A thing.', '');

function release(changes: Partial<Release> = {}): Release {
  const manifest = {
    version: '1.2.3',
    repository: { url: 'git+https://github.com/someone/card-platform-sdk.git' },
    homepage: 'https://github.com/someone/card-platform-sdk#readme',
    bugs: 'https://github.com/someone/card-platform-sdk/issues',
  };
  return { tag: 'v1.2.3', manifest, changelog: CHANGELOG, ...changes };
}

describe('a release', () => {
  it('may be published when the tag, package.json and the CHANGELOG agree', () => {
    expect(problemsOfRelease(release())).toEqual([]);
  });

  it.each<[string, Partial<Release>]>([
    ['the tag names another version', { tag: 'v1.2.4' }],
    ['there is no tag', { tag: '' }],
    ['the CHANGELOG has no date', { changelog: CHANGELOG.replace('2026-01-31', 'soon') }],
    ['the CHANGELOG lists nothing', { changelog: EMPTY }],
    [
      'only another version has lines in the CHANGELOG',
      { changelog: `${EMPTY}\n## [1.2.2] - 2026-01-01\n\n- B.\n` },
    ],
    [
      'the CHANGELOG has no section for the version',
      { tag: 'v1.2.4', manifest: { ...release().manifest, version: '1.2.4' } },
    ],
  ])('must not be published when %s', (_, changes) => {
    expect(problemsOfRelease(release(changes))).toHaveLength(1);
  });

  it.each([
    'repository',
    'homepage',
    'bugs',
  ] as const)('must not be published without %s', (field) => {
    const { [field]: _, ...manifest } = release().manifest;
    expect(problemsOfRelease(release({ manifest }))).toEqual([`package.json: ${field} is missing`]);
  });

  it('must not be published while package.json holds placeholder addresses', () => {
    const manifest = JSON.parse(read('package.json')) as Release['manifest'];
    expect(problemsOfRelease(release({ manifest: { ...manifest, version: '1.2.3' } }))).toEqual([
      expect.stringMatching(/^package\.json: repository is .*OWNER/),
      expect.stringMatching(/^package\.json: homepage is .*OWNER/),
      expect.stringMatching(/^package\.json: bugs is .*OWNER/),
    ]);
  });
});

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

  it('mutates the journal and every folder of the transport', () => {
    const parts = [...workflow.matchAll(/^ {10}- (\S+)$/gm)].map(([, part]) => part);
    const transport = new URL('../../src/transport/', import.meta.url);
    const folders = readdirSync(transport, { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => `transport/${name}`);
    expect(parts).toEqual(['journal', ...folders.sort()]);
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
