import { describe, expect, it } from 'vitest';
import { ownerOf, withOwner } from '../../scripts/generate/owner.js';

const repository = (url: string) => ({ repository: { url } });

describe('the owner of the repository', () => {
  it('is that of repository in package.json', () => {
    expect(ownerOf(repository('git+https://github.com/acme-co/card-platform-sdk.git'))).toBe(
      'acme-co',
    );
    expect(() => ownerOf(repository('https://git.example/acme/card-platform-sdk'))).toThrow(
      /repository is no address of GitHub/,
    );
  });

  it('is written into every address of the repository, and into no other', () => {
    const text = [
      '[x](https://github.com/OWNER/card-platform-sdk/blob/main/x.md)',
      '![y](https://raw.githubusercontent.com/old-name/card-platform-sdk/main/y.png)',
      'https://github.com/FiloSottile/mkcert, https://github.com/OWNER/card-platform-sdk-site',
    ].join('\n');
    const written = withOwner('docs/a.md', text, 'acme');
    expect(written.match(/\/acme\//g)).toHaveLength(2);
    expect(written).toContain('github.com/FiloSottile/mkcert');
    expect(written).toContain('github.com/OWNER/card-platform-sdk-site');
    expect(withOwner('docs/a.md', written, 'acme')).toBe(written);
  });

  it('is written into the list of code owners', () => {
    const list = '# by hand\n* @OWNER\n/src/ @OWNER\n';
    expect(withOwner('.github/CODEOWNERS', list, 'acme')).toBe('# by hand\n* @acme\n/src/ @acme\n');
    expect(withOwner('docs/a.md', '/src/ @OWNER', 'acme')).toBe('/src/ @OWNER');
  });
});
