import type { Sizes } from './sizes.js';

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

const ROOT_ENTRY = 'the root entry';

function pageOf({ pages }: Sizes, name: string): { esbuild: number; rollup: number } {
  const page = pages[name];
  if (page === undefined) throw new Error(`bench/sizes.json has no page "${name}"`);
  return page;
}

function pageTable({ commit, pages, installed }: Sizes): string {
  const rows = Object.entries(pages).map(
    ([name, { esbuild, rollup }]) => `| ${name} | ${kilobytes(esbuild)} | ${kilobytes(rollup)} |`,
  );
  const { files, bytes } = installed;
  return `
| a page with | esbuild | rollup |
| --- | --- | --- |
${rows.join('\n')}

Measured at commit \`${commit.slice(0, 12)}\`, after gzip, with everything that the page loads, without
peers. Installed, the package has ${files} files of ${(bytes / 1e6).toFixed(1)} MB, guides included, and
no dependency.
`;
}

/** The text of each marker in a document: `<!-- size: root -->39.0 kB<!-- /size -->`. */
const FIGURES: Readonly<Record<string, (sizes: Sizes) => string>> = {
  root: (sizes) => kilobytes(pageOf(sizes, ROOT_ENTRY).rollup),
  query: (sizes) => kilobytes(pageOf(sizes, '`/query`').rollup),
  'one-operation': (sizes) => kilobytes(pageOf(sizes, 'one operation').rollup),
  installed: ({ installed }) => `${(installed.bytes / 1e6).toFixed(1)} MB`,
  pages: pageTable,
};

/** The documents that have such figures. */
export const DOCUMENTS_WITH_SIZES = [
  'README.md',
  'docs/evidence/measured.md',
  'docs/frameworks/query.md',
] as const;

/**
 * Returns a document with the figures of measured sizes between its markers.
 *
 * @throws Error for a marker without a figure
 */
export function withSizes(text: string, sizes: Sizes): string {
  return text.replace(/<!-- size: ([a-z-]+) -->[\s\S]*?<!-- \/size -->/g, (_, name: string) => {
    const figure = FIGURES[name];
    if (figure === undefined) throw new Error(`there is no size "${name}"`);
    return `<!-- size: ${name} -->${figure(sizes)}<!-- /size -->`;
  });
}
