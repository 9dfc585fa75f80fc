import type { ChainConfig } from '../../contract/delegation.js';
import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { isObject } from '../../contract/formats/is-object.js';
import { configFor } from '../chain-config.js';
import type { MockPlatform } from '../platform.js';
import { MockEvmChain } from './evm/chain.js';
import type { TokenSettings } from './evm/token.js';
import { evmProofVerifier } from './evm/verify-proof.js';
import { Work } from './prompts.js';
import { MockSolanaChain } from './solana/chain.js';
import { solanaProofVerifier } from './solana/verify-proof.js';

/** The platform's clock, for the waits of the flows. */
export type MockChainRuntime = {
  /** Returns the platform's time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Moves the platform's clock. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

// Kept, because a test may replace the timers later.
const { setTimeout: startTimer } = globalThis;

/** Resolves when everything that is ready has run. */
const turn = () => new Promise<void>((resolve) => startTimer(resolve, 0));

/** The clock of the platform. It stands still while a wallet works, because that takes real time. */
function createRuntime(platform: MockPlatform, work: Work): MockChainRuntime {
  return {
    now: () => platform.now,
    async sleep(milliseconds, signal) {
      const end = platform.now + milliseconds;
      for (;;) {
        do await turn();
        while (!work.isIdle && !signal?.aborted);
        if (signal?.aborted || platform.now >= end) return;
        platform.advance((work.nextDue(end) ?? end) - platform.now);
      }
    },
  };
}

/** USDT on Ethereum refuses to change an allowance that is not zero. */
const APPROVES_ONLY_FROM_ZERO = '0xdac17f958d2ee523a2206206994597c13d831ec7';

/** The tiny chains behind a mock platform. {@link mockChains} returns them. */
export class MockChains {
  /** The Solana chain: pass it as `node` to `delegateSolana`. */
  readonly solana: MockSolanaChain;
  /**
   * The clock of the platform, for the option `runtime` of the flows. While a flow sleeps, the
   * platform's time passes, but no real time does.
   */
  readonly runtime: MockChainRuntime;
  /** @internal */
  readonly work: Work;
  readonly #evm = new Map<string, MockEvmChain>();
  #wallets = 0;

  /** @internal */
  constructor(platform: MockPlatform) {
    this.work = new Work(platform);
    this.runtime = createRuntime(platform, this.work);
    let solana: MockSolanaChain | undefined;
    for (const { name, isSolana, chainId, spender, usSpender, tokens } of networksOf(platform)) {
      if (isSolana) {
        const mints = tokens.map(
          ([currency, { address, decimals }]) =>
            [currency.toLowerCase(), { mint: address, decimals }] as const,
        );
        const settings = {
          delegate: spender,
          usDelegate: usSpender,
          mints: Object.fromEntries(mints),
        };
        solana ??= new MockSolanaChain(settings, platform);
      } else if (chainId > 0) {
        const settings = { chainId, spender, usSpender, tokens: Object.fromEntries(tokens) };
        this.#evm.set(name, new MockEvmChain(settings, platform));
      }
    }
    const withoutMints = { delegate: '', usDelegate: '', mints: {} };
    this.solana = solana ?? new MockSolanaChain(withoutMints, platform);
    platform.verifyProofs({
      verifyEvmProof: evmProofVerifier((name) => this.#find(name)),
      verifySolanaProof: solanaProofVerifier(this.solana),
    });
  }

  /**
   * Returns the chain of a network: pass it as `node` to `delegateEvm`.
   *
   * @throws Error for a network that is not in the platform's chain configuration
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(await chains.evm('linea').request({ method: 'eth_chainId' }));
   * ```
   */
  evm(network: string): MockEvmChain {
    const found = this.#find(network);
    if (found !== undefined) return found;
    throw new Error(
      `there is no EVM network "${network}". The platform has ${[...this.#evm.keys()].join(', ')}`,
    );
  }

  /** Every EVM chain. */
  get evmChains(): readonly MockEvmChain[] {
    return [...this.#evm.values()];
  }

  /** @internal Returns the number of a new wallet, from which its keys are made. */
  nextWallet(): number {
    return ++this.#wallets;
  }

  #find(network: string): MockEvmChain | undefined {
    return [...this.#evm].find(([name]) => equalsIgnoringCase(name, network))?.[1];
  }
}

type Network = NonNullable<ChainConfig['networks']>[number];

/** The networks that either environment has, each with what both say about it. */
function networksOf({ state }: MockPlatform) {
  const named = (isUs: boolean) => {
    const networks = configFor(state, isUs, null).networks ?? [];
    return networks.filter(({ network, delegationContract }) => network && delegationContract);
  };
  const [networks, ofUs] = [named(false), named(true)];
  const find = (all: readonly Network[], name: string) =>
    all.find(({ network }) => equalsIgnoringCase(network ?? '', name));
  const names = [...networks, ...ofUs].map(({ network }) => network ?? '');
  const distinct = names.filter(
    (name, place) => names.findIndex((one) => equalsIgnoringCase(one, name)) === place,
  );
  return distinct.map((name) => bothOf(name, find(networks, name), find(ofUs, name)));
}

/** Joins what the environments say about a network: they have different spenders on one chain. */
function bothOf(name: string, own: Network | undefined, ofUs: Network | undefined) {
  const isSolana = equalsIgnoringCase(name, 'solana');
  const chainId = Number(own?.chainId ?? ofUs?.chainId);
  if (!isSolana && Number(ofUs?.chainId ?? chainId) !== chainId) {
    throw contradiction(`${name} another chainId`);
  }
  const tokens = tokensOf(own?.tokens);
  for (const [currency, token] of tokensOf(ofUs?.tokens)) {
    const [, known] = tokens.find(([one]) => equalsIgnoringCase(one, currency)) ?? [];
    if (known === undefined) tokens.push([currency, token]);
    else if (!isSameToken(known, token, isSolana)) {
      throw contradiction(`${currency} on ${name} another token`);
    }
  }
  const spender = own?.delegationContract ?? '';
  return { name, isSolana, chainId, spender, usSpender: ofUs?.delegationContract ?? '', tokens };
}

function isSameToken(one: TokenSettings, other: TokenSettings, isSolana: boolean): boolean {
  const isSame = isSolana
    ? one.address === other.address
    : equalsIgnoringCase(one.address, other.address);
  return isSame && one.decimals === other.decimals;
}

const contradiction = (what: string) =>
  new Error(`usChainConfig gives ${what} than chainConfig, but a mock chain serves both`);

function tokensOf(tokens: unknown): [string, TokenSettings][] {
  if (!isObject(tokens)) return [];
  return Object.entries(tokens).flatMap(([currency, token]): [string, TokenSettings][] => {
    const { address, decimals } = Object(token) as Readonly<Record<string, unknown>>;
    if (typeof address !== 'string') return [];
    const approvesOnlyFromZero = equalsIgnoringCase(address, APPROVES_ONLY_FROM_ZERO);
    const symbol = currency.toUpperCase();
    return [[currency, { address, symbol, decimals: Number(decimals), approvesOnlyFromZero }]];
  });
}

const CHAINS = new WeakMap<MockPlatform, MockChains>();

/**
 * Returns the tiny chains behind a mock platform: one for each network of its chain configuration.
 * From the first call on, the platform checks each proof against them: message, signature and
 * transaction. Later calls return the same chains.
 *
 * @throws Error if `usChainConfig` and `chainConfig` differ in the chain id of a network or in a token
 *
 * @example
 * ```ts
 * import { createMockPlatform } from 'card-platform-sdk/testing';
 * import { mockChains } from 'card-platform-sdk/testing/wallets';
 *
 * const mock = createMockPlatform();
 * const chains = mockChains(mock);
 * chains.evm('linea').setAutomaticMining(false);
 * ```
 */
export function mockChains(platform: MockPlatform): MockChains {
  const chains = CHAINS.get(platform) ?? new MockChains(platform);
  CHAINS.set(platform, chains);
  return chains;
}
