import { privateKeyToAccount } from 'viem/accounts';
import type { Duration } from '../clock.js';
import { requireInteger } from '../numbers.js';
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

async function partOf<T>(create: () => Promise<T>): Promise<Part<T>> {
  try {
    return { value: await create() };
  } catch (missing) {
    return { missing };
  }
}

const COINS = 10n ** 18n;
const LAMPORTS = 10n ** 9n;
const UNITS_OF_EACH_TOKEN = 1_000n;

/**
 * Creates a wallet for tests, with an EVM side (EIP-1193) and a Solana side (wallet standard), on the
 * tiny chains of a mock platform. Its signatures are real. Prompts are accepted unless you say
 * otherwise.
 *
 * The Solana side needs a runtime whose WebCrypto has Ed25519. Elsewhere, reading it throws an error.
 *
 * @throws Error for a network that the platform does not have
 * @throws TypeError for a seed that is not a whole number from 1
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
  const { platform = createMockPlatform(), isConnected = true, isFunded = true } = options;
  const chains = mockChains(platform);
  const seed = requireInteger('seed', options.seed ?? chains.nextWallet(), 1);
  const prompts = new Prompts(platform, chains.work);
  const shared = { prompts, work: chains.work, isConnected };
  const { network } = options;
  const start = network === undefined ? chains.evmChains[0] : chains.evm(network);
  const known = options.knownNetworks?.map((name) => chains.evm(name)) ?? chains.evmChains;
  const evm = await partOf(async () => {
    if (start === undefined) throw new Error('the platform has no EVM network');
    const privateKey = `0x${seed.toString(16).padStart(64, 'c')}` as const;
    const { address } = privateKeyToAccount(privateKey);
    const ids = [...known, start].map(({ chainId }) => chainId);
    const settings = { privateKey, address, chains: chains.evmChains, known: ids, ...shared };
    return new MockEvmProvider(settings, start);
  });
  const solana = await partOf(async () => {
    const bytes = new Uint8Array(32).fill(199);
    new DataView(bytes.buffer).setBigUint64(24, BigInt(seed));
    const key = await solanaKey(bytes);
    return new MockStandardWallet({ key, chain: chains.solana, ...shared });
  });
  if (isFunded && 'value' in evm) {
    for (const chain of chains.evmChains) await fund(chain, evm.value.address, COINS);
  }
  if (isFunded && 'value' in solana) await fund(chains.solana, solana.value.address, LAMPORTS);
  return new MockWallet({ platform, chains, prompts, evm, solana });
}

async function fund(
  chain: MockEvmChain | MockSolanaChain,
  address: string,
  coins: bigint,
): Promise<void> {
  chain.setBalance(address, coins);
  for (const currency of chain.currencies) {
    const { decimals } = chain.tokenOf(currency);
    await chain.setTokenBalance(currency, address, UNITS_OF_EACH_TOKEN * 10n ** BigInt(decimals));
  }
}
