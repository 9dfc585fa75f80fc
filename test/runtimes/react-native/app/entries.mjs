// Every entry, by `import` and by `require`: with package exports on, Metro uses different files
// for the two. Loaded in the check, so that an entry that throws at load fails one check and not
// all.
import { expectSame } from '../../suite/expect.mjs';
// Written by the test from the exports of the package, so that a new entry is checked without a
// change here.
import { LOADERS } from './loaders.mjs';

/** A member of each entry. An entry that is not here is checked too. */
const MEMBERS = {
  'card-platform-sdk': 'CardPlatformClient',
  'card-platform-sdk/endpoints': 'createClient',
  'card-platform-sdk/journal': 'createJournal',
  'card-platform-sdk/sessions': 'createSessions',
  'card-platform-sdk/stores': 'memoryStore',
  'card-platform-sdk/card-reveal': 'createCardReveal',
  'card-platform-sdk/observed': 'observe',
  'card-platform-sdk/evm': 'delegateEvm',
  'card-platform-sdk/solana': 'delegateSolana',
  'card-platform-sdk/solana/web3': 'walletFromAdapter',
  'card-platform-sdk/query': 'createQueries',
  'card-platform-sdk/schemas': 'schemas',
  'card-platform-sdk/server': 'createCardProxy',
  'card-platform-sdk/testing': 'createMockPlatform',
  'card-platform-sdk/testing/msw': 'mswHandlers',
  'card-platform-sdk/testing/wallets': 'createMockWallet',
};

function expectLoaded(entry, name) {
  const members = Object.keys(entry);
  expectSame(members.length > 0, true, 'has exports');
  expectSame(
    members.filter((member) => entry[member] === undefined),
    [],
    'undefined exports',
  );
  expectSame(name in MEMBERS && entry[MEMBERS[name]] === undefined, false, MEMBERS[name]);
}

const checks = [];
for (const [name, [load, loadCommonJs]] of Object.entries(LOADERS)) {
  checks.push([`imports ${name}`, async () => expectLoaded(await load(), name)]);
  checks.push([`requires ${name}`, () => expectLoaded(loadCommonJs(), name)]);
}
checks.push([
  'knows every entry of the package',
  () =>
    expectSame(
      Object.keys(MEMBERS).filter((name) => !(name in LOADERS)),
      [],
    ),
]);

/** Checks that each entry can be loaded. */
export const entries = Object.fromEntries(checks);
