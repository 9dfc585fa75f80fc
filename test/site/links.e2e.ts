import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { MARKDOWN, navigationPaths, PAGES, read, SITE, STYLES, sourceFile } from './site-files.js';

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

const LINK = /<(?:a|link|script|img|source|iframe)\b[^>]*? (?:href|src|data-src)="([^"]*)"/g;

/** The addresses in a page that lead nowhere. */
function broken(path: string): string[] {
  return [...read(path).matchAll(LINK)]
    .map(([, link = '']) => link)
    .filter((link) => {
      if (/^(?:https?|data|mailto):/.test(link)) return false;
      const [to = '', anchor = ''] = link.split('#');
      const target = to === '' ? path : posix.join(posix.dirname(path), to);
      if (!isFile(target)) return true;
      return anchor !== '' && target.endsWith('.html') && !anchorsOf(target).has(decodeURI(anchor));
    });
}

const LOADED = /<(?!a\b)\w+\b[^>]*? (?:href|src|srcset|data-src|data|poster)="([^"]*)"/g;

/** The addresses that a page loads by itself, without those below its own folder of the site. */
const foreign = (path: string) =>
  [...read(path).matchAll(LOADED), ...read(path).matchAll(/\burl\(([^)]*)\)|@import "([^"]*)"/g)]
    .map(([, first, second]) => first ?? second ?? '')
    .filter((address) => /^["']?(?:[a-z]+:|\/)/i.test(address) && !/^["']?data:/.test(address));

/** The pages with findings. */
const withFindings = (paths: readonly string[], find: (path: string) => string[]) =>
  Object.fromEntries(
    paths.map((path) => [path, find(path)] as const).filter(([, found]) => found.length > 0),
  );

describe('the files of the site', () => {
  it('hold no link or anchor that leads nowhere', () => {
    expect(PAGES.length).toBeGreaterThan(600);
    expect(withFindings(PAGES, broken)).toEqual({});
  });

  it('load nothing but files of the site, by relative addresses', () => {
    expect(STYLES.length).toBeGreaterThan(0);
    expect(withFindings([...PAGES, ...STYLES], foreign)).toEqual({});
  });

  it('have a navigation that leads to every document', () => {
    const paths = navigationPaths().map((path) => path.replace(/#.*/, ''));
    expect(paths.filter((path) => !isFile(path))).toEqual([]);
    const documents = PAGES.filter((path) => !/^(reference|modules)/.test(path));
    expect(documents.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('have an anchor for every code of the error catalogue, which `docsUrl` names', () => {
    const codes = [...sourceFile('docs/reference/error-catalogue.md').matchAll(/^### (\w+)$/gm)];
    expect(codes.length).toBeGreaterThan(60);
    const found = anchorsOf('docs/reference/error-catalogue.html');
    expect(codes.map(([, code = '']) => code).filter((code) => !found.has(code))).toEqual([]);
  });

  it('show the version, and lead from every document to its source', () => {
    const { version } = JSON.parse(sourceFile('package.json'));
    const documents = PAGES.filter((path) => !/^(reference|modules)/.test(path));
    const source = (path: string) =>
      path === 'index.html' ? 'README.md' : path.replace('.html', '.md');
    const without = documents.filter((path) => {
      const page = read(path);
      return !page.includes(`/edit/main/${source(path)}"`) || !page.includes(`Version ${version}`);
    });
    expect(without).toEqual([]);
  });
});

describe('the Markdown copies', () => {
  it('stand beside every page', () => {
    const missing = PAGES.filter((path) => path !== 'modules.html')
      .map((path) => (path === 'index.html' ? 'README.md' : path.replace(/\.html$/, '.md')))
      .filter((path) => !isFile(path));
    expect(missing).toEqual([]);
  });

  it('of documents are their sources', () => {
    const documents = MARKDOWN.filter((path) => !path.startsWith('reference/'));
    expect(documents.length).toBeGreaterThan(40);
    expect(documents.filter((path) => read(path) !== sourceFile(path))).toEqual([]);
  });

  it('are listed in llms.txt: every document, and every entry of the reference', () => {
    const index = read('llms.txt');
    const { exports, name } = JSON.parse(sourceFile('package.json'));
    const entries = Object.keys(exports)
      .filter((entry) => !entry.endsWith('.json'))
      .map((entry) => `reference/${entry === '.' ? name : entry.slice(2)}.md`);
    const documents = MARKDOWN.filter((path) => isFile(path.replace(/\.md$/, '.html')));
    const listed = documents.filter((path) => !/^(reference|site)\//.test(path));
    expect(listed.length).toBeGreaterThan(40);
    expect([...listed, ...entries].filter((path) => !index.includes(`](${path})`))).toEqual([]);
  });

  it('and llms.txt link to files', () => {
    const dead = (path: string) => {
      const text = read(path).replace(/^```[\s\S]*?^```/gm, '');
      return [...text.matchAll(/\]\(([^)#\s]+)/g)]
        .map(([, link = '']) => link)
        .filter((link) => {
          const target = posix.join(posix.dirname(path), link);
          return !/^[a-z]+:/.test(link) && !existsSync(join(SITE, target));
        });
    };
    expect(withFindings(['llms.txt', ...MARKDOWN], dead)).toEqual({});
  });

  it('show in the reference what the pages show', () => {
    const card = read('reference/card-platform-sdk/CardResource.md');
    const own = ENDPOINTS.filter(({ id }) => id.startsWith('card.'));
    for (const { id } of own) expect(card).toContain(id.replace('card.', ''));
    expect(card).toContain('await user.card.freeze();\n');
  });
});
