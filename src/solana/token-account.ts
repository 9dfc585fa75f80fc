import { encodeBase58 } from '../contract/formats/base58.js';
import { littleEndian } from './instruction.js';

/** The contents of a token account. */
export type TokenAccount = {
  /** The mint of its tokens. */
  mint: string;
  /** The account that may spend from it and approve. */
  owner: string;
  /** Its balance in base units. */
  balance: bigint;
  /** The delegate that may also spend from it; `null` if there is none. */
  delegate: string | null;
  /** How much of it the delegate may still spend, in base units. */
  delegatedAmount: bigint;
  /** Whether the mint's issuer has frozen it: then nothing can be approved or spent. */
  isFrozen: boolean;
};

const ACCOUNT_SIZE = 165;
const ACCOUNT_TYPE_TOKEN = 2;
/** The one length that neither token account nor mint has: a byte of a multisig may look like a type. */
const MULTISIG_SIZE = 355;
const FROZEN = 2;

/**
 * Reads the bytes of a token account, of either token program.
 * Returns `undefined` for anything else, including a mint or an uninitialized account.
 */
export function decodeTokenAccount(data: Uint8Array): TokenAccount | undefined {
  const state = data[108];
  if (!isOfType(data, ACCOUNT_SIZE, ACCOUNT_TYPE_TOKEN) || !state) return undefined;
  const address = (at: number) => encodeBase58(data.subarray(at, at + 32));
  const amount = (at: number) => littleEndian(data.subarray(at, at + 8));
  const hasDelegate = data[72] === 1;
  return {
    mint: address(0),
    owner: address(32),
    balance: amount(64),
    delegate: hasDelegate ? address(76) : null,
    delegatedAmount: hasDelegate ? amount(121) : 0n,
    isFrozen: state === FROZEN,
  };
}

const MINT_SIZE = 82;
const ACCOUNT_TYPE_MINT = 1;

/** The decimals of a mint from its bytes; `undefined` for anything that is not a mint. */
export function decodeMintDecimals(data: Uint8Array): number | undefined {
  return isOfType(data, MINT_SIZE, ACCOUNT_TYPE_MINT) && data[45] === 1 ? data[44] : undefined;
}

/** Token-2022 writes the type of an account behind the bytes of a plain token account. */
function isOfType(data: Uint8Array, plainSize: number, type: number): boolean {
  const { length } = data;
  return length === plainSize || (length !== MULTISIG_SIZE && data[ACCOUNT_SIZE] === type);
}
