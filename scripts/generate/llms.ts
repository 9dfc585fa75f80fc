import { PACKAGE, readPage, sitePages } from '../../site/build/pages.js';

const line = (title: string, url: string, summary: string) =>
  `- [${title}](${url})${summary === '' ? '' : `: ${summary}`}`;

const section = (title: string, lines: readonly string[]) => [`## ${title}\n`, ...lines].join('\n');

/** The first paragraph of README, in one line. */
const summary = () => (readPage('README.md').split('\n\n')[1] ?? '').replaceAll('\n', ' ');

/**
 * Returns the index of the documentation for language models (llmstxt.org). `urlOf` is the address of a
 * page's Markdown; `reference` are the entries that the site documents.
 */
export function llmsIndex(
  urlOf: (path: string) => string,
  reference: readonly string[] = [],
): string {
  const pages = sitePages();
  const groups = [...new Set(pages.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const listed = pages.filter((page) => page.group === group);
    const lines = listed.map(({ title, path, summary }) => line(title, urlOf(path), summary));
    return section(group || 'Start', lines);
  });
  if (reference.length > 0) {
    const lines = reference.map((entry) => line(entry, urlOf(`reference/${entry}.md`), ''));
    sections.push(section('API', lines));
  }
  return `${[`# ${PACKAGE.name}`, `> ${summary()}`, ...sections].join('\n\n')}\n`;
}

/** The index that the package ships: its addresses are those of the repository. */
export const packagedIndex = () => llmsIndex((path) => `${PACKAGE.repository}/blob/main/${path}`);
