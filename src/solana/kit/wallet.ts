import { encodeBase58 } from '../../contract/formats/base58.js';
import { invalid } from '../../delegation/check-values.js';
import { SIGNATURE_SIZE, signedMessage } from '../transaction.js';
import { requireResult, requireSameText } from '../wallets/signed-text.js';
import type { SolanaWallet } from '../wallets/wallet.js';

// The parts of the types of @solana/kit that are used, without an import of it. The real types are
// assignable to these, because TypeScript compares the parameters of methods bivariantly.

/** Signatures by the address of their signer. */
export type KitSignatures = { readonly [address: string]: ArrayLike<number> | null };

/** A transaction of @solana/kit: the bytes to sign, and the signatures. */
export type KitTransaction = {
  readonly messageBytes: ArrayLike<number>;
  readonly signatures: KitSignatures;
};

/** A message of @solana/kit to be signed. */
export type KitSignableMessage = {
  readonly content: Uint8Array;
  readonly signatures: KitSignatures;
};

/** A signer of @solana/kit with one or more of its three ways to sign a transaction. */
export type KitTransactionSigner = {
  /** The account that signs. */
  readonly address: string;
  /** Present on a `TransactionModifyingSigner`, such as a wallet that sets a priority fee. */
  modifyAndSignTransactions?(
    transactions: readonly KitTransaction[],
  ): Promise<readonly KitTransaction[]>;
  /** Present on a `TransactionPartialSigner`, such as a `KeyPairSigner`. */
  signTransactions?(transactions: readonly KitTransaction[]): Promise<readonly KitSignatures[]>;
  /**
   * Present on a `TransactionSendingSigner`. Used only if the signer has neither of the others.
   */
  signAndSendTransactions?(
    transactions: readonly KitTransaction[],
  ): Promise<readonly ArrayLike<number>[]>;
};

/** A signer of @solana/kit with one or both of its two ways to sign a message. */
export type KitMessageSigner = {
  /** The account that signs. */
  readonly address: string;
  /** Present on a `MessageModifyingSigner`, such as a wallet. */
  modifyAndSignMessages?(
    messages: readonly KitSignableMessage[],
  ): Promise<readonly KitSignableMessage[]>;
  /** Present on a `MessagePartialSigner`, such as a `KeyPairSigner`. */
  signMessages?(messages: readonly KitSignableMessage[]): Promise<readonly KitSignatures[]>;
};

const ADDRESS_SIZE = 32;
const HEADER_SIZE = 3;
const VERSIONED = 0x80;
/** A lifetime of unknown end, as @solana/kit itself writes it. */
const UNKNOWN_END = 2n ** 64n - 1n;

/** The lifetime that a transaction of @solana/kit carries for its signers. */
type Lifetime = { readonly blockhash: string; readonly lastValidBlockHeight: bigint };

/** Converts an unsigned legacy transaction from the wire format. */
function decodeTransaction(
  wire: Uint8Array,
): KitTransaction & { readonly lifetimeConstraint: Lifetime } {
  // A copy, because a signer may change it.
  const messageBytes = signedMessage(wire).slice();
  const { signers, end } = accountsOf(messageBytes);
  return {
    messageBytes,
    signatures: Object.fromEntries(signers.map((address) => [address, null])),
    lifetimeConstraint: {
      blockhash: encodeBase58(messageBytes.subarray(end, end + ADDRESS_SIZE)),
      lastValidBlockHeight: UNKNOWN_END,
    },
  };
}

/** Converts a signed transaction to the wire format, with zeros in place of a missing signature. */
function encodeSignedTransaction({ messageBytes, signatures }: KitTransaction): Uint8Array {
  const message = Uint8Array.from(messageBytes);
  const { signers } = accountsOf(message);
  const noSignature = new Uint8Array(SIGNATURE_SIZE);
  const places = signers.flatMap((signer) => Array.from(signatures[signer] ?? noSignature));
  return Uint8Array.from([signers.length, ...places, ...message]);
}

/** Adds the signatures of a partial signer. */
function withSignatures(
  { messageBytes, signatures }: KitTransaction,
  added: KitSignatures,
): KitTransaction {
  return { messageBytes, signatures: { ...signatures, ...added } };
}

/** The signers of a message in the order of their signatures, and where its accounts end. */
function accountsOf(message: Uint8Array): { signers: string[]; end: number } {
  const first = message[0] ?? 0;
  if (first > VERSIONED) throw new Error('the wallet returned a transaction of an unknown version');
  const start = first === VERSIONED ? 1 : 0;
  const signerCount = message[start] ?? 0;
  // Two bytes if the number of accounts needs more than seven bits.
  const [low = 0, high = 0] = message.subarray(start + HEADER_SIZE);
  const isLong = low >= VERSIONED;
  const count = isLong ? (low % VERSIONED) + high * VERSIONED : low;
  const from = start + HEADER_SIZE + (isLong ? 2 : 1);
  const addressAt = (_: unknown, index: number) => {
    const at = from + index * ADDRESS_SIZE;
    return encodeBase58(message.subarray(at, at + ADDRESS_SIZE));
  };
  const signers = Array.from({ length: signerCount }, addressAt);
  return { signers, end: from + count * ADDRESS_SIZE };
}

/**
 * Converts a signer of @solana/kit to the form that `delegateSolana` accepts: a `KeyPairSigner`, or
 * the signers of a connected wallet, for example of `@solana/react`. If a signer can sign in
 * several ways, the one that does not send is preferred, so that the flow can save the signature
 * first.
 *
 * @param signer signs transactions, and messages too unless there is a `messageSigner`
 * @param messageSigner signs messages, if the wallet has a separate object for that
 * @throws RequestValidationError when a signer cannot sign, or the two are of different accounts.
 * @example
 * ```ts
 * import { walletFromKitSigner } from 'card-platform-sdk/solana/kit';
 * import type { KeyPairSigner } from '@solana/kit';
 *
 * function use(signer: KeyPairSigner) {
 *   return walletFromKitSigner(signer);
 * }
 * ```
 */
export function walletFromKitSigner(
  signer: KitTransactionSigner & KitMessageSigner,
  messageSigner?: KitMessageSigner,
): SolanaWallet;
export function walletFromKitSigner(
  signer: KitTransactionSigner,
  messageSigner: KitMessageSigner,
): SolanaWallet;
export function walletFromKitSigner(
  signer: KitTransactionSigner,
  messageSigner: KitMessageSigner = signer,
): SolanaWallet {
  const { address } = Object(signer) as KitTransactionSigner;
  if (typeof address !== 'string') return invalid('signer', 'must be a signer with an address');
  if (Object(messageSigner).address !== address) {
    return invalid('messageSigner', 'must be of the same account as the signer');
  }
  if (!messageSigner.modifyAndSignMessages && !messageSigner.signMessages) {
    return invalid('messageSigner', 'cannot sign messages');
  }
  const sign = transactionSigning(signer);
  const send = transactionSending(signer);
  if (!sign && !send) return invalid('signer', 'can neither sign nor send a transaction');
  return {
    address,
    signMessage: (text) => signText(messageSigner, text),
    signTransaction: sign,
    sendTransaction: send,
  };
}

async function signText(signer: KitMessageSigner, text: Uint8Array): Promise<Uint8Array> {
  const { address } = signer;
  // A copy, because a signer may change it.
  const message = { content: text.slice(), signatures: {} };
  if (signer.modifyAndSignMessages) {
    const [signed] = await signer.modifyAndSignMessages([message]);
    const { content, signatures } = requireResult(signed);
    requireSameText(content, text);
    return Uint8Array.from(requireResult(signatures[address]));
  }
  const [signatures] = (await signer.signMessages?.([message])) ?? [];
  return Uint8Array.from(requireResult(signatures?.[address]));
}

function transactionSigning(signer: KitTransactionSigner): SolanaWallet['signTransaction'] {
  if (!signer.modifyAndSignTransactions && !signer.signTransactions) return undefined;
  return async (wire) => encodeSignedTransaction(await signKit(signer, decodeTransaction(wire)));
}

async function signKit(
  signer: KitTransactionSigner,
  transaction: KitTransaction,
): Promise<KitTransaction> {
  if (signer.modifyAndSignTransactions) {
    const [signed] = await signer.modifyAndSignTransactions([transaction]);
    return requireResult(signed);
  }
  const [signatures] = (await signer.signTransactions?.([transaction])) ?? [];
  return withSignatures(transaction, requireResult(signatures));
}

function transactionSending(signer: KitTransactionSigner): SolanaWallet['sendTransaction'] {
  if (!signer.signAndSendTransactions) return undefined;
  return async (wire) => {
    const [signature] = (await signer.signAndSendTransactions?.([decodeTransaction(wire)])) ?? [];
    return encodeBase58(Uint8Array.from(requireResult(signature)));
  };
}
