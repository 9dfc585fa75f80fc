import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from 'vitepress';
import { PACKAGE, PAGES, sitePages } from '../build/pages.js';
import { boostOf, rank, withMarks, wordsOf } from '../build/search.js';

/** The path that the site is served under; every address in it begins with this. */
const base = process.env['SITE_BASE'] ?? '/card-platform-sdk/';
/** The origin of the site, for its sitemap. */
const origin = process.env['SITE_ORIGIN'] ?? pagesOf(PACKAGE.repository);

/** The address at which GitHub serves the site of a repository. */
function pagesOf(repository: string): string {
  const [, owner = ''] = /github\.com\/([^/]+)\//.exec(repository) ?? [];
  return `https://${owner.toLowerCase()}.github.io`;
}

/** Returns the anchors that GitHub generates, which the links in the documents use. */
const slugify = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

const link = (path: string) => `/${path.replace(/\.md$/, '')}`;

function sidebar(): DefaultTheme.SidebarItem[] {
  const groups = new Map<string, DefaultTheme.SidebarItem[]>();
  for (const { group, path, title } of sitePages()) {
    if (group === '') continue;
    groups.set(group, [...(groups.get(group) ?? []), { text: title, link: link(path) }]);
  }
  // None collapses: VitePress nests a button in a button then, which screen readers cannot use.
  const items = [...groups].map(([text, entries]) => ({ text, items: entries }));
  return [...items, { text: 'API', items: apiEntries() }];
}

/** The pages of the API reference, one for each entry of the package. */
function apiEntries(): DefaultTheme.SidebarItem[] {
  if (!existsSync(join(PAGES, 'api'))) return [];
  const names = readdirSync(join(PAGES, 'api'), { encoding: 'utf8', recursive: true });
  const pages = names
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .filter((name) => !/(?:^|\/)(?:classes|functions|interfaces)\//.test(name))
    .sort();
  const entry = (name: string) => name.replace(/\.md$/, '').replace(/\/index$/, '');
  return [
    { text: 'All entries', link: '/api/' },
    ...pages.map((name) => ({ text: entry(name), link: `/api/${name.replace(/\.md$/, '')}` })),
  ];
}

const VARIANTS = /^With .+ \u00b7 /;

/**
 * Shows the line of a guide that names its variants (`With **viem** · [wagmi](wagmi.md)`) as tabs: each
 * is a page of its own.
 */
function showVariants(parser: MarkdownRenderer): void {
  parser.core.ruler.push('variants', ({ tokens }) => {
    tokens.forEach((token, index) => {
      const { content = '', children } = tokens[index + 1] ?? {};
      if (token.type !== 'paragraph_open' || !VARIANTS.test(content)) return;
      const close = tokens[index + 2];
      token.tag = 'nav';
      token.attrSet('class', 'variants');
      token.attrSet('aria-label', 'The same guide with another library');
      if (close !== undefined) close.tag = 'nav';
      for (const child of children ?? []) {
        // A screen reader reads the links one by one, so the words between them say nothing.
        if (child.type === 'text' && child.level === 0)
          child.content = child.content.replace(/^With |^ \u00b7 $/, '');
        if (child.type === 'strong_open') child.attrSet('aria-current', 'page');
      }
    });
  });
}

export default defineConfig({
  lang: 'en',
  title: PACKAGE.name,
  description: PACKAGE.description,
  base,
  srcDir: '.pages',
  outDir: 'dist',
  metaChunk: true,
  sitemap: { hostname: `${origin}${base}` },
  head: [['link', { rel: 'icon', href: `${base}favicon.svg`, type: 'image/svg+xml' }]],
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    toc: { level: [2, 3] },
    config(parser) {
      showVariants(parser);
      const fence = parser.renderer.rules.fence;
      parser.renderer.rules.fence = (...args) => {
        const [tokens, index] = args;
        const token = tokens[index];
        if (token?.info.trim() === 'mermaid') {
          return `<MermaidDiagram code="${encodeURIComponent(token.content)}" />`;
        }
        return fence?.(...args) ?? '';
      };
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/docs/start/getting-started' },
      { text: 'Endpoints', link: '/docs/reference/endpoints' },
      { text: 'Errors', link: '/docs/reference/error-catalogue' },
      { text: 'Did money move?', link: '/docs/start/did-money-move' },
      { text: 'API', link: '/api/' },
      { text: `v${PACKAGE.version}`, link: '/CHANGELOG' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    externalLinkIcon: false,
    socialLinks: [{ icon: 'github', link: PACKAGE.repository }],
    editLink: { pattern: `${PACKAGE.repository}/edit/main/:path`, text: 'Edit this page' },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        _render: (source, env, parser) =>
          parser.render(
            env.relativePath.endsWith('error-catalogue.md') ? withMarks(source) : source,
            env,
          ),
        miniSearch: {
          searchOptions: {
            fuzzy: 0.2,
            prefix: true,
            boost: { title: 4, titles: 2, text: 1 },
            boostDocument: rank,
            boostTerm: boostOf,
            tokenize: wordsOf,
          },
        },
      },
    },
  },
  vite: {
    define: { __RUN_FOLDER__: JSON.stringify(process.env['RUN_FOLDER'] ?? '') },
    build: { chunkSizeWarningLimit: 2_000 },
    publicDir: join(PAGES, 'public'),
  },
});
