import { decodeBase58, encodeBase58 } from '../../../contract/formats/base58.js';
import { Blocks, type ChainClock } from '../blocks.js';
import type { TokenAccountState } from './accounts.js';
import { isSignedBy } from './ed25519.js';
import {
  type Accounts,
  describeFailure,
  execute,
  type InstructionError,
  isFailure,
} from './execute.js';
import { type ParsedTransaction, parseTransaction } from './parse-transaction.js';

/** How long a blockhash lives, in blocks. */
export const BLOCKHASH_LIFETIME = 150;
/** How many blocks later a block is final. */
export const FINAL_AFTER = 32;
/** The fee for one signature, in lamports. */
const SIGNATURE_FEE = 5_000n;
const BLOCK_TIME_MS = 400;

/** The settings of the Solana chain. */
export type SolanaChainSettings = {
  /** The platform's delegate, which may spend. */
  readonly delegate: string;
  /** The mint of each currency. */
  readonly mints: Readonly<Record<string, { readonly mint: string; readonly decimals: number }>>;
};

/** A transaction of the tiny Solana chain. */
export type SolanaTransaction = {
  readonly signature: string;
  readonly parsed: ParsedTransaction;
  /** The slot of its block; `undefined` until it is executed. */
  slot?: number;
  err?: InstructionError | null;
};

/** A transaction as a test sees it. */
export type MockSolanaTransaction = {
  /** Its signature, base58. */
  readonly signature: string;
  /** The slot of its block; `undefined` until it is executed. */
  readonly slot: number | undefined;
  /** Why it failed; `null` if it succeeded. */
  readonly err: unknown;
};

/** The state of the tiny Solana chain. */
export class SolanaLedger {
  readonly settings: SolanaChainSettings;
  readonly blocks: Blocks;
  readonly executed: SolanaTransaction[] = [];
  pending: SolanaTransaction[] = [];
  revertsNext = false;
  readonly #dropped = new Set<string>();
  readonly #lamports = new Map<string, bigint>();
  readonly #tokens: { slot: number; address: string; state: TokenAccountState }[] = [];

  constructor(settings: SolanaChainSettings, clock: ChainClock) {
    this.settings = settings;
    this.blocks = new Blocks(clock, BLOCK_TIME_MS);
  }

  setLamports(address: string, lamports: bigint): void {
    this.#lamports.set(address, lamports);
  }

  lamportsOf(address: string): bigint {
    return this.#lamports.get(address) ?? 0n;
  }

  /** A token account as of a slot. */
  tokenAccount(address: string, slot: number): TokenAccountState | undefined {
    return this.#tokens.findLast((one) => one.address === address && one.slot <= slot)?.state;
  }

  /** Sets a token account from a slot on; by default as if it had always been so. */
  setTokenAccount(address: string, state: TokenAccountState, slot = 0): void {
    this.#tokens.push({ slot, address, state });
  }

  decimalsOf(mint: string): number | undefined {
    return Object.values(this.settings.mints).find((one) => one.mint === mint)?.decimals;
  }

  /** A blockhash that contains the number of its block. */
  blockhashOf(height: number): string {
    const bytes = new Uint8Array(32).fill(7);
    new DataView(bytes.buffer).setUint32(28, height);
    return encodeBase58(bytes);
  }

  /** Takes a signed transaction, after the checks of a node. Returns its signature. */
  async send(wire: Uint8Array): Promise<string> {
    const parsed = parseTransaction(wire);
    const signature = encodeBase58(parsed.signatures[0] ?? new Uint8Array());
    await requireSignatures(parsed);
    if (this.executed.some((one) => one.signature === signature)) {
      throw refused('This transaction has already been processed');
    }
    if (!this.#isAlive(parsed.blockhash)) throw refused('Blockhash not found');
    const { err, logs, text } = this.simulate(parsed);
    if (err !== null) throw refused(text, logs);
    const isKnown = this.pending.some((one) => one.signature === signature);
    if (isKnown || this.#dropped.has(signature)) return signature;
    this.pending.push({ signature, parsed });
    if (this.blocks.isAutomatic) this.mine(1);
    return signature;
  }

  /** Executes a transaction without keeping its changes. */
  simulate(parsed: ParsedTransaction): { err: unknown; logs: string[]; text: string } {
    const payer = this.lamportsOf(parsed.accounts[0] ?? '');
    if (payer === 0n) {
      const text = 'Attempt to debit an account but found no record of a prior credit.';
      return { err: 'AccountNotFound', logs: [], text };
    }
    if (payer < feeOf(parsed)) {
      return { err: 'InsufficientFundsForFee', logs: [], text: 'Insufficient funds for fee' };
    }
    const result = execute(parsed, this.#at(this.blocks.newest));
    if (!isFailure(result)) return { err: null, logs: [], text: '' };
    return { err: result, ...describeFailure(result, parsed) };
  }

  /** Makes blocks. The first one has the waiting transactions. */
  mine(count: number): void {
    const slot = this.blocks.make(count);
    const waiting = this.pending;
    this.pending = [];
    for (const transaction of waiting) {
      // An expired transaction can never execute: the network forgets it.
      if (this.#isAlive(transaction.parsed.blockhash, slot)) this.#execute(transaction, slot);
    }
  }

  /** Forgets the waiting transactions for good, even if they are sent again. */
  drop(): void {
    for (const { signature } of this.pending) this.#dropped.add(signature);
    this.pending = [];
  }

  #execute(transaction: SolanaTransaction, slot: number): void {
    const { parsed } = transaction;
    const payer = parsed.accounts[0] ?? '';
    this.setLamports(payer, this.lamportsOf(payer) - feeOf(parsed));
    const result = this.revertsNext ? FAILED : execute(parsed, this.#at(slot));
    this.revertsNext = false;
    Object.assign(transaction, { slot, err: isFailure(result) ? result : null });
    this.executed.push(transaction);
    if (isFailure(result)) return;
    for (const [address, state] of result) this.setTokenAccount(address, state, slot);
  }

  #at(slot: number): Accounts {
    return {
      tokenAccount: (address) => this.tokenAccount(address, slot),
      decimalsOf: (mint) => this.decimalsOf(mint),
    };
  }

  #isAlive(blockhash: string, height = this.blocks.newest): boolean {
    const bytes = decodeBase58(blockhash) ?? new Uint8Array(32);
    const made = new DataView(bytes.buffer).getUint32(28);
    return (
      this.blockhashOf(made) === blockhash && made <= height && height <= made + BLOCKHASH_LIFETIME
    );
  }
}

const FAILED: InstructionError = { InstructionError: [0, { Custom: 17 }] };

/** Returns the network fee of a transaction, in lamports. */
export function feeOf({ signers }: ParsedTransaction): bigint {
  return BigInt(signers) * SIGNATURE_FEE;
}

async function requireSignatures(parsed: ParsedTransaction): Promise<void> {
  for (const [index, address] of parsed.accounts.slice(0, parsed.signers).entries()) {
    const key = decodeBase58(address) ?? new Uint8Array();
    const signature = parsed.signatures[index] ?? new Uint8Array();
    if (await isSignedBy(key, parsed.message, signature)) continue;
    throw new Error('Transaction signature verification failure');
  }
}

/** The error of a node that simulated a transaction and refused it, as @solana/web3.js throws it. */
function refused(reason: string, logs: string[] = []): Error {
  const error = new Error(`Transaction simulation failed: ${reason}`);
  return Object.assign(error, { code: -32002, logs, transactionLogs: logs });
}
