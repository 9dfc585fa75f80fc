// Every entry, by `import` and by `require`: where package exports are on, Metro takes other files for
// each. Loaded in the check, so that an entry that throws at load fails one check and not all.
import { expectSame } from '../../suite/expect.mjs';

const LOADERS = {
  'card-platform-sdk': [
    () => import('card-platform-sdk'),
    () => require('card-platform-sdk'),
    'CardPlatformClient',
  ],
  'card-platform-sdk/endpoints': [
    () => import('card-platform-sdk/endpoints'),
    () => require('card-platform-sdk/endpoints'),
    'createClient',
  ],
  'card-platform-sdk/sessions': [
    () => import('card-platform-sdk/sessions'),
    () => require('card-platform-sdk/sessions'),
    'createSessions',
  ],
  'card-platform-sdk/card-reveal': [
    () => import('card-platform-sdk/card-reveal'),
    () => require('card-platform-sdk/card-reveal'),
    'createCardReveal',
  ],
  'card-platform-sdk/evm': [
    () => import('card-platform-sdk/evm'),
    () => require('card-platform-sdk/evm'),
    'delegateEvm',
  ],
  'card-platform-sdk/solana': [
    () => import('card-platform-sdk/solana'),
    () => require('card-platform-sdk/solana'),
    'delegateSolana',
  ],
  'card-platform-sdk/query': [
    () => import('card-platform-sdk/query'),
    () => require('card-platform-sdk/query'),
    'createQueries',
  ],
  'card-platform-sdk/schemas': [
    () => import('card-platform-sdk/schemas'),
    () => require('card-platform-sdk/schemas'),
    'schemas',
  ],
  'card-platform-sdk/testing': [
    () => import('card-platform-sdk/testing'),
    () => require('card-platform-sdk/testing'),
    'createMockPlatform',
  ],
};

const checks = [];
for (const [name, [load, loadCommonJs, member]] of Object.entries(LOADERS)) {
  checks.push([
    `imports ${name}`,
    async () => expectSame(typeof (await load())[member] === 'undefined', false, member),
  ]);
  checks.push([
    `requires ${name}`,
    () => expectSame(typeof loadCommonJs()[member] === 'undefined', false, member),
  ]);
}

/** Checks that each entry can be loaded. */
export const entries = Object.fromEntries(checks);
