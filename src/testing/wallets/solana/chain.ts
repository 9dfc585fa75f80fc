import type { ChainClock } from '../blocks.js';
import { encodeMint, encodeTokenAccount } from './accounts.js';
import { findTokenAccount } from './associated-token-account.js';
import {
  BLOCKHASH_LIFETIME,
  FINAL_AFTER,
  type MockSolanaTransaction,
  type SolanaChainSettings,
  SolanaLedger,
  type SolanaTransaction,
} from './ledger.js';
import { parseTransaction } from './parse-transaction.js';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs.js';

/** An address in the form of @solana/web3.js. */
export type MockSolanaAddress = {
  /** Returns the address in base58. */
  toBase58(): string;
};

/** How certain the cluster is. A block is final 32 blocks later. */
export type MockSolanaCommitment = 'processed' | 'confirmed' | 'finalized';

/** An account of the tiny Solana chain. */
export type MockSolanaAccount = {
  /** Its bytes. */
  data: Uint8Array;
  /** The program that it belongs to. */
  owner: MockSolanaAddress;
  /** Always `false`: the chain has no programs. */
  executable: boolean;
  /** How many lamports it holds. */
  lamports: number;
};

/** An executed transaction, as a connection returns it. */
export type MockExecutedTransaction = {
  /** The slot of its block. */
  slot: number;
  /** When the block was made, in seconds since 1970. */
  blockTime: number;
  /** What was signed, and the signatures. */
  transaction: {
    message: {
      staticAccountKeys: MockSolanaAddress[];
      compiledInstructions: readonly {
        programIdIndex: number;
        accountKeyIndexes: readonly number[];
        data: Uint8Array;
      }[];
      recentBlockhash: string;
    };
    signatures: string[];
  };
  /** Its effects. */
  meta: {
    err: unknown;
    fee: number;
    loadedAddresses: { writable: MockSolanaAddress[]; readonly: MockSolanaAddress[] };
  };
};

const addressOf = (text: string): MockSolanaAddress => ({ toBase58: () => text });
const RENT = 2_039_280;

/**
 * A tiny Solana chain for tests: accounts, token accounts of the SPL-Token program and blocks, without
 * a VM. It has the methods of a `Connection` that `delegateSolana` uses. Its blocks come with the
 * platform's clock, and each transaction is executed at once, until {@link setAutomaticMining}.
 */
export class MockSolanaChain {
  /** The platform's delegate, which may spend. */
  readonly delegate: string;
  readonly #ledger: SolanaLedger;

  /** @internal */
  constructor(settings: SolanaChainSettings, clock: ChainClock) {
    this.#ledger = new SolanaLedger(settings, clock);
    this.delegate = settings.delegate;
  }

  /**
   * Whether transactions are executed at once (the default), or only by {@link mine}.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.solana.setAutomaticMining(false);
   * ```
   */
  setAutomaticMining(isAutomatic: boolean): void {
    this.#ledger.blocks.isAutomatic = isAutomatic;
    if (isAutomatic && this.#ledger.pending.length > 0) this.#ledger.mine(1);
  }

  /**
   * Makes blocks, the first with the waiting transactions. After 151 blocks every earlier blockhash
   * has expired.
   *
   * @throws TypeError for a number of blocks below 1
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.solana.mine(151);
   * ```
   */
  mine(blocks = 1): void {
    this.#ledger.mine(blocks);
  }

  /**
   * Lets the network forget the waiting transactions, also when they are sent again.
   *
   * @throws Error when none is waiting
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.solana.setAutomaticMining(false);
   * try {
   *   chains.solana.dropPending();
   * } catch (error) {
   *   console.log(error);
   * }
   * ```
   */
  dropPending(): void {
    if (this.#ledger.pending.length === 0) throw new Error('no transaction is waiting');
    this.#ledger.drop();
  }

  /**
   * Lets the next executed transaction fail on the chain, after its simulation passed.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.solana.revertNext();
   * ```
   */
  revertNext(): void {
    this.#ledger.revertsNext = true;
  }

  /**
   * Lets the node respond as of some blocks ago, as one of several behind a URL does. `0` ends it.
   *
   * @throws TypeError for anything but a whole number from 0
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.solana.lagBehind(2);
   * ```
   */
  lagBehind(blocks: number): void {
    this.#ledger.blocks.lagBehind(blocks);
  }

  /**
   * Sets how many lamports an account has for network fees.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.solana.setBalance('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 0n);
   * ```
   */
  setBalance(address: string, lamports: bigint): void {
    this.#ledger.setLamports(address, lamports);
  }

  /**
   * Sets an account's tokens, in base units, in its associated token account, and whether the mint's
   * issuer has frozen it. Returns the token account's address.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * await chains.solana.setTokenBalance('usdc', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 250_000_000n);
   * ```
   */
  async setTokenBalance(
    currency: string,
    owner: string,
    units: bigint,
    { isFrozen = false }: { isFrozen?: boolean | undefined } = {},
  ): Promise<string> {
    const { mint } = this.tokenOf(currency);
    const address = await findTokenAccount(owner, mint);
    const old = this.#ledger.tokenAccount(address, this.#ledger.blocks.newest);
    const state = old ?? { mint, owner, delegate: null, delegatedAmount: 0n };
    this.#ledger.setTokenAccount(address, { ...state, balance: units, isFrozen });
    return address;
  }

  /**
   * Returns who may spend an account's tokens now, and how much, in base units.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(await chains.solana.delegation('usdc', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'));
   * ```
   */
  async delegation(
    currency: string,
    owner: string,
  ): Promise<{ delegate: string | null; delegatedAmount: bigint }> {
    const address = await findTokenAccount(owner, this.tokenOf(currency).mint);
    const state = this.#ledger.tokenAccount(address, this.#ledger.blocks.newest);
    return { delegate: state?.delegate ?? null, delegatedAmount: state?.delegatedAmount ?? 0n };
  }

  /**
   * Returns the mint and the decimals of a currency.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(chains.solana.tokenOf('usdc').mint);
   * ```
   */
  tokenOf(currency: string): { mint: string; decimals: number } {
    const found = this.#ledger.settings.mints[currency.toLowerCase()];
    if (found === undefined) throw new Error(`the chain has no token "${currency}"`);
    return found;
  }

  /** The currencies that the chain has mints of. */
  get currencies(): string[] {
    return Object.keys(this.#ledger.settings.mints);
  }

  /** The transactions of the chain, oldest first. `slot` is `undefined` for one that is waiting. */
  get transactions(): readonly MockSolanaTransaction[] {
    const all = [...this.#ledger.executed, ...this.#ledger.pending];
    return all.map(({ signature, slot, err = null }) => ({ signature, slot, err }));
  }

  /** @internal Returns an executed transaction. */
  executed(signature: string): SolanaTransaction | undefined {
    return this.#ledger.executed.find((one) => one.signature === signature);
  }

  /**
   * Returns an account, or `null`.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(await chains.solana.getAccountInfo({ toBase58: () => '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' }));
   * ```
   */
  async getAccountInfo(
    address: MockSolanaAddress,
    commitment?: MockSolanaCommitment,
  ): Promise<MockSolanaAccount | null> {
    const name = address.toBase58();
    const decimals = this.#ledger.decimalsOf(name);
    if (decimals !== undefined) return accountOf(encodeMint(decimals), TOKEN_PROGRAM, RENT);
    const state = this.#ledger.tokenAccount(name, this.#known(commitment));
    if (state !== undefined) return accountOf(encodeTokenAccount(state), TOKEN_PROGRAM, RENT);
    const lamports = this.#ledger.lamportsOf(name);
    return lamports === 0n ? null : accountOf(new Uint8Array(), SYSTEM_PROGRAM, Number(lamports));
  }

  /**
   * Returns several accounts.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(await chains.solana.getMultipleAccountsInfo([]));
   * ```
   */
  async getMultipleAccountsInfo(addresses: MockSolanaAddress[], commitment?: MockSolanaCommitment) {
    return Promise.all(addresses.map((address) => this.getAccountInfo(address, commitment)));
  }

  /**
   * Returns a recent blockhash, and the last block that takes a transaction with it.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log((await chains.solana.getLatestBlockhash()).blockhash);
   * ```
   */
  async getLatestBlockhash(commitment?: MockSolanaCommitment) {
    const height = this.#known(commitment);
    return {
      blockhash: this.#ledger.blockhashOf(height),
      lastValidBlockHeight: height + BLOCKHASH_LIFETIME,
    };
  }

  /**
   * Returns the number of the newest block.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(await chains.solana.getBlockHeight());
   * ```
   */
  async getBlockHeight(commitment?: MockSolanaCommitment): Promise<number> {
    return this.#known(commitment);
  }

  /**
   * Returns the number and the slot of the newest block.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(await chains.solana.getEpochInfo());
   * ```
   */
  async getEpochInfo(commitment?: MockSolanaCommitment) {
    const height = this.#known(commitment);
    return { absoluteSlot: height, blockHeight: height };
  }

  /**
   * Takes a signed transaction in the wire format. Returns its signature.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * await chains.solana.sendRawTransaction(new Uint8Array()).catch(console.log);
   * ```
   */
  async sendRawTransaction(transaction: Uint8Array): Promise<string> {
    return this.#ledger.send(transaction);
  }

  /**
   * Executes a transaction without sending it.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(await chains.solana.simulateTransaction({ serialize: () => new Uint8Array() }));
   * ```
   */
  async simulateTransaction(transaction: { serialize(): Uint8Array }) {
    const { err, logs } = this.#ledger.simulate(parseTransaction(transaction.serialize()));
    return { value: { err, logs } };
  }

  /**
   * Returns what is known of each transaction.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(await chains.solana.getSignatureStatuses([]));
   * ```
   */
  async getSignatureStatuses(signatures: string[]) {
    const finalized = this.#known('finalized');
    const value = signatures.map((signature) => {
      const found = this.#find(signature);
      if (found === undefined) return null;
      const { slot = 0 } = found;
      const err: unknown = found.err ?? null;
      const isFinal = slot <= finalized;
      const confirmationStatus: MockSolanaCommitment = isFinal ? 'finalized' : 'confirmed';
      return { slot, err, confirmations: isFinal ? null : 1, confirmationStatus };
    });
    return { context: { slot: this.#known() }, value };
  }

  /**
   * Returns what a transaction did, or `null`.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(typeof chains.solana.getTransaction);
   * ```
   */
  async getTransaction(
    signature: string,
    config?: { commitment?: MockSolanaCommitment },
  ): Promise<MockExecutedTransaction | null> {
    const found = this.#find(signature);
    const { slot = 0, err = null } = found ?? {};
    if (found === undefined || slot > this.#known(config?.commitment)) return null;
    const { accounts, instructions, blockhash } = found.parsed;
    const message = {
      staticAccountKeys: accounts.map(addressOf),
      compiledInstructions: instructions,
      recentBlockhash: blockhash,
    };
    const loadedAddresses: { writable: MockSolanaAddress[]; readonly: MockSolanaAddress[] } = {
      writable: [],
      readonly: [],
    };
    return {
      slot,
      blockTime: this.#ledger.blocks.timeOf(slot),
      transaction: { message, signatures: [signature] },
      meta: { err, fee: 5_000, loadedAddresses },
    };
  }

  /**
   * Returns the transactions that name an account, newest first.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(typeof chains.solana.getSignaturesForAddress);
   * ```
   */
  async getSignaturesForAddress(
    address: MockSolanaAddress,
    options: { limit?: number } = {},
  ): Promise<{ signature: string; slot: number; err: unknown }[]> {
    const name = address.toBase58();
    const known = this.#known();
    return this.#ledger.executed
      .filter(({ parsed, slot = 0 }) => slot <= known && parsed.accounts.includes(name))
      .map(({ signature, slot = 0, err = null }) => ({ signature, slot, err }))
      .reverse()
      .slice(0, options.limit);
  }

  #known(commitment?: MockSolanaCommitment): number {
    const { known } = this.#ledger.blocks;
    return commitment === 'finalized' ? known - FINAL_AFTER : known;
  }

  #find(signature: string): SolanaTransaction | undefined {
    const known = this.#known();
    return this.#ledger.executed.find(
      (one) => one.signature === signature && (one.slot ?? 0) <= known,
    );
  }
}

function accountOf(data: Uint8Array, owner: string, lamports: number): MockSolanaAccount {
  return { data, owner: addressOf(owner), executable: false, lamports };
}
