import { readFileSync } from 'node:fs';
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
  return {
    tag: 'v1.2.3',
    manifest,
    changelog: CHANGELOG,
    documents: { 'README.md': '# A page' },
    ...changes,
  };
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

  it.each([
    '[x](https://github.com/OWNER/card-platform-sdk/blob/main/x.md)',
    '![x](https://raw.githubusercontent.com/OWNER/card-platform-sdk/main/x.png)',
  ])('must not be published while a page that it ships has the address %s', (link) => {
    const documents = { 'README.md': '# A page', 'docs/a/b.md': `# Another\n\n${link}\n` };
    expect(problemsOfRelease(release({ documents }))).toEqual([
      'docs/a/b.md: has an address with the placeholder OWNER',
    ]);
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
