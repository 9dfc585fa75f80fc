import { privateKeyToAccount } from 'viem/accounts';
import { requireInteger, requireKnownOptions } from '../check-options.js';
import type { Duration } from '../clock.js';
import { createMockPlatform, type MockPlatform } from '../platform.js';
import type { MockEvmChain } from './evm/chain.js';
import { MockEvmProvider } from './evm/provider.js';
import { type MockChains, mockChains } from './mock-chains.js';
import { type HeldPrompt, type MockPrompt, Prompts } from './prompts.js';
import type { MockSolanaChain } from './solana/chain.js';
import { solanaKey } from './solana/ed25519.js';
import { MockStandardWallet } from './solana/standard-wallet.js';

/** Options of `createMockWallet`. */
export type MockWalletOptions = {
  /** The platform whose chains the wallet uses. Default: a new one, in `wallet.platform`. */
  platform?: MockPlatform | undefined;
  /** The EVM network that the wallet is on. Default: the first one of the platform. */
  network?: string | undefined;
  /** The EVM networks that the wallet knows. Default: all of the platform's. */
  knownNetworks?: readonly string[] | undefined;
  /** Whether the page is connected already. Default `true`. */
  isConnected?: boolean | undefined;
  /** Whether the accounts have coins for fees, and 1,000 of each token. Default `true`. */
  isFunded?: boolean | undefined;
  /**
   * The number from which the keys are derived, 1 or above. Default: a different one for each wallet.
   */
  seed?: number | undefined;
};

type Part<T> = { readonly value: T } | { readonly missing: unknown };

/** A wallet for tests. {@link createMockWallet} creates it. */
export class MockWallet {
  /** The platform behind the wallet. */
  readonly platform: MockPlatform;
  /** The chains behind the wallet. */
  readonly chains: MockChains;
  readonly #prompts: Prompts;
  readonly #evm: Part<MockEvmProvider>;
  readonly #solana: Part<MockStandardWallet>;

  /** @internal */
  constructor(parts: {
    platform: MockPlatform;
    chains: MockChains;
    prompts: Prompts;
    evm: Part<MockEvmProvider>;
    solana: Part<MockStandardWallet>;
  }) {
    this.platform = parts.platform;
    this.chains = parts.chains;
    this.#prompts = parts.prompts;
    this.#evm = parts.evm;
    this.#solana = parts.solana;
  }

  /**
   * The EVM side, an EIP-1193 provider: pass it as `wallet` to `delegateEvm`, or to `custom()` of viem.
   *
   * @throws Error when the platform has no EVM network
   */
  get evm(): MockEvmProvider {
    return requirePart(this.#evm);
  }

  /**
   * The Solana side, a wallet of the wallet standard: pass it as `wallet` to `delegateSolana`.
   *
   * @throws Error in a runtime without Ed25519
   */
  get solana(): MockStandardWallet {
    return requirePart(this.#solana);
  }

  /** The prompts that the wallet has shown, oldest first. */
  get prompts(): readonly MockPrompt[] {
    return this.#prompts.shown;
  }

  /**
   * Lets the user decline the next prompt. Each call is for one more prompt. A prompt without a
   * planned decision is accepted.
   *
   * @example
   * ```ts
   * import { createMockWallet } from 'card-platform-sdk/testing/wallets';
   *
   * const wallet = await createMockWallet();
   * wallet.declineNext();
   * ```
   */
  declineNext(): void {
    this.#prompts.declineNext();
  }

  /**
   * Keeps the next prompt open until you accept or decline it.
   *
   * @example
   * ```ts
   * import { createMockWallet } from 'card-platform-sdk/testing/wallets';
   *
   * const wallet = await createMockWallet();
   * const prompt = wallet.holdNext();
   * await prompt.opened;
   * prompt.accept();
   * ```
   */
  holdNext(): HeldPrompt {
    return this.#prompts.holdNext();
  }

  /**
   * Lets the user accept the next prompt after a duration of the platform's time.
   *
   * @throws TypeError for anything that is not a finite, non-negative duration
   *
   * @example
   * ```ts
   * import { createMockWallet } from 'card-platform-sdk/testing/wallets';
   *
   * const wallet = await createMockWallet();
   * wallet.delayNext('30 seconds');
   * ```
   */
  delayNext(duration: Duration): void {
    this.#prompts.delayNext(duration);
  }
}

function requirePart<T>(part: Part<T>): T {
  if ('missing' in part) throw part.missing;
  return part.value;
}

const OPTION_NAMES: Readonly<Record<keyof MockWalletOptions, true>> = {
  platform: true,
  network: true,
  knownNetworks: true,
  isConnected: true,
  isFunded: true,
  seed: true,
};

const COINS = 10n ** 18n;
const LAMPORTS = 10n ** 9n;
const UNITS_OF_EACH_TOKEN = 1_000n;

/** Checks the options, and creates what both sides share. */
function prepareWallet(what: string, options: MockWalletOptions) {
  requireKnownOptions(what, options, Object.keys(OPTION_NAMES));
  const { platform = createMockPlatform(), isConnected = true, isFunded = true } = options;
  const chains = mockChains(platform);
  const seed = requireInteger('seed', options.seed ?? chains.nextWallet(), 1);
  const prompts = new Prompts(platform, chains.work);
  const evm = createEvmSide(options, { chains, seed, prompts, isConnected });
  if (isFunded && 'value' in evm) {
    const { address } = evm.value;
    for (const chain of chains.evmChains) {
      chain.setBalance(address, COINS);
      for (const [currency, units] of unitsOf(chain))
        chain.setTokenBalance(currency, address, units);
    }
  }
  return { platform, chains, seed, prompts, isConnected, isFunded, evm };
}

function createEvmSide(
  { network, knownNetworks }: MockWalletOptions,
  shared: { chains: MockChains; seed: number; prompts: Prompts; isConnected: boolean },
): Part<MockEvmProvider> {
  const { chains, seed, prompts, isConnected } = shared;
  const { work, evmChains } = chains;
  const start = network === undefined ? evmChains[0] : chains.evm(network);
  const known = knownNetworks?.map((name) => chains.evm(name)) ?? evmChains;
  if (start === undefined) return { missing: new Error('the platform has no EVM network') };
  const privateKey = `0x${seed.toString(16).padStart(64, 'c')}` as const;
  const { address } = privateKeyToAccount(privateKey);
  const ids = [...known, start].map(({ chainId }) => chainId);
  const account = { privateKey, address, chains: evmChains, known: ids };
  return { value: new MockEvmProvider({ ...account, prompts, work, isConnected }, start) };
}

async function createSolanaSide(
  prepared: ReturnType<typeof prepareWallet>,
): Promise<Part<MockStandardWallet>> {
  const { chains, seed, prompts, isConnected } = prepared;
  const bytes = new Uint8Array(32).fill(199);
  new DataView(bytes.buffer).setBigUint64(24, BigInt(seed));
  try {
    const key = await solanaKey(bytes);
    const shared = { chain: chains.solana, prompts, work: chains.work, isConnected };
    return { value: new MockStandardWallet({ key, ...shared }) };
  } catch (missing) {
    return { missing };
  }
}

/** The units of each token that a wallet starts with. */
function unitsOf(chain: MockEvmChain | MockSolanaChain): [currency: string, units: bigint][] {
  return chain.currencies.map((currency) => {
    const { decimals } = chain.tokenOf(currency);
    return [currency, UNITS_OF_EACH_TOKEN * 10n ** BigInt(decimals)];
  });
}

/**
 * Creates a wallet for tests, with an EVM side (EIP-1193) and a Solana side (wallet standard), on the
 * tiny chains of a mock platform. Its signatures are real. Prompts are accepted unless you say
 * otherwise.
 *
 * The Solana side needs a runtime whose WebCrypto has Ed25519. Elsewhere, reading it throws an error.
 *
 * @throws Error for a network that the platform does not have
 * @throws TypeError for an unknown option, and for a seed that is not a whole number from 1
 *
 * @example
 * ```ts
 * import { createMockPlatform } from 'card-platform-sdk/testing';
 * import { createMockWallet } from 'card-platform-sdk/testing/wallets';
 *
 * const mock = createMockPlatform();
 * const wallet = await createMockWallet({ platform: mock });
 * wallet.declineNext();
 * ```
 */
export async function createMockWallet(options: MockWalletOptions = {}): Promise<MockWallet> {
  const prepared = prepareWallet('createMockWallet', options);
  const { chains, isFunded } = prepared;
  const solana = await createSolanaSide(prepared);
  if (isFunded && 'value' in solana) {
    const { address } = solana.value;
    chains.solana.setBalance(address, LAMPORTS);
    for (const [currency, units] of unitsOf(chains.solana)) {
      await chains.solana.setTokenBalance(currency, address, units);
    }
  }
  return new MockWallet({ ...prepared, solana });
}

/** A wallet for tests without a Solana side. {@link createMockEvmWallet} creates it. */
export type MockEvmWallet = Omit<MockWallet, 'solana'>;

/**
 * Creates the EVM side of {@link createMockWallet} without a promise, for code that cannot wait, such
 * as the connector of a wagmi configuration.
 *
 * @throws Error for a network that the platform does not have
 * @throws TypeError for an unknown option, and for a seed that is not a whole number from 1
 *
 * @example
 * ```ts
 * import { createMockEvmWallet } from 'card-platform-sdk/testing/wallets';
 *
 * const wallet = createMockEvmWallet();
 * const accounts = await wallet.evm.request({ method: 'eth_accounts' });
 * ```
 */
export function createMockEvmWallet(options: MockWalletOptions = {}): MockEvmWallet {
  const missing = new Error(
    'createMockEvmWallet creates only the EVM side: for both, use await createMockWallet()',
  );
  return new MockWallet({
    ...prepareWallet('createMockEvmWallet', options),
    solana: { missing },
  });
}
