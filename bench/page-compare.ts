import { fileURLToPath } from 'node:url';
import { moduleOf, OTHERS, OURS } from './contestants.js';
import { weighWithEsbuild } from './page-esbuild.js';
import type { Section } from './report.js';

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** Measures how much a page loads that creates one client and sends two requests with it. */
export async function comparePages(): Promise<Section> {
  const mine = await weighWithEsbuild(fileURLToPath(moduleOf(OURS)), []);
  const rows: string[][] = [];
  for (const contestant of [OURS, ...OTHERS]) {
    const { name } = contestant;
    // Some contestants need Node modules, which no page has.
    const weight = await weighWithEsbuild(fileURLToPath(moduleOf(contestant)), [], 'silent').catch(
      () => undefined,
    );
    rows.push(
      weight === undefined
        ? ['', name, 'does not bundle for a browser', '', '']
        : [
            (weight.atLoad / mine.atLoad).toFixed(2),
            name,
            kilobytes(weight.atLoad),
            kilobytes(weight.onCall),
            kilobytes(weight.minified),
          ],
    );
  }
  return {
    title: 'In a browser',
    note: 'A page that creates a client and sends one GET and one POST, bundled and minified by esbuild. Ratios are relative to what this client loads at once.',
    heads: ['ratio', 'who', 'at load', 'with a call', 'minified'],
    rows,
  };
}
