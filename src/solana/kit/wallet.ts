import { encodeBase58 } from '../../contract/formats/base58.js';
import { invalid } from '../../delegation/invalid.js';
import { requireResult, requireSameText } from '../wallets/signed-text.js';
import type { SolanaWallet } from '../wallets/wallet.js';
import type { KitMessageSigner, KitTransaction, KitTransactionSigner } from './signers.js';
import { decodeTransaction, encodeSignedTransaction, withSignatures } from './wire-transaction.js';

/**
 * Converts a signer of @solana/kit to the form that `delegateSolana` takes: a `KeyPairSigner`, or the
 * signers of a connected wallet, for example of `@solana/react`. Of a signer's several ways to sign,
 * the one that does not send is preferred, so that the flow can save the signature first.
 *
 * @param signer signs transactions, and messages too unless there is a `messageSigner`
 * @param messageSigner signs messages, where the wallet has an object of its own for that
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
