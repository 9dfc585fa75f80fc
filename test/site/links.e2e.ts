import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { DOCS } from '../docs/guides.js';
import { isApi, PAGES, read, SITE, sourceFile } from './site-files.js';

const BASE = '/card-platform-sdk/';
const isFile = (path: string) =>
  existsSync(join(SITE, path)) && statSync(join(SITE, path)).isFile();

/** The file of the site that an address in a page leads to; `undefined` outside of its path. */
function targetOf(page: string, address: string): string | undefined {
  const path = decodeURI(address.split(/[#?]/)[0] ?? '');
  if (path === '') return page;
  if (path.startsWith('/') && !path.startsWith(BASE)) return undefined;
  const local = path.startsWith(BASE)
    ? path.slice(BASE.length)
    : posix.join(posix.dirname(page), path);
  return local === '' || local.endsWith('/') ? `${local}index.html` : local;
}

const anchors = new Map<string, Set<string>>();

/** The anchors of a page. */
function anchorsOf(path: string): Set<string> {
  const found =
    anchors.get(path) ??
    new Set([...read(path).matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
  anchors.set(path, found);
  return found;
}

const LINK = /<(?:a|link|script|img|source|iframe)\b[^>]*? (?:href|src)="([^"]*)"/g;

/** The addresses in a page that lead nowhere. */
function broken(path: string): string[] {
  return [...read(path).matchAll(LINK)]
    .map(([, link = '']) => link.replaceAll('&amp;', '&'))
    .filter((link) => {
      if (/^(?:https?|data|mailto):/.test(link)) return false;
      const target = targetOf(path, link);
      if (target === undefined || !isFile(target)) return true;
      const [, anchor = ''] = link.split('#');
      // TypeDoc numbers the anchor of a type that shares its name with a value, VitePress does not.
      if (anchor === '' || !target.endsWith('.html') || isApi(target)) return false;
      return !anchorsOf(target).has(decodeURIComponent(anchor));
    });
}

/** The pages with findings. */
const withFindings = (paths: readonly string[], find: (path: string) => string[]) =>
  Object.fromEntries(
    paths.map((path) => [path, find(path)] as const).filter(([, found]) => found.length > 0),
  );

describe('the files of the site', () => {
  it('have no link or anchor that leads nowhere', () => {
    expect(PAGES.length).toBeGreaterThan(100);
    expect(withFindings(PAGES, broken)).toEqual({});
  });

  it('have a page for every document and every endpoint, and no other for documents', () => {
    const documents = DOCS.map((path) => path.replace(/\.md$/, '.html'));
    const endpoints = ENDPOINTS.map(({ id }) => `docs/reference/endpoints/${id}.html`);
    const pages = PAGES.filter((path) => path.startsWith('docs/'));
    expect(pages).toEqual([...documents, ...endpoints].sort());
  });

  it('have an anchor for every code of the error catalogue, which `docsUrl` names', () => {
    const catalogue = sourceFile('docs/reference/error-catalogue.md');
    const codes = [...catalogue.matchAll(/^### (\w+)$/gm)].map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(60);
    const found = anchorsOf('docs/reference/error-catalogue.html');
    expect(codes.filter((code) => !found.has(code))).toEqual([]);
  });

  it('lead from every document to its source, and describe every page', () => {
    const documents = DOCS.map((path) => path.replace(/\.md$/, '.html'));
    expect(documents.filter((path) => !read(path).includes('/edit/main/'))).toEqual([]);
    const description = /<meta name="description" content="([^"]{10,})"/;
    const described = PAGES.filter((path) => path !== '404.html');
    expect(described.filter((path) => !description.test(read(path)))).toEqual([]);
    const [one, other] = ['docs/card/cards.html', 'docs/server/webhooks.html'].map(
      (path) => description.exec(read(path))?.[1],
    );
    expect(one).not.toBe(other);
  });

  it('are all in the sitemap', () => {
    const sitemap = read('sitemap.xml');
    const pages = PAGES.filter((path) => path !== '404.html' && !path.endsWith('index.html'));
    expect(pages.filter((path) => !sitemap.includes(`${BASE}${path}</loc>`))).toEqual([]);
  });
});

describe('the Markdown copies', () => {
  it('of documents are their sources, and llms.txt lists them', () => {
    const index = read('llms.txt');
    expect(DOCS.filter((path) => read(path) !== sourceFile(path))).toEqual([]);
    expect(DOCS.filter((path) => !index.includes(`${path})`))).toEqual([]);
  });

  it('of the API stand beside its pages', () => {
    const pages = PAGES.filter(isApi).map((path) => path.replace(/\.html$/, '.md'));
    expect(pages.length).toBeGreaterThan(16);
    expect(pages.filter((path) => !isFile(path))).toEqual([]);
  });
});

describe('the API reference', () => {
  it('shows no parameter without a name, and nothing that only subclasses see', () => {
    const texts = PAGES.filter(isApi).map((path) => read(path.replace(/\.html$/, '.md')));
    expect(texts.filter((text) => text.includes('__namedParameters'))).toEqual([]);
    expect(texts.filter((text) => /get (?:send|clock)\(\)/.test(text))).toEqual([]);
  });

  it('has the example of each method', () => {
    const card = read('api/card-platform-sdk/interfaces/CardResource.md');
    for (const { id } of ENDPOINTS.filter((one) => one.id.startsWith('card.'))) {
      expect(card).toContain(id.replace('card.', ''));
    }
    expect(card).toContain('await userClient.card.freeze();\n');
  });
});
