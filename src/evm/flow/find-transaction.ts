import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { ifReadable } from '../../delegation/reading-context.js';
import { decodeApprove, startsWithCall } from '../approval/calldata.js';
import type { EvmCall } from '../approval/calls.js';
import type { Log, Transaction } from '../chain/json-rpc.js';
import type { EvmPlan, EvmRun } from './plan.js';

/**
 * Finds the owner's mined transaction with a nonce, after a block. `undefined` when there is
 * none, and when the node keeps no old state: most nodes keep that of 128 blocks.
 */
export function findByNonce(
  run: EvmRun,
  nonce: bigint,
  after: bigint,
): Promise<Transaction | undefined> {
  return ifReadable(searchNonce(run, nonce, after));
}

async function searchNonce(
  { plan: { owner }, reader }: EvmRun,
  nonce: bigint,
  after: bigint,
): Promise<Transaction | undefined> {
  if ((await reader.transactionCount(owner, 'latest')) <= nonce) return undefined;
  let before = after;
  let holds = await reader.blockNumber();
  while (holds - before > 1n) {
    const middle = (before + holds) / 2n;
    // State that the node does not keep is older than what it keeps.
    const count = await ifReadable(reader.transactionCount(owner, middle));
    if (count !== undefined && count > nonce) holds = middle;
    else before = middle;
  }
  const { transactions } = await reader.block(holds);
  return transactions.find((one) => equalsIgnoringCase(one.from, owner) && one.nonce === nonce);
}

/**
 * The transaction that set the limit of the spender last, whoever sent it. `undefined` if there is none, or
 * if the node does not show it.
 */
export async function findNewestApproval(run: EvmRun): Promise<Transaction | undefined> {
  const { found, isWhole } = await searchApprovals(run, 0n, () => true, 'anybody');
  return isWhole ? found : undefined;
}

/** Whether a transaction is a given call. */
export function isSameCall({ to, input, value }: Transaction, call: EvmCall): boolean {
  return (
    equalsIgnoringCase(to, call.to) && startsWithCall(input, call.data) && value === call.value
  );
}

/** The user can change the limit in the wallet: then it still is the approval that was asked for. */
export function isEdited(
  { spender, token }: EvmPlan,
  { to, input, nonce }: Transaction,
  expectedNonce: bigint | undefined,
): boolean {
  return (
    nonce === expectedNonce &&
    equalsIgnoringCase(to, token) &&
    decodeApprove(input)?.spender === spender
  );
}

/** Nodes search 500 to 10,000 blocks at once. */
const MAX_PIECE = 10_000n;
const MIN_PIECE = 500n;
/** Two weeks of blocks of two seconds, in the largest pieces. */
const MAX_SEARCHES = 64;

/** What a search has found. `isWhole`: the node has shown every approval since the block. */
type ApprovalSearch = { readonly found: Transaction | undefined; readonly isWhole: boolean };

/**
 * Searches the approvals of the spender since a block, newest first, in pieces that the node accepts.
 * Finds the first transaction of the owner, or of anybody, for which `isRight` is true. A node that refuses
 * to search is not an error: then nothing is found.
 */
export async function searchApprovals(
  run: EvmRun,
  after: bigint,
  isRight: (transaction: Transaction) => boolean,
  sender: 'owner' | 'anybody' = 'owner',
): Promise<ApprovalSearch> {
  const { plan, reader } = run;
  const isWanted = (one: Transaction) =>
    (sender === 'anybody' || equalsIgnoringCase(one.from, plan.owner)) && isRight(one);
  let isWhole = true;
  let last = await reader.blockNumber();
  let piece = MAX_PIECE;
  for (let searches = 1; last > after && searches <= MAX_SEARCHES; searches++) {
    const first = last - piece > after ? last - piece + 1n : after + 1n;
    const logs = await ifReadable(reader.approvals(plan, first, last));
    if (logs === undefined) {
      if (piece <= MIN_PIECE) return { found: undefined, isWhole: false };
      piece = piece / 2n > MIN_PIECE ? piece / 2n : MIN_PIECE;
      continue;
    }
    const inPiece = await findTransaction(run, logs, isWanted);
    isWhole &&= inPiece.isWhole;
    if (inPiece.found !== undefined) return { found: inPiece.found, isWhole };
    last = first - 1n;
  }
  return { found: undefined, isWhole: isWhole && last <= after };
}

async function findTransaction(
  { reader }: EvmRun,
  logs: readonly Log[],
  isWanted: (transaction: Transaction) => boolean,
): Promise<ApprovalSearch> {
  let isWhole = true;
  for (const { transactionHash } of [...logs].reverse()) {
    const transaction = await reader.transaction(transactionHash);
    isWhole &&= transaction !== null;
    if (transaction !== null && isWanted(transaction)) return { found: transaction, isWhole };
  }
  return { found: undefined, isWhole };
}
