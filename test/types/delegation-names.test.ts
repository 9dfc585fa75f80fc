import type { Config as Wagmi3Config } from '@wagmi/core';
import { delegateEvm, type EvmDelegationOptions } from 'card-platform-sdk/evm';
import { delegateSolana, type SolanaDelegationOptions } from 'card-platform-sdk/solana';
import { createDelegation, delegate, type WagmiConfig } from 'card-platform-sdk/wagmi';
import { expect, it } from 'vitest';
import type { Config as Wagmi2Config } from 'wagmi-core-2';

// The compiler judges these functions (`npm run types`): a line below `@ts-expect-error` must not
// compile, every other line must. Nothing here is called.

type Rest = Pick<EvmDelegationOptions, 'client' | 'wallet' | 'node' | 'amount' | 'domain' | 'uri'>;
const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const NETWORKS = { base: { chainId: 8453, tokens: { eurc: { address: SPENDER, decimals: 6 } } } };

function evm(rest: Rest, given: { network: string; currency: string; spender: string }): unknown {
  const others = { network: 'base', currency: 'eurc', networks: NETWORKS } as const;
  return [
    delegateEvm({ ...rest, network: 'linea', currency: 'usdc', spender: SPENDER }),
    delegateEvm({ ...rest, network: 'ethereum', currency: 'usdt', spender: 'chain-config' }),
    // The network of the node's chain.
    delegateEvm({ ...rest, currency: 'usdc', spender: SPENDER }),
    // Names that are known only when the program runs.
    delegateEvm({ ...rest, ...given }),
    delegateEvm({
      ...rest,
      network: 'base',
      currency: 'eurc',
      spender: SPENDER,
      networks: NETWORKS,
      onProgress: ({ message, state }) => [message.length, state.approval?.status],
    }),
    // @ts-expect-error the network is misspelled
    delegateEvm({ ...rest, network: 'lineaa', currency: 'usdc', spender: SPENDER }),
    // @ts-expect-error the currency is misspelled
    delegateEvm({ ...rest, network: 'linea', currency: 'udsc', spender: SPENDER }),
    // @ts-expect-error neither an address nor the service's spender
    delegateEvm({ ...rest, network: 'linea', currency: 'usdc', spender: 'chain-cfg' }),
    // @ts-expect-error neither of them, also with other networks
    delegateEvm({ ...rest, ...others, spender: 'chain-cfg' }),
  ];
}

function solana(rest: Omit<SolanaDelegationOptions, 'currency' | 'token'>, name: string): unknown {
  const token = { mint: rest.spender, decimals: 6 };
  return [
    delegateSolana({ ...rest, currency: 'usdc' }),
    delegateSolana({ ...rest, currency: name }),
    delegateSolana({ ...rest, currency: 'eurc', token }),
    // @ts-expect-error the currency is misspelled
    delegateSolana({ ...rest, currency: 'udsc' }),
  ];
}

function wagmi(
  config: WagmiConfig,
  { client }: Rest,
  given: { currency: string; spender: string },
): unknown {
  const rest = { client, chainId: 59144, amount: '1' };
  const limit = createDelegation(config, { client, chainId: 59144, spender: SPENDER });
  return [
    delegate(config, { ...rest, currency: 'usdc', spender: SPENDER }),
    delegate(config, { ...rest, ...given }),
    delegate(config, { ...rest, currency: 'eurc', spender: SPENDER, networks: NETWORKS }),
    createDelegation(config, { client, ...given, chainId: 1 }).start({ amount: '1' }),
    limit.start({ currency: 'usdt', amount: '1' }),
    limit.resume({ currency: 'usdc' }),
    // @ts-expect-error the currency is misspelled
    delegate(config, { ...rest, currency: 'udsc', spender: SPENDER }),
    // @ts-expect-error neither an address nor the service's spender
    delegate(config, { ...rest, currency: 'usdc', spender: 'chain-cfg' }),
    // @ts-expect-error the currency is misspelled
    createDelegation(config, { client, chainId: 59144, currency: 'udsc', spender: SPENDER }),
    // @ts-expect-error the currency is misspelled
    limit.start({ currency: 'udsc', amount: '1' }),
    // @ts-expect-error the amount is missing
    limit.start({ currency: 'usdc' }),
  ];
}

function configs(two: Wagmi2Config, three: Wagmi3Config): WagmiConfig[] {
  return [two, three];
}

it('the compiler has judged the examples', () => {
  expect([evm, solana, wagmi, configs]).toHaveLength(4);
});
