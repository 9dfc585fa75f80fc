import { readFileSync } from 'node:fs';
import type { EvmDelegationInput, EvmDelegationOptions } from 'card-platform-sdk/evm';
import type { SolanaDelegationInput, SolanaDelegationOptions } from 'card-platform-sdk/solana';
import type {
  WagmiDelegationInput,
  WagmiDelegationParts,
  WagmiStartInput,
} from 'card-platform-sdk/wagmi';
import { expect, it } from 'vitest';
import type { EvmStartInput } from '../../src/evm/index.js';
import type { SolanaStartInput } from '../../src/solana/index.js';

type RequiredKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** Compiles only with exactly the names of the required options. */
type Required<T> = Readonly<Record<RequiredKey<T>, true>>;

const delegateEvm: Required<EvmDelegationOptions> = {
  client: true,
  wallet: true,
  node: true,
  currency: true,
  amount: true,
  spender: true,
};

const delegateSolana: Required<SolanaDelegationOptions> = {
  client: true,
  wallet: true,
  node: true,
  currency: true,
  amount: true,
  spender: true,
};

const delegateWagmi: Required<WagmiDelegationParts & WagmiDelegationInput> = {
  client: true,
  chainId: true,
  currency: true,
  amount: true,
  spender: true,
};

type Limit = 'currency' | 'spender';
type ForOneAsset<T, Names extends keyof T> = Pick<T, Names>;

/** What the guides give once, beside the client, and what is then left for `start`. */
const startEvm: Required<EvmStartInput<ForOneAsset<EvmDelegationInput, Limit | 'node'>>> = {
  wallet: true,
  amount: true,
};
const startSolana: Required<SolanaStartInput<ForOneAsset<SolanaDelegationInput, Limit | 'node'>>> =
  { wallet: true, amount: true };
const startWagmi: Required<WagmiStartInput<ForOneAsset<WagmiDelegationInput, Limit | 'chainId'>>> =
  { amount: true };

const count = (names: object) => Object.keys(names).length;
it.each([
  ['`delegateEvm`', '', count(delegateEvm)],
  ['`delegateSolana`', '', count(delegateSolana)],
  ['`createDelegation` of `/evm`', count(delegateEvm) - count(startEvm), count(startEvm)],
  [
    '`createDelegation` of `/solana`',
    count(delegateSolana) - count(startSolana),
    count(startSolana),
  ],
  ['`createDelegation` of `/wagmi`', count(delegateWagmi) - count(startWagmi), count(startWagmi)],
  ['`delegate` of `/wagmi`', '', count(delegateWagmi)],
])('%s has as many required options as the page says', (name, once, each) => {
  const page = readFileSync(
    new URL('../../docs/evidence/delegation-tests.md', import.meta.url),
    'utf8',
  );
  expect(page).toContain(`| ${name} | ${once === '' ? '' : `${once} `}| ${each} |`);
});
