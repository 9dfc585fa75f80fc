import { decodeBase58, encodeBase58 } from '../../../contract/formats/base58.js';
import { type ChainClock, MockChain } from '../mock-chain.js';
import { ASSOCIATED_TOKEN_PROGRAM, readLittleEndian, TOKEN_PROGRAM } from './accounts.js';
import {
  knownBlock,
  listSignatures,
  type MockSolanaAddress,
  type MockSolanaCommitment,
  type MockSolanaConnection,
  readAccount,
  readStatus,
  readTransaction,
} from './connection.js';
import {
  BLOCKHASH_LIFETIME,
  type MockSolanaTransaction,
  type SolanaChainSettings,
  SolanaLedger,
  type SolanaTransaction,
} from './ledger.js';
import { parseTransaction } from './parse-transaction.js';

const PRIME = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Returns the address of the associated token account of a wallet and a mint. The mock has its own
 * derivation, because it shares no code with the client that it tests.
 */
async function findTokenAccount(owner: string, mint: string): Promise<string> {
  const seeds = [...bytes(owner), ...bytes(TOKEN_PROGRAM), ...bytes(mint)];
  const suffix = new TextEncoder().encode('ProgramDerivedAddress');
  for (let bump = 255; ; bump--) {
    const input = [...seeds, bump, ...bytes(ASSOCIATED_TOKEN_PROGRAM), ...suffix];
    const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(input));
    const address = new Uint8Array(digest);
    if (!isOnCurve(address)) return encodeBase58(address);
  }
}

function bytes(address: string): Uint8Array {
  const decoded = decodeBase58(address);
  if (decoded?.length !== 32) throw new TypeError('the address must be base58 of 32 bytes');
  return decoded;
}

/** Whether 32 bytes are a point of ed25519: such an address could have a private key. */
function isOnCurve(point: Uint8Array): boolean {
  const square = (readLittleEndian(point) % 2n ** 255n) ** 2n;
  let base = ((square - 1n) * (D * square + 1n)) % PRIME;
  let result = 1n;
  for (let rest = (PRIME - 1n) / 2n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * base) % PRIME;
    base = (base * base) % PRIME;
  }
  return result <= 1n;
}

/**
 * A tiny Solana chain for tests: accounts, token accounts of the SPL-Token program and blocks,
 * without a VM. It has the methods of a `Connection` that `delegateSolana` uses. Its blocks follow
 * the platform's clock, and each transaction is executed at once, until
 * `setAutomaticMining(false)`. After 151 blocks a blockhash has expired.
 */
export class MockSolanaChain extends MockChain implements MockSolanaConnection {
  /** The platform's delegate, which may spend; `''` on a network of the US alone. */
  readonly delegate: string;
  /** The platform's delegate for users in the US; `''` on a network that they do not have. */
  readonly usDelegate: string;
  readonly #ledger: SolanaLedger;

  /** @internal */
  constructor(settings: SolanaChainSettings, clock: ChainClock) {
    const ledger = new SolanaLedger(settings, clock);
    super(ledger);
    this.#ledger = ledger;
    this.delegate = settings.delegate;
    this.usDelegate = settings.usDelegate;
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
   * @throws Error for a currency without a mint on the chain, TypeError for an owner that is not
   * base58 of 32 bytes
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
   * @throws Error for a currency without a mint on the chain, TypeError for an owner that is not
   * base58 of 32 bytes
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
   * @throws Error for a currency without a mint on the chain
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
    if (found === undefined) throw new Error(`the chain has no mint of "${currency}"`);
    return found;
  }

  /** @internal Returns the mint of a token account. */
  mintOf(account: string | undefined): string | undefined {
    return this.#ledger.tokenAccount(account ?? '', this.#ledger.blocks.newest)?.mint;
  }

  /** The currencies with a mint on the chain. */
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

  async getAccountInfo(address: MockSolanaAddress, commitment?: MockSolanaCommitment) {
    return readAccount(this.#ledger, address.toBase58(), commitment);
  }

  async getMultipleAccountsInfo(addresses: MockSolanaAddress[], commitment?: MockSolanaCommitment) {
    return Promise.all(addresses.map((address) => this.getAccountInfo(address, commitment)));
  }

  async getLatestBlockhash(commitment?: MockSolanaCommitment) {
    const height = knownBlock(this.#ledger, commitment);
    const blockhash = this.#ledger.blockhashOf(height);
    return { blockhash, lastValidBlockHeight: height + BLOCKHASH_LIFETIME };
  }

  async getBlockHeight(commitment?: MockSolanaCommitment) {
    return knownBlock(this.#ledger, commitment);
  }

  async getEpochInfo(commitment?: MockSolanaCommitment) {
    const height = knownBlock(this.#ledger, commitment);
    return { absoluteSlot: height, blockHeight: height };
  }

  async sendRawTransaction(transaction: Uint8Array) {
    return this.#ledger.send(transaction);
  }

  async simulateTransaction(transaction: { serialize(): Uint8Array }) {
    const { err, logs } = this.#ledger.simulate(parseTransaction(transaction.serialize()));
    return { value: { err, logs } };
  }

  async getSignatureStatuses(signatures: string[]) {
    const value = signatures.map((signature) => readStatus(this.#ledger, signature));
    return { context: { slot: knownBlock(this.#ledger) }, value };
  }

  async getTransaction(signature: string, config?: { commitment?: MockSolanaCommitment }) {
    return readTransaction(this.#ledger, signature, config?.commitment);
  }

  async getSignaturesForAddress(address: MockSolanaAddress, options: { limit?: number } = {}) {
    return listSignatures(this.#ledger, address.toBase58(), options.limit);
  }
}
