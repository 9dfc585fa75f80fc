import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKED } from './packed-package.js';
import { weighWithEsbuild } from './page-esbuild.js';
import { weighWithRollup } from './page-rollup.js';
import type { PageWeight } from './page-weight.js';

const importOfEntry = (entry: string) => `export * from 'card-platform-sdk${entry}';`;

const ONE_OPERATION = `
  import { call, cardStatus, createClient } from 'card-platform-sdk/endpoints';
  export const status = (options) => call(createClient(options), cardStatus, {});`;
const ONE_OPERATION_OF_A_CLIENT = `
  import { call, cardStatus } from 'card-platform-sdk/endpoints';
  export const status = (client) => call(client, cardStatus, {});`;
const ROOT_AND_AN_OBSERVED_CALL = `
  export * from 'card-platform-sdk';
  import { call } from 'card-platform-sdk/endpoints';
  import { refreshOAuth } from 'card-platform-sdk/observed';
  export const refresh = (client, input) => call(client, refreshOAuth, input);`;
const ROOT_AND_OBSERVED = `
  export * from 'card-platform-sdk';
  export { observe } from 'card-platform-sdk/observed';`;
const ROOT_AND_A_RENEWAL = `
  export * from 'card-platform-sdk';
  import { renewOAuth } from 'card-platform-sdk/observed';
  export const renew = (client) => renewOAuth(client);`;
const flow = (name: string, entry: string) =>
  `export { ${name} } from 'card-platform-sdk${entry}';`;

/** Pages that load a part of the package; with `over`, in addition to an earlier page. */
const PAGES: readonly { name: string; source: string; over?: string }[] = [
  { name: 'the root entry', source: importOfEntry('') },
  { name: 'one operation', source: ONE_OPERATION },
  {
    name: 'one operation, client given',
    source: ONE_OPERATION_OF_A_CLIENT,
  },
  {
    name: 'one call of `/observed`, in addition to the root',
    source: ROOT_AND_AN_OBSERVED_CALL,
    over: 'the root entry',
  },
  {
    name: '`observe`, in addition to the root',
    source: ROOT_AND_OBSERVED,
    over: 'the root entry',
  },
  {
    name: '`renewOAuth` of `/observed`, in addition to the root',
    source: ROOT_AND_A_RENEWAL,
    over: 'the root entry',
  },
  { name: '`/evm`', source: importOfEntry('/evm') },
  {
    name: '`delegateEvm` of `/evm`',
    source: flow('delegateEvm', '/evm'),
  },
  { name: '`/solana`', source: importOfEntry('/solana') },
  {
    name: '`delegateSolana` of `/solana`',
    source: flow('delegateSolana', '/solana'),
  },
  { name: '`/query`', source: importOfEntry('/query') },
  { name: '`/schemas`', source: importOfEntry('/schemas') },
  { name: '`/testing`', source: importOfEntry('/testing') },
];

/** The names of the optional peers, which a page has for its own purposes. */
const PEERS = ['viem', 'viem/*', '@solana/*', 'msw', 'msw/*'];

/** A page as two bundlers build it. */
export type Page = {
  name: string;
  esbuild: PageWeight;
  rollup: PageWeight;
};

/** Returns the bytes that a page loads in addition to those of another. */
function beyond(page: PageWeight, other: PageWeight | undefined): PageWeight {
  if (other === undefined) return page;
  return { gzipped: page.gzipped - other.gzipped, minified: page.minified - other.minified };
}

/** Weighs every page with the packed package. */
export async function weighPages(): Promise<Page[]> {
  const folder = join(PACKED.project, 'pages');
  mkdirSync(folder, { recursive: true });
  const pages: Page[] = [];
  for (const [index, { name, source, over }] of PAGES.entries()) {
    const file = join(folder, `page-${index}.js`);
    writeFileSync(file, source);
    const base = pages.find((page) => page.name === over);
    const esbuild = beyond(await weighWithEsbuild(file, PEERS), base?.esbuild);
    const rollup = beyond(await weighWithRollup(file), base?.rollup);
    pages.push({ name, esbuild, rollup });
  }
  return pages;
}
