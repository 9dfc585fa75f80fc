import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { MARKDOWN, navigationPaths, PAGES, read, SITE } from './site-files.js';

const isFile = (path: string) =>
  existsSync(join(SITE, path)) && statSync(join(SITE, path)).isFile();

const anchors = new Map<string, Set<string>>();

/** The anchors of a page. */
function anchorsOf(path: string): Set<string> {
  const found =
    anchors.get(path) ??
    new Set([...read(path).matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
  anchors.set(path, found);
  return found;
}

/** The addresses in a page that lead to nothing. */
function broken(path: string): string[] {
  const links = [...read(path).matchAll(/<(?:a|link|script|img)\b[^>]*? (?:href|src)="([^"]*)"/g)];
  return links
    .map(([, link = '']) => link)
    .filter((link) => {
      if (/^(?:https?|data|mailto):/.test(link)) return false;
      const [to = '', anchor = ''] = link.split('#');
      const target = to === '' ? path : posix.join(posix.dirname(path), to);
      if (!isFile(target)) return true;
      return anchor !== '' && target.endsWith('.html') && !anchorsOf(target).has(decodeURI(anchor));
    });
}

describe('every link and anchor leads somewhere', () => {
  it.each(PAGES)('in %s', (path) => {
    expect(broken(path)).toEqual([]);
  });

  it('in the navigation, which leads to every document', () => {
    const paths = navigationPaths().map((path) => path.replace(/#.*/, ''));
    expect(paths.filter((path) => !isFile(path))).toEqual([]);
    const documents = PAGES.filter((path) => !/^(reference|modules)/.test(path));
    expect(documents.filter((path) => !paths.includes(path))).toEqual([]);
  });
});

describe('the Markdown copies', () => {
  it('stand beside every page', () => {
    const missing = PAGES.filter((path) => path !== 'modules.html')
      .map((path) => (path === 'index.html' ? 'README.md' : path.replace(/\.html$/, '.md')))
      .filter((path) => !isFile(path));
    expect(missing).toEqual([]);
  });

  it.each(['llms.txt', ...MARKDOWN])('links of %s lead to files', (path) => {
    const text = read(path).replace(/^```[\s\S]*?^```/gm, '');
    const links = [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link);
    const dead = links.filter((link) => {
      const target = posix.join(posix.dirname(path), link);
      return !/^[a-z]+:/.test(link) && !isFile(target) && !existsSync(join(SITE, target));
    });
    expect(dead).toEqual([]);
  });

  it('show in the reference what the pages show', () => {
    const card = read('reference/card-platform-sdk/CardResource.md');
    const own = ENDPOINTS.filter(({ id }) => id.startsWith('card.'));
    for (const { id } of own) expect(card).toContain(id.replace('card.', ''));
    expect(card).toContain('await user.card.freeze();\n');
  });
});
