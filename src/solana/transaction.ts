import { encodeBase58 } from '../contract/formats/base58.js';
import { addressBytes, SYSTEM_PROGRAM } from './addresses.js';
import {
  AccountRole,
  account,
  type InstructionAccount,
  littleEndian,
  type SolanaInstruction,
} from './instruction.js';

/** The bytes of an ed25519 signature. */
export const SIGNATURE_SIZE = 64;

/** The first signature of a transaction in the wire format: the fee payer's. */
export function firstSignature(transaction: Uint8Array): Uint8Array {
  return transaction.subarray(1, 1 + SIGNATURE_SIZE);
}

/** The part of a transaction in the wire format that is signed. */
export function signedMessage(transaction: Uint8Array): Uint8Array {
  return transaction.subarray(1 + SIGNATURE_SIZE * (transaction[0] ?? 0));
}

/** The bytes of an address, and of a blockhash. */
const KEY_SIZE = 32;
/** How the data of `AdvanceNonceAccount` begins: its number in four bytes. */
const ADVANCE_NONCE = 4n;

/** A nonce that a transaction has in place of a recent blockhash. */
export type DurableNonce = {
  /** The account that keeps it; `undefined` if only a lookup table names it. */
  readonly account: string | undefined;
  readonly nonce: Uint8Array;
};

/**
 * Returns the durable nonce of a transaction in the wire format; `undefined` if it has a recent blockhash.
 * The network takes the first instruction for the mark of such a transaction.
 */
export function durableNonceOf(transaction: Uint8Array): DurableNonce | undefined {
  const message = signedMessage(transaction);
  // A versioned message has its version before the header of three bytes.
  let at = (message[0] ?? 0) < 128 ? 3 : 4;
  const take = (size: number) => {
    at += size;
    return message.subarray(at - size, at);
  };
  const takeLength = () => {
    const [low = 0] = take(1);
    return low < 128 ? low : (low & 127) | ((take(1)[0] ?? 0) << 7);
  };
  const keys = Array.from({ length: takeLength() }, () => encodeBase58(take(KEY_SIZE)));
  const nonce = take(KEY_SIZE);
  takeLength();
  const [program = keys.length] = take(1);
  const [account = keys.length] = take(takeLength());
  const data = take(takeLength());
  const isAdvance = data.length >= 4 && littleEndian(data.subarray(0, 4)) === ADVANCE_NONCE;
  if (!isAdvance || keys[program] !== SYSTEM_PROGRAM) return undefined;
  return { account: keys[account], nonce };
}

/** The parts of a transaction. */
type SolanaTransactionInput = {
  /** Who signs and pays the fee. */
  feePayer: string;
  /** A recent blockhash: the transaction lives as long as the chain remembers it. */
  blockhash: string;
  /** Its instructions, in this order. */
  instructions: readonly SolanaInstruction[];
};

/**
 * Encodes an unsigned legacy transaction in the wire format, with zeros in place of each signature,
 * byte for byte as @solana/web3.js does.
 *
 * @throws RequestValidationError when an address or the blockhash is not base58 of 32 bytes.
 */
export function encodeTransaction(input: SolanaTransactionInput): Uint8Array {
  const message = encodeTransactionMessage(input);
  const signers = message[0] ?? 0;
  const places = new Uint8Array(signers * SIGNATURE_SIZE);
  return Uint8Array.from([...compactLength(signers), ...places, ...message]);
}

/** The part of a transaction that is signed. */
function encodeTransactionMessage(input: SolanaTransactionInput): Uint8Array {
  const accounts = accountsOf(input);
  const count = (...roles: AccountRole[]) =>
    accounts.filter(({ role }) => roles.includes(role)).length;
  const position = (address: string) => accounts.findIndex((entry) => entry.address === address);
  return Uint8Array.from([
    count(AccountRole.writableSigner, AccountRole.readonlySigner),
    count(AccountRole.readonlySigner),
    count(AccountRole.readonly),
    ...compactLength(accounts.length),
    ...accounts.flatMap(({ address }) => [...addressBytes(address, 'instructions')]),
    ...addressBytes(input.blockhash, 'blockhash'),
    ...compactLength(input.instructions.length),
    ...input.instructions.flatMap((instruction) => [
      position(instruction.programAddress),
      ...compactLength(instruction.accounts.length),
      ...instruction.accounts.map(({ address }) => position(address)),
      ...compactLength(instruction.data.length),
      ...instruction.data,
    ]),
  ]);
}

/** Lists each account once, with all its roles, in the order that the format requires. */
function accountsOf(input: SolanaTransactionInput): InstructionAccount[] {
  const roles = new Map<string, AccountRole>();
  const named = input.instructions.flatMap(({ accounts, programAddress }) => [
    ...accounts,
    account(programAddress, AccountRole.readonly),
  ]);
  for (const { address, role } of [account(input.feePayer, AccountRole.writableSigner), ...named]) {
    roles.set(address, ((roles.get(address) ?? 0) | role) as AccountRole);
  }
  const rank = ({ address, role }: InstructionAccount) => (address === input.feePayer ? 4 : role);
  return [...roles]
    .map(([address, role]) => account(address, role))
    .sort((a, b) => rank(b) - rank(a) || compareAddresses(a.address, b.address));
}

/** The order of @solana/web3.js: by letter first, and by case only between equal letters. */
function compareAddresses(a: string, b: string): number {
  return a.localeCompare(b, 'en', { caseFirst: 'lower' });
}

/** A length in the chain's compact form: seven bits in each byte. */
function compactLength(length: number): number[] {
  return length < 128 ? [length] : [(length & 127) | 128, length >> 7];
}
