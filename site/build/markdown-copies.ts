import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import TurndownService from 'turndown';
import { llmsIndex } from '../../scripts/generate/llms.js';
import { OUT, PACKAGE, ROOT, readPage, sitePages } from './pages.js';

function write(path: string, text: string): void {
  const file = join(OUT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Returns the repository files, other than pages, to which a document links. */
function linkedFiles(path: string): string[] {
  return [...readPage(path).matchAll(/\]\(([^)#\s]+)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => posix.join(posix.dirname(path), link))
    .filter((file) => existsSync(join(ROOT, file)) && statSync(join(ROOT, file)).isFile());
}

/** Returns the content of a page of the reference as Markdown. */
function markdownOf(html: string, turndown: TurndownService): string {
  const from = html.indexOf('<div class="col-content"');
  const to = html.indexOf('<div class="col-sidebar">');
  const content = html.slice(from, to).replace(/<br\s*\/?>/g, '\n');
  return turndown
    .turndown(content)
    .replace(/\]\((?!https?:)([^)\s]+?)\.html/g, ']($1.md')
    .replaceAll('[](#', '[#](#');
}

/** Writes a Markdown copy beside each page, the files that the copies link, and `llms.txt`. */
export function writeMarkdownCopies(): void {
  const pages = sitePages();
  for (const path of new Set(pages.flatMap((page) => [page.path, ...linkedFiles(page.path)]))) {
    mkdirSync(dirname(join(OUT, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(OUT, path));
  }
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  turndown.remove(['button', 'script', 'style']);
  turndown.addRule('icons', { filter: (node) => node.nodeName === 'SVG', replacement: () => '' });
  const reference = readdirSync(join(OUT, 'reference'), { encoding: 'utf8', recursive: true });
  for (const name of reference.filter((file) => file.endsWith('.html'))) {
    const html = readFileSync(join(OUT, 'reference', name), 'utf8');
    write(`reference/${name.replace(/\.html$/, '.md')}`, markdownOf(html, turndown));
  }
  const entries = Object.keys(JSON.parse(readPage('package.json')).exports)
    .map((name) => (name === '.' ? PACKAGE.name : name.slice(2)))
    .filter((name) => reference.includes(`${name}.html`));
  write(
    'llms.txt',
    llmsIndex((path) => path, entries),
  );
}
