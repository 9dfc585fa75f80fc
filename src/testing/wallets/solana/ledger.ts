import { decodeBase58, encodeBase58 } from '../../../contract/formats/base58.js';
import { Blocks, type ChainClock } from '../mock-chain.js';
import {
  IGNORED_PROGRAMS,
  readLittleEndian,
  TOKEN_PROGRAM,
  type TokenAccountState,
} from './accounts.js';
import { isSignedBy } from './ed25519.js';
import {
  type CompiledInstruction,
  type ParsedTransaction,
  parseTransaction,
} from './parse-transaction.js';

/** Why an instruction failed, in the form that the chain uses. */
type InstructionError = { InstructionError: [number, { Custom: number } | string] };

/** The part of the chain that instructions read. */
type Accounts = {
  tokenAccount(address: string): TokenAccountState | undefined;
  decimalsOf(mint: string): number | undefined;
};

/** The changes of a transaction: token accounts by their address. */
type Changes = ReadonlyMap<string, TokenAccountState>;

const APPROVE = 4;
const REVOKE = 5;
const APPROVE_CHECKED = 13;

const MINT_MISMATCH = { Custom: 3 };
const OWNER_MISMATCH = { Custom: 4 };
const ACCOUNT_FROZEN = { Custom: 17 };
const DECIMALS_MISMATCH = { Custom: 18 };

/** Executes a transaction. Returns its changes, or its failure. */
function execute(
  { instructions, accounts, signers }: ParsedTransaction,
  chain: Accounts,
): Changes | InstructionError {
  const changes = new Map<string, TokenAccountState>();
  const now: Accounts = {
    tokenAccount: (address) => changes.get(address) ?? chain.tokenAccount(address),
    decimalsOf: (mint) => chain.decimalsOf(mint),
  };
  for (const [index, instruction] of instructions.entries()) {
    const program = accounts[instruction.programIdIndex] ?? '';
    if (IGNORED_PROGRAMS.includes(program)) continue;
    if (program !== TOKEN_PROGRAM) return { InstructionError: [index, 'UnsupportedProgramId'] };
    const names = instruction.accountKeyIndexes.map((place) => accounts[place] ?? '');
    const isSigner = (name: string) => accounts.indexOf(name) < signers;
    const result = runTokenInstruction(instruction, names, isSigner, now);
    if (!('state' in result)) return { InstructionError: [index, result.error] };
    changes.set(result.address, result.state);
  }
  return changes;
}

type Result =
  | { error: { Custom: number } | string }
  | { address: string; state: TokenAccountState };

/** Returns the accounts of an instruction by their roles. */
function partsOf({ data }: CompiledInstruction, names: readonly string[]) {
  const [address = ''] = names;
  switch (data[0]) {
    case APPROVE:
      return { address, delegate: names[1] ?? '', owner: names[2] ?? '' };
    case APPROVE_CHECKED:
      return { address, mint: names[1], delegate: names[2] ?? '', owner: names[3] ?? '' };
    case REVOKE:
      return { address, delegate: null, owner: names[1] ?? '' };
    default:
      return undefined;
  }
}

function runTokenInstruction(
  instruction: CompiledInstruction,
  names: readonly string[],
  isSigner: (name: string) => boolean,
  chain: Accounts,
): Result {
  const parts = partsOf(instruction, names);
  if (parts === undefined) return { error: 'InvalidInstructionData' };
  const { address, delegate, owner, mint } = parts;
  const state = chain.tokenAccount(address);
  if (state === undefined) return { error: 'InvalidAccountData' };
  // A frozen account allows no revocation either.
  if (state.isFrozen) return { error: ACCOUNT_FROZEN };
  if (mint !== undefined) {
    if (mint !== state.mint) return { error: MINT_MISMATCH };
    if (chain.decimalsOf(mint) !== instruction.data[9]) return { error: DECIMALS_MISMATCH };
  }
  if (owner !== state.owner) return { error: OWNER_MISMATCH };
  if (!isSigner(owner)) return { error: 'MissingRequiredSignature' };
  const delegatedAmount =
    delegate === null ? 0n : readLittleEndian(instruction.data.subarray(1, 9));
  return { address, state: { ...state, delegate, delegatedAmount } };
}

/** Whether a result is a failure. */
function isFailure(result: Changes | InstructionError): result is InstructionError {
  return 'InstructionError' in result;
}

/** Describes a failure as a node does: a text, and the logs of the programs. */
function describeFailure(
  { InstructionError: [index, reason] }: InstructionError,
  { accounts, instructions }: ParsedTransaction,
): { text: string; logs: string[] } {
  const program = accounts[instructions[index]?.programIdIndex ?? 0] ?? '';
  const detail =
    typeof reason === 'string' ? reason : `custom program error: 0x${reason.Custom.toString(16)}`;
  return {
    text: `Error processing Instruction ${index}: ${detail}`,
    logs: [`Program ${program} invoke [1]`, `Program ${program} failed: ${detail}`],
  };
}

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
  /** The same for users in the US. */
  readonly usDelegate: string;
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
  /** Why it failed; `null` if it succeeded or is still waiting. */
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

  /** Accepts a signed transaction, after the checks of a node. Returns its signature. */
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
