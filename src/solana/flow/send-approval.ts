import { encodeBase58, isSolanaSignature } from '../../contract/formats/base58.js';
import {
  type DriverContext,
  SignerMismatchError,
  UnsupportedSignatureError,
  WalletError,
} from '../../delegation/surface.js';
import { addressBytes } from '../addresses.js';
import { encodeTransaction } from '../transaction.js';
import { ask } from '../wallets/ask.js';
import { verifyEd25519 } from '../wallets/ed25519.js';
import { TransactionRefusedError } from './errors.js';
import type { SolanaPlan } from './plan.js';
import { saveBytes } from './saved-bytes.js';
import { approvalOf, readTokenState, requireFreeDelegate } from './token-state.js';

const MOST_SIGNINGS = 3;
const SIGNATURE_SIZE = 64;

/** An approval that is ready to be signed, and how long the chain takes it. */
type Prepared = { transaction: Uint8Array; lastValidBlockHeight: number };

async function prepare(plan: SolanaPlan, context: DriverContext): Promise<Prepared> {
  const { connection, commitment = 'confirmed' } = plan.options;
  const state = await readTokenState(plan, context);
  requireFreeDelegate(plan, state);
  const read = () => connection.getLatestBlockhash(commitment);
  const { blockhash, lastValidBlockHeight } = await context.read('the blockhash', read);
  const instructions = [approvalOf(plan, state.program)];
  const feePayer = plan.wallet.address;
  const transaction = encodeTransaction({ feePayer, blockhash, instructions });
  context.remember({
    lastValidBlockHeight: String(lastValidBlockHeight),
    askedAt: String(context.now()),
    signature: undefined,
    transaction: undefined,
  });
  return { transaction, lastValidBlockHeight };
}

/** The owner's signature in a signed transaction, in base58. */
async function signatureOf(plan: SolanaPlan, signed: Uint8Array): Promise<string> {
  const places = signed[0] ?? 0;
  const signature = signed.subarray(1, 1 + SIGNATURE_SIZE);
  const message = signed.subarray(1 + SIGNATURE_SIZE * places);
  const owner = addressBytes(plan.wallet.address, 'wallet.address');
  if ((await verifyEd25519(signature, message, owner)) === false) throw new SignerMismatchError();
  return encodeBase58(signature);
}

function isPreflightFailure(error: unknown): boolean {
  const { name, code } = Object(error) as { name?: unknown; code?: unknown };
  // -32002 is the node's own word for a transaction that it tried out and that failed.
  return name === 'SendTransactionError' || code === -32002;
}

/** Broadcasts a signed transaction. Sending the same one twice is harmless. */
async function broadcast(plan: SolanaPlan, signed: Uint8Array, signature: string): Promise<void> {
  const { connection, commitment = 'confirmed' } = plan.options;
  try {
    await connection.sendRawTransaction(signed, { preflightCommitment: commitment });
  } catch (error) {
    if (isPreflightFailure(error)) throw new TransactionRefusedError(signature, error);
    throw new WalletError('the node did not take the transaction', 'unknown', error);
  }
}

async function signAndSend(
  plan: SolanaPlan,
  context: DriverContext,
  sign: (transaction: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  for (let attempt = 0; attempt < MOST_SIGNINGS; attempt++) {
    const { transaction } = await prepare(plan, context);
    const signed = await ask('signing the approval', 'not_sent', () => sign(transaction));
    const signature = await signatureOf(plan, signed);
    // A shorter one is refused by the service later: another blockhash gives another signature.
    if (!isSolanaSignature(signature)) continue;
    context.remember({ signature, transaction: saveBytes(signed) });
    await broadcast(plan, signed, signature);
    return signature;
  }
  throw new UnsupportedSignatureError('shorter than 87 characters of base58');
}

async function letWalletSend(
  plan: SolanaPlan,
  context: DriverContext,
  send: NonNullable<SolanaPlan['wallet']['sendTransaction']>,
): Promise<string> {
  const { transaction } = await prepare(plan, context);
  const call = () => send(transaction, plan.options.connection);
  const signature = await ask('sending the approval', 'unknown', call);
  context.remember({ signature });
  return signature;
}

/** Asks for the approval, once, and has it on its way when it returns. */
export async function sendApproval(plan: SolanaPlan, context: DriverContext): Promise<void> {
  const { signTransaction, sendTransaction } = plan.wallet;
  await context.promptApproval(async () => {
    if (signTransaction) return signAndSend(plan, context, signTransaction);
    if (sendTransaction) return letWalletSend(plan, context, sendTransaction);
    throw new WalletError('it can neither sign nor send a transaction', 'not_sent');
  });
}
