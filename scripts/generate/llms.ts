import { PACKAGE, readPage, sitePages } from '../../site/build/pages.js';

const line = (title: string, url: string, summary: string) =>
  `- [${title}](${url})${summary === '' ? '' : `: ${summary}`}`;

const section = (title: string, lines: readonly string[]) => [`## ${title}\n`, ...lines].join('\n');

/** The first paragraph of README, in one line. */
const summary = () => (readPage('README.md').split('\n\n')[1] ?? '').replaceAll('\n', ' ');

/** The rules and programs that the index opens with: a page of the guides, one heading lower. */
const rules = () => readPage('docs/start/ten-rules.md').trim().replace(/^#+ /gm, '#$&');

/** The pages that the installed package has too. */
const isShipped = (path: string) =>
  (path.startsWith('docs/') || ['README.md', 'CHANGELOG.md', 'SECURITY.md'].includes(path)) &&
  !JSON.parse(readPage('package.json')).files.includes(`!${path}`);

const urlOf = (path: string) =>
  isShipped(path) ? path : `${PACKAGE.repository}/blob/main/${path}`;

/**
 * Returns the index of the documentation for language models (llmstxt.org). Links to what the package
 * contains are relative: they lead to the same files in the repository, in the installed package and on
 * the site. The others lead to the repository.
 */
export function llmsIndex(): string {
  const pages = sitePages().map((page) => ({ ...page, group: page.group || 'Start' }));
  const groups = [...new Set(pages.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const listed = pages.filter((page) => page.group === group);
    const lines = listed.map(({ title, path, summary }) => line(title, urlOf(path), summary));
    return section(group, lines);
  });
  return `${[`# ${PACKAGE.name}`, `> ${summary()}`, rules(), ...sections].join('\n\n')}\n`;
}
