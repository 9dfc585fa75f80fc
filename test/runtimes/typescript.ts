import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { npm } from '../support/npm.js';
import { COMPILERS, check, RESOLUTIONS, type Resolution, type Verdict } from './compilers.js';
import { makeConsumer, ROOT } from './consumer.js';
import { holdInstantiations } from './instantiations.js';
import { table } from './table.js';

// `npm run test:typescript`: the packed types under each compiler that consumers may have, without
// `skipLibCheck`, with and without the peers; and how much work they are to the compiler.
//   --quick      the oldest and the newest compiler, without peers
//   --no-build   with the `dist` that is there

const PEERS = ['viem@2.57.1', '@solana/web3.js@1.99.0', 'msw@2.15.0', '@types/node@20.19.43'];

/** Copies a consumer's file beside the package, where its imports find it. */
function place(folder: string, file: string): string {
  copyFileSync(fileURLToPath(new URL(`./types/${file}`, import.meta.url)), join(folder, file));
  return file;
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, 'no-build': { type: 'boolean' } },
});
if (!values['no-build']) npm(['run', 'build'], ROOT);
const resolutions = Object.keys(RESOLUTIONS) as Resolution[];
const compilers = values.quick ? [COMPILERS.at(0), COMPILERS.at(-1)] : COMPILERS;

const bare = makeConsumer('types-without-peers', []);
const consumers = [{ name: 'without peers', folder: bare, file: place(bare, 'without-peers.ts') }];
if (!values.quick) {
  const folder = makeConsumer('types-with-peers', PEERS);
  consumers.push({ name: 'with peers', folder, file: place(folder, 'with-peers.ts') });
}

function inWords({ errors, foreignErrors }: Verdict): string {
  if (errors.length > 0) return `${errors.length} errors`;
  return foreignErrors.length === 0 ? 'ok' : `ok (${foreignErrors.length} in a peer's own)`;
}

const rows: string[][] = [];
const complaints: string[] = [];
for (const version of compilers.filter((one) => one !== undefined)) {
  const row = [version];
  for (const { name, folder, file } of consumers) {
    for (const resolution of resolutions) {
      // The peers' own declarations need Node's.
      const types = name === 'with peers' ? ['node'] : [];
      const verdict = check(version, folder, file, { resolution, types });
      complaints.push(...verdict.errors.map((error) => `${version}, ${name}: ${error}`));
      row.push(inWords(verdict));
    }
  }
  rows.push(row);
}
for (const complaint of complaints) console.error(complaint);
const heads = consumers.flatMap(({ name }) => resolutions.map((one) => `${name}, ${one}`));
console.log(table([['typescript', ...heads], ...rows]));
const isWithin = holdInstantiations(bare, place(bare, 'journey.ts'));
if (complaints.length > 0 || !isWithin) process.exitCode = 1;
