import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsOfRelease } from '../../scripts/release-problems.js';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const RELEASED =
  '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n\n### Added\n\n- A thing.\n';

describe('a release', () => {
  it('goes out when tag, package and CHANGELOG agree', () => {
    expect(problemsOfRelease('v1.2.3', '1.2.3', RELEASED)).toEqual([]);
  });

  it.each([
    ['another tag', 'v1.2.4', '1.2.3', RELEASED],
    ['no tag', '', '1.2.3', RELEASED],
    ['a version that the CHANGELOG does not know', 'v1.2.4', '1.2.4', RELEASED],
    ['no day', 'v1.2.3', '1.2.3', RELEASED.replace('2026-01-31', 'soon')],
    ['nothing to say', 'v1.2.3', '1.2.3', RELEASED.replace('- A thing.', '')],
    [
      'what another version says',
      'v1.2.3',
      '1.2.3',
      `${RELEASED.replace('- A thing.', '')}\n## [1.2.2] - 2026-01-01\n\n- B.\n`,
    ],
  ])('stays for %s', (_, tag, version, changelog) => {
    expect(problemsOfRelease(tag, version, changelog)).toHaveLength(1);
  });
});

describe('the workflow of a release', () => {
  const workflow = read('.github/workflows/release.yml');

  it('publishes with provenance, after the checks, and by no token', () => {
    expect(workflow).toContain('npm publish --provenance');
    expect(workflow).toContain('needs: check');
    expect(workflow).toContain('id-token: write');
    expect(workflow).not.toMatch(/TOKEN|secrets\./);
    expect(read('.github/workflows/ci.yml')).toContain('.ci/run');
  });

  it('may do nothing else', () => {
    expect(workflow.match(/: write/g)).toHaveLength(1);
    expect(read('.github/workflows/ci.yml')).not.toContain(': write');
  });
});
