import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { npm } from '../support/npm.js';
import { checkInstantiations } from './check-instantiations.js';
import {
  type CheckReport,
  COMPILERS,
  RESOLUTIONS,
  type Resolution,
  typeCheck,
} from './compilers.js';
import { makeConsumer, ROOT } from './consumer.js';
import { formatTable } from './table.js';

// `npm run test:typescript` checks the packed types with each supported compiler, without
// `skipLibCheck`, with and without the peers, and counts their type instantiations.
//   --quick      only the oldest and the newest compiler, with peers only the newest
//   --no-build   use the existing `dist`

const PEERS = [
  'viem@2.57.1',
  '@solana/web3.js@1.99.0',
  '@tanstack/query-core@5.108.0',
  'msw@2.15.0',
  '@types/node@20.19.43',
];

/** Copies a consumer's file next to the installed package, so that its imports resolve. */
function copyFile(folder: string, file: string): string {
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
const withPeers = makeConsumer('types-with-peers', PEERS);
const consumers = [
  { name: 'without peers', folder: bare, file: copyFile(bare, 'without-peers.ts') },
  { name: 'with peers', folder: withPeers, file: copyFile(withPeers, 'with-peers.ts') },
];

function describeReport({ errors, foreignErrors }: CheckReport): string {
  if (errors.length > 0) return `${errors.length} errors`;
  return foreignErrors.length === 0
    ? 'ok'
    : `ok (${foreignErrors.length} in declarations of peers)`;
}

const rows: string[][] = [];
const errors: string[] = [];
for (const version of compilers.filter((one) => one !== undefined)) {
  const row = [version];
  for (const { name, folder, file } of consumers) {
    for (const resolution of resolutions) {
      if (values.quick && folder === withPeers && version !== COMPILERS.at(-1)) {
        row.push('not checked');
        continue;
      }
      // The declarations of the peers need those of Node.
      const types = name === 'with peers' ? ['node'] : [];
      const verdict = typeCheck(version, folder, file, { resolution, types });
      errors.push(...verdict.errors.map((error) => `${version}, ${name}: ${error}`));
      row.push(describeReport(verdict));
    }
  }
  rows.push(row);
}
for (const complaint of errors) console.error(complaint);
const heads = consumers.flatMap(({ name }) => resolutions.map((one) => `${name}, ${one}`));
console.log(formatTable([['typescript', ...heads], ...rows]));
const isWithin = checkInstantiations(bare, copyFile(bare, 'journey.ts'));
if (errors.length > 0 || !isWithin) process.exitCode = 1;
