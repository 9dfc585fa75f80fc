import { bytesToHex } from '@noble/hashes/utils.js';
import { throwIfAborted } from '../../contract/formats/abort-reason.js';
import { encodeBase58, isSolanaSignature } from '../../contract/formats/base58.js';
import { hadNoEffect } from '../../delegation/approval-errors.js';
import type { DriverContext } from '../../delegation/driver.js';
import { ifReadable } from '../../delegation/reading-context.js';
import {
  SignerMismatchError,
  UnsupportedSignatureError,
  WalletError,
} from '../../delegation/wallet-errors.js';
import { isPromptOpen } from '../../delegation/wallet-refusals.js';
import { addressBytes } from '../addresses.js';
import { encodeTransaction, firstSignature, signedMessage } from '../transaction.js';
import { callWallet } from '../wallets/call-wallet.js';
import { verifyEd25519 } from '../wallets/ed25519.js';
import { buildInstruction } from './build-instruction.js';
import { readBlockhash, saveExpiry } from './expiry.js';
import { computeBudget } from './fee.js';
import { newestTransaction } from './find-approval.js';
import type { SolanaPlan } from './plan.js';
import { readAgain } from './read-chain.js';
import { refusalOf } from './refusals.js';
import { isTransactionSize } from './saved-state.js';
import { readTokenState, requireFreeDelegate } from './token-state.js';

const MAX_SIGNINGS = 3;

type Prepared = { transaction: Uint8Array; blockhash: string };

/** The approval, ready to be signed, with another blockhash than the previous one. */
async function prepare(
  plan: SolanaPlan,
  context: DriverContext,
  previous?: Prepared,
): Promise<Prepared> {
  const sentBy = plan.wallet.signTransaction ? 'flow' : 'wallet';
  const state = await readTokenState(plan, context);
  requireFreeDelegate(plan, state);
  const newestBefore =
    sentBy === 'wallet' ? await newestTransaction(plan, context, state.tokenAccount) : undefined;
  const { blockhash, last } = await readAgain(context, {
    what: 'the blockhash',
    read: () => readBlockhash(plan),
    isUsable: (read) => read.blockhash !== previous?.blockhash,
  });
  const instructions = [...computeBudget(plan), buildInstruction(plan, state.program)];
  const feePayer = plan.wallet.address;
  const transaction = encodeTransaction({ feePayer, blockhash, instructions });
  context.saveNotes({
    // A wallet that sends may use a newer blockhash, whenever the user answers.
    lastValidBlockHeight: sentBy === 'flow' ? String(last) : undefined,
    newestBefore,
    sentBy,
    answered: undefined,
    approved: undefined,
    signature: undefined,
    transaction: undefined,
  });
  return { transaction, blockhash };
}

/** The owner's signature in a signed transaction, in base58. */
async function signatureOf(plan: SolanaPlan, signed: Uint8Array): Promise<string> {
  const signature = firstSignature(signed);
  const owner = addressBytes(plan.wallet.address, 'wallet.address');
  if ((await verifyEd25519(signature, signedMessage(signed), owner)) === false) {
    throw new SignerMismatchError();
  }
  return encodeBase58(signature);
}

/** Broadcasts a signed transaction. If it gets lost, `confirm` sends it again. */
async function broadcast(
  plan: SolanaPlan,
  context: DriverContext,
  signed: Uint8Array,
  signature: string,
): Promise<void> {
  const { commitment } = plan;
  const { node: connection } = plan.options;
  const send = () =>
    connection
      .sendRawTransaction(signed, { preflightCommitment: commitment })
      .catch((error: unknown) => {
        throw refusalOf(error, signature) ?? error;
      });
  await ifReadable(context.read('sending the approval', send));
}

async function signAndSend(
  plan: SolanaPlan,
  context: DriverContext,
  first: Prepared,
  sign: (transaction: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  const { signal } = plan.options;
  let prepared = first;
  for (let attempt = 1; ; attempt++) {
    const unsignedTransaction = prepared.transaction;
    throwIfAborted(signal);
    const signed = await callWallet('signing the approval', 'not_sent', () =>
      sign(unsignedTransaction),
    );
    // A transaction signed after the flow has ended is never sent: a resumed flow asks again.
    context.requireRunning();
    const signature = await signatureOf(plan, signed);
    if (!isTransactionSize(signed)) {
      throw new WalletError('it returned no transaction of at most 1,232 bytes', 'not_sent');
    }
    if (isSolanaSignature(signature)) {
      if (signedMessage(signed).join() !== signedMessage(unsignedTransaction).join()) {
        // The wallet may have used another blockhash. Its last block is read when it is needed.
        context.saveNotes({ lastValidBlockHeight: undefined });
      }
      context.saveNotes({ signature, transaction: bytesToHex(signed) });
      // A caller that saves the progress has the signature before the chain has the transaction.
      context.report('Sending the approval.', signature);
      await context.saved();
      await broadcast(plan, context, signed, signature);
      return signature;
    }
    // The service accepts no shorter signature. Another blockhash makes another one.
    if (attempt === MAX_SIGNINGS) {
      throw new UnsupportedSignatureError('shorter than 87 characters of base58');
    }
    prepared = await prepare(plan, context, prepared);
  }
}

async function sendWithWallet(
  plan: SolanaPlan,
  context: DriverContext,
  transaction: Uint8Array,
  send: NonNullable<SolanaPlan['wallet']['sendTransaction']>,
): Promise<string> {
  throwIfAborted(plan.options.signal);
  let isAnswered = true;
  const call = async () => {
    try {
      return await send(transaction, plan.options.node);
    } catch (error) {
      isAnswered = !isPromptOpen(error);
      throw error;
    }
  };
  const signature = await callWallet('sending the approval', 'unknown', call).catch(
    async (error: unknown) => {
      if (!hadNoEffect(error)) await saveAnswer(plan, context, isAnswered);
      throw error;
    },
  );
  if (!isSolanaSignature(signature)) {
    await saveAnswer(plan, context, true);
    // The search of the token account's history can still find the transaction.
    throw new WalletError('it returned no signature of 87 or 88 characters', 'unknown');
  }
  // The wallet may have used another blockhash. Its last block is read when it is needed.
  context.saveNotes({ signature, lastValidBlockHeight: undefined });
  return signature;
}

/**
 * Saves that the wallet has answered, and the last block that can contain a transaction that it may have sent.
 * The prompt of a wallet that has not answered may be open: whatever it sends later has a newer blockhash.
 */
async function saveAnswer(
  plan: SolanaPlan,
  context: DriverContext,
  isAnswered: boolean,
): Promise<void> {
  const answered = isAnswered ? 'yes' : undefined;
  context.saveNotes({ answered, lastValidBlockHeight: undefined });
  // If that fails, a resumed flow reads it.
  await saveExpiry(plan, context).catch(() => {});
}

/** Asks for the approval, and returns when it is on its way. */
export async function sendApproval(plan: SolanaPlan, context: DriverContext): Promise<void> {
  const { signTransaction, sendTransaction } = plan.wallet;
  // Before the wallet is asked, so that a saved state has the expiry of the transaction.
  const prepared = await prepare(plan, context);
  await context.promptApproval(async () => {
    if (signTransaction) return signAndSend(plan, context, prepared, signTransaction);
    if (sendTransaction) {
      return sendWithWallet(plan, context, prepared.transaction, sendTransaction);
    }
    throw new WalletError('it can neither sign nor send a transaction', 'not_sent');
  });
}
