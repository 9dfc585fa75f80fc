import { readLittleEndian, type TokenAccountState } from './accounts.js';
import type { CompiledInstruction, ParsedTransaction } from './parse-transaction.js';
import { IGNORED_PROGRAMS, TOKEN_PROGRAM } from './programs.js';

/** Why an instruction failed, as the chain names it. */
export type InstructionError = { InstructionError: [number, { Custom: number } | string] };

/** The part of the chain that instructions read. */
export type Accounts = {
  tokenAccount(address: string): TokenAccountState | undefined;
  decimalsOf(mint: string): number | undefined;
};

/** The changes of a transaction: token accounts by their address. */
export type Changes = ReadonlyMap<string, TokenAccountState>;

const APPROVE = 4;
const REVOKE = 5;
const APPROVE_CHECKED = 13;

const MINT_MISMATCH = { Custom: 3 };
const OWNER_MISMATCH = { Custom: 4 };
const ACCOUNT_FROZEN = { Custom: 17 };
const DECIMALS_MISMATCH = { Custom: 18 };

/** Executes a transaction. Returns its changes, or its failure. */
export function execute(
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
  // The only instruction that a frozen account allows is a revocation.
  if (state.isFrozen && delegate !== null) return { error: ACCOUNT_FROZEN };
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
export function isFailure(result: Changes | InstructionError): result is InstructionError {
  return 'InstructionError' in result;
}

/** Describes a failure as a node does: a text, and the logs of the programs. */
export function describeFailure(
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
