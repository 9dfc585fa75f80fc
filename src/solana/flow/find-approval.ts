import { isSolanaSignature } from '../../contract/formats/base58.js';
import { ApprovalUnknownError } from '../../delegation/approval-errors.js';
import type { ApprovalSearchResult, DriverContext } from '../../delegation/driver.js';
import { ifReadable } from '../../delegation/reading-context.js';
import { addressObject } from '../connection.js';
import { type Expiry, readExpiry } from './expiry.js';
import type { SolanaPlan } from './plan.js';
import { checkHistory, readAgain } from './read-chain.js';
import { isNewestNote, NO_TRANSACTION } from './saved-state.js';
import { readProgram, tokenAccountIn } from './token-state.js';
import { likenessOf } from './verify.js';

const MAX_SIGNATURES = 100;
const BETWEEN_LOOKS_MS = 2_000;
/** Each of them is read on its own. */
const MAX_EQUAL = 20;

/**
 * Returns the newest transaction of the token account. A resumed flow searches only after it, so
 * that an older approval is never taken for the lost one, whatever the local clock shows.
 */
export async function newestTransaction(
  plan: SolanaPlan,
  context: DriverContext,
  tokenAccount: string,
): Promise<string | undefined> {
  const { commitment } = plan;
  const { node: connection } = plan.options;
  const list = connection.getSignaturesForAddress?.bind(connection);
  if (list === undefined) return undefined;
  const read = async () =>
    checkHistory(await list(addressObject(tokenAccount), { limit: 1 }, commitment));
  // A node without a history must not stop an approval: then it cannot be searched for later.
  const history = await ifReadable(readAgain(context, { what: 'the history', read }));
  if (history === undefined) return undefined;
  const signature = history[0]?.signature ?? NO_TRANSACTION;
  return isNewestNote(signature) ? signature : undefined;
}

/**
 * Searches for an approval that the wallet sent and whose signature was lost with a closed tab. One
 * that the user or the wallet changed counts if the requested one is not there: otherwise the wallet
 * would be asked for a second one. Returns `unknown` if the connection has no history, or more than was
 * read.
 */
async function searchHistory(
  plan: SolanaPlan,
  context: DriverContext,
  { slot }: Expiry,
): Promise<ApprovalSearchResult> {
  const { commitment } = plan;
  const { node: connection } = plan.options;
  const list = connection.getSignaturesForAddress?.bind(connection);
  if (list === undefined) return 'unknown';
  const tokenAccount = tokenAccountIn(plan, await readProgram(plan, context));
  const config = { limit: MAX_SIGNATURES, ...(slot === undefined ? {} : { minContextSlot: slot }) };
  const read = async () =>
    checkHistory(await list(addressObject(tokenAccount), config, commitment));
  const history = await readAgain(context, { what: 'the history', read });
  const { newestBefore } = context.notes();
  const end = history.findIndex(({ signature }) => signature === newestBefore);
  const isFull = history.length === MAX_SIGNATURES;
  // A history without the transaction that it must contain lags or was pruned.
  const isKnown = newestBefore === NO_TRANSACTION || end >= 0 || (newestBefore && isFull);
  let isUnknown = isFull ? end < 0 : !isKnown;
  let edited: string | undefined;
  for (const { signature, err } of end < 0 ? history : history.slice(0, end)) {
    if (err) continue;
    const likeness = await ifReadable(likenessOf(plan, signature, context));
    if (likeness === 'same' && isKnown) return { transactionId: signature };
    if (likeness === 'edited' && isKnown) edited ??= signature;
    else if (likeness === undefined) isUnknown = true;
  }
  if (isUnknown) return 'unknown';
  return edited === undefined ? 'not-sent' : { transactionId: edited };
}

/**
 * Searches the newest transactions of the token account for the approval that set the limit that is
 * there now, of which this flow knows nothing. What it noted of a transaction of its own is forgotten
 * then. `undefined` without a history.
 */
export async function findEqualApproval(
  plan: SolanaPlan,
  context: DriverContext,
): Promise<string | undefined> {
  const { commitment } = plan;
  const { node: connection } = plan.options;
  const list = connection.getSignaturesForAddress?.bind(connection);
  if (list === undefined) return undefined;
  const tokenAccount = tokenAccountIn(plan, await readProgram(plan, context));
  const config = { limit: MAX_EQUAL };
  const read = async () =>
    checkHistory(await list(addressObject(tokenAccount), config, commitment));
  for (const { signature, err } of await readAgain(context, { what: 'the history', read })) {
    const likeness = err ? 'other' : await likenessOf(plan, signature, context);
    if (likeness === 'other') continue;
    // Whatever it is, the approvals before it did not set the limit that is there now.
    if (likeness !== 'same' || !isSolanaSignature(signature)) return undefined;
    const forgotten = { signature: undefined, transaction: undefined };
    context.saveNotes({ ...forgotten, lastValidBlockHeight: undefined });
    return signature;
  }
  return undefined;
}

/**
 * Searches for an approval whose signature was lost. One that is missing was not sent only if the wallet
 * has answered.
 *
 * @throws ApprovalUnknownError while it can still reach the chain, even with `approveAgain`: a
 * blockhash lives for about a minute, and until then another approval would be a second one.
 */
export async function findApproval(
  plan: SolanaPlan,
  context: DriverContext,
): Promise<ApprovalSearchResult> {
  const { signature, sentBy, answered } = context.notes();
  if (signature !== undefined) return { transactionId: signature };
  // A signature is saved before the flow sends what it belongs to.
  if (sentBy === 'flow') return 'not-sent';
  const read = () => readExpiry(plan, context);
  const expiry = await readAgain(context, { what: 'the block height', read });
  let found = await searchHistory(plan, context, expiry);
  if (found === 'not-sent' && expiry.isOver && expiry.slot === undefined) {
    // Without slots, one node may lag: only the second look in a row counts.
    await context.sleep(BETWEEN_LOOKS_MS);
    found = await searchHistory(plan, context, expiry);
  }
  if (typeof found === 'object') return found;
  if (!expiry.isOver) throw new ApprovalUnknownError();
  // A wallet that has not answered may still show its prompt, and send with a newer blockhash.
  return answered === undefined ? 'unknown' : found;
}
