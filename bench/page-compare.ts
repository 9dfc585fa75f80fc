import { fileURLToPath } from 'node:url';
import { moduleOf, OTHERS, OURS, OURS_OF_ENDPOINTS, WITHDRAWAL } from './contestants.js';
import { weighWithEsbuild } from './page-esbuild.js';
import type { PageWeight } from './page-weight.js';
import type { Section } from './report.js';

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** What a page loads at once and with its first call. */
const totalOf = ({ atLoad, onCall }: PageWeight) => atLoad + onCall;

/** Measures how much a page loads that creates one client and sends two requests with it. */
export async function comparePages(): Promise<Section> {
  const mine = await weighWithEsbuild(fileURLToPath(moduleOf(OURS)), []);
  const rows: string[][] = [];
  for (const contestant of [OURS, WITHDRAWAL, OURS_OF_ENDPOINTS, ...OTHERS]) {
    const { name } = contestant;
    // Some contestants need Node modules, which no page has.
    const weight = await weighWithEsbuild(fileURLToPath(moduleOf(contestant)), [], 'silent').catch(
      () => undefined,
    );
    rows.push(
      weight === undefined
        ? ['', name, 'does not bundle for a browser', '']
        : [
            (totalOf(weight) / totalOf(mine)).toFixed(2),
            name,
            kilobytes(totalOf(weight)),
            kilobytes(weight.minified),
          ],
    );
  }
  return {
    title: 'In a browser',
    note: 'A page that creates a client and sends one GET and one POST, bundled and minified by esbuild: everything that it loads until its first response, after gzip. Ratios are relative to this client.',
    heads: ['ratio', 'who', 'until the first response', 'minified'],
    rows,
  };
}
