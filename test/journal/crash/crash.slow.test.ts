import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSeed, type SeedResult } from './run-seed.js';

const RUNS = Number(process.env['JOURNAL_CRASHES'] ?? 25);
const FIRST = Number(process.env['JOURNAL_FIRST_SEED'] ?? 1);
const TOGETHER = 3;

const folder = mkdtempSync(join(tmpdir(), 'journal-victim-'));
const bundle = join(folder, 'victim.mjs');

beforeAll(async () => {
  const entryPoints = [join(import.meta.dirname, 'victim.ts')];
  await build({
    entryPoints,
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: true,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a program that is killed at any await', () => {
  it(
    `loses no entry and gets no wrong verdict in ${RUNS} runs`,
    async () => {
      const results: SeedResult[] = [];
      let seed = FIRST;
      const worker = async () => {
        while (seed < FIRST + RUNS) results.push(await runSeed(seed++, bundle));
      };
      await Promise.all(Array.from({ length: TOGETHER }, worker));
      const count = (verdict: string) =>
        results.reduce((sum, { verdicts }) => sum + (verdicts[verdict] ?? 0), 0);
      console.log(
        `${results.length} runs, ${results.filter(({ killed }) => killed).length} killed, ` +
          `${results.reduce((sum, { pending }) => sum + pending, 0)} entries: ` +
          ['executed', 'not_executed', 'undecided'].map((one) => `${count(one)} ${one}`).join(', '),
      );
      expect(results.flatMap(({ problems }) => problems)).toEqual([]);
    },
    60_000 + RUNS * 2_000,
  );
});
