import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { CHAIN_IDS } from '../../contract/lists.js';
import {
  endedWithoutApproval,
  TransactionRevertedError,
} from '../../delegation/approval-errors.js';
import type {
  ApprovalSearchResult,
  DelegationDriver,
  DriverContext,
} from '../../delegation/driver.js';
import type { SavedStateRules } from '../../delegation/saved-state.js';
import { approveCall } from '../approval/calls.js';
import { isHash, isHex, type Receipt, type Transaction } from '../chain/json-rpc.js';
import { ChainReader } from '../chain/reader.js';
import { hashOf, isSignedTransaction } from '../wallets/wallet-requests.js';
import { checkChain, checkNodeChain, checkOwnKey } from './check-chain.js';
import { confirm, hasDisappeared, type Mined } from './confirm.js';
import {
  findByNonce,
  findNewestApproval,
  isEdited,
  isSameCall,
  searchApprovals,
} from './find-transaction.js';
import type { EvmPlan, EvmRun } from './plan.js';
import { readSettled } from './read-settled.js';
import { ApprovalSender } from './send-approval.js';
import { acceptsMessage, checkNonce, signMessage } from './sign-message.js';
import { compare, verify } from './verify.js';

const SIGNATURE_BYTES = 65;
/** A 256-bit number, the largest that a node can return, has 78 digits. */
const NUMBER = /^(?:0|[1-9]\d{0,77})$/;

const isNumber = (text: string) => NUMBER.test(text);

/** What a saved state of an EVM delegation can hold. */
export const EVM_SAVED_STATE: SavedStateRules = {
  kind: 'evm',
  isTransactionId: isHash,
  isSignature: (text) => isHex(text, SIGNATURE_BYTES),
  notes: {
    /** Number of the newest block before the wallet was asked. */
    sentAfter: isNumber,
    /** The account's next nonce before the wallet was asked. The wallet may choose another one. */
    nextNonce: isNumber,
    /** Nonce of the transaction, from the pending transaction itself. */
    nonce: isNumber,
    /** Hash of a sent transaction that the node did not know when a run gave up waiting for it. */
    missing: isHash,
    /** Hash of an approval that failed, was replaced or was dropped. The network can bring it back. */
    ended: isHash,
    /** Hash of an approval that was on the chain before this flow, whose proof is submitted. */
    adopted: isHash,
    /** Hash of such an approval that could not be used. Another one is not looked for. */
    refused: isHash,
    /** Base units that the wallet approved in place of the requested amount. */
    approved: isNumber,
    /** Who sends the transaction; missing if the wallet does. */
    sentBy: (text) => text === 'flow',
    /** The signed transaction, so that it can be sent again. Its hash is that of the approval. */
    raw: isSignedTransaction,
    /** Hash of the transaction that sets the old limit to zero. */
    reset: isHash,
  },
};

/**
 * Searches for an approval whose hash was lost, in the blocks since the wallet was asked: by its event,
 * and by the account's nonce where the node refuses to search. If it is not there, that proves
 * nothing: the wallet may not have sent it yet, or its prompt may still be open.
 */
async function findApproval(run: EvmRun): Promise<ApprovalSearchResult> {
  const { plan, reader, context } = run;
  const { sentAfter, nextNonce, raw, sentBy } = context.notes();
  if (isHex(raw)) return { transactionId: hashOf(raw) };
  // The hash is saved before the flow sends what it belongs to.
  if (sentBy === 'flow') return 'not-sent';
  if (sentAfter === undefined) return 'unknown';
  await checkNodeChain(run);
  const after = BigInt(sentAfter);
  const expectedNonce = nextNonce === undefined ? undefined : BigInt(nextNonce);
  const isApproval = (transaction: Transaction) =>
    isSameCall(transaction, approveCall(plan)) || isEdited(plan, transaction, expectedNonce);
  const { found } = await searchApprovals(run, after, isApproval);
  // Its event shows that it succeeded, also where the receipt is read from a node that lags.
  if (found !== undefined) return { transactionId: found.hash };
  if (expectedNonce === undefined) return 'unknown';
  const mined = await findByNonce(run, expectedNonce, after);
  if (mined === undefined || !isApproval(mined)) return 'unknown';
  // One that failed can be from before the wallet was asked: the node that told block and nonce may have
  // lagged. The prompt may still be open then.
  const isKnown = (receipt: Receipt | null) => receipt !== null;
  const receipt = await readSettled(run, () => reader.receipt(mined.hash), isKnown);
  return receipt?.succeeded === true ? { transactionId: mined.hash } : 'unknown';
}

/**
 * Searches for the approval that set the limit that is there now, of which this flow knows nothing.
 * What it noted of a transaction of its own is forgotten then.
 */
async function findEqualApproval(run: EvmRun): Promise<string | undefined> {
  const { plan, context } = run;
  // An older one is not what set the limit, even if what is left of a later one is as much.
  const found = await findNewestApproval(run);
  if (found === undefined || !isSameCall(found, approveCall(plan))) return undefined;
  if (!equalsIgnoringCase(found.from, plan.owner)) return undefined;
  context.saveNotes({ raw: undefined, nonce: undefined, missing: undefined });
  return found.hash;
}

/** Notes which approval ended without an effect, then throws the error that shows it. */
function noteEnd(context: DriverContext, sent: string, error: unknown): never {
  if (endedWithoutApproval(error)) {
    // The failed one can be a copy of what the wallet sent, with another fee.
    const failed = error instanceof TransactionRevertedError ? error.transactionId : undefined;
    context.saveNotes({ ended: failed ?? sent });
  }
  throw error;
}

/**
 * The hash of an approval that had failed or was dropped and is valid again: it is pending, or succeeded in
 * another block. `undefined` if it is still as it was, or unknown.
 */
async function findRestored({ reader, context }: EvmRun): Promise<string | undefined> {
  const { ended } = context.notes();
  if (ended === undefined) return undefined;
  const receipt = await reader.receipt(ended);
  const isBack = receipt?.succeeded ?? (await reader.transaction(ended)) !== null;
  return isBack ? ended : undefined;
}

/**
 * What the spender may spend now. A limit other than the requested one is read again: it can be the one
 * before the approval, from a node that lags.
 */
function remainingLimit(run: EvmRun): Promise<bigint> {
  const { plan, reader } = run;
  return readSettled(
    run,
    () => reader.allowance(plan),
    (units) => units === plan.allowance,
  );
}

/** Wallet, asset and spender of a delegation. */
export function lockKeyOf(place: {
  chainId: number;
  owner: string;
  token: string;
  spender: string;
}): string {
  return [place.chainId, place.owner, place.token, place.spender].join(' ');
}

/** The driver for EVM chains. */
export function evmDriver(plan: EvmPlan, isChainOnly: boolean): DelegationDriver {
  const { options, owner, token, spender, chainId, wireAmount, isRevocation } = plan;
  const { network, currency, client } = options;
  const { units, decimals, allowance } = plan;
  const place = { chainId: String(chainId), token, spender };
  const proof = { address: owner, network, currency, amount: wireAmount };
  // `networks` may give a network of the API contract another chain, for example a test network.
  // The client would refuse a message for that chain. The flow has built and checked it itself.
  const isOtherChain = (CHAIN_IDS[network] ?? chainId) !== chainId;
  const runIn = (context: DriverContext): EvmRun => {
    const pause = () => context.sleep(plan.pollingInterval);
    const reader = new ChainReader(options.node, context.read, pause);
    return { plan, reader, context };
  };
  const approval = new ApprovalSender();
  // The receipt that showed the confirmation is also the one that is compared.
  let mined: Mined | undefined;
  return {
    savedState: EVM_SAVED_STATE,
    request: { ...proof, ...place, allowance: allowance.toString() },
    lockKey: lockKeyOf(plan),
    proof: { ...proof, ...(isRevocation ? { isRevocation } : {}) },
    limit: { units, decimals, allowance },
    isChainOnly,
    checkToken: (issued) => checkNonce(plan, issued),
    async checkChain(context) {
      const run = runIn(context);
      const facts = await checkChain(run);
      if (!isChainOnly) checkOwnKey(facts);
      return approval.check(run, facts);
    },
    signMessage: (issued, context) => signMessage(runIn(context), issued),
    acceptsMessage: (message, issued, context) => acceptsMessage(runIn(context), message, issued),
    hasGas: (context) => approval.hasGas(runIn(context)),
    remainingLimit: (context) => remainingLimit(runIn(context)),
    approve: (context) => approval.send(runIn(context)),
    findEqualApproval: (context) => findEqualApproval(runIn(context)),
    findApproval: (context) => findApproval(runIn(context)),
    async hasDisappeared(hash, context) {
      const isGone = await hasDisappeared(runIn(context), approveCall(plan), hash);
      // The network can bring it back while the user declines the next prompt.
      if (isGone) context.saveNotes({ ended: hash, missing: undefined });
      return isGone;
    },
    async confirm(sent, context) {
      const waiting = confirm(runIn(context), approveCall(plan), sent);
      mined = await waiting.catch((error) => noteEnd(context, sent, error));
      return mined.hash;
    },
    findRestored: (context) => findRestored(runIn(context)),
    compare: (hash, context) => compare(runIn(context), hash),
    verify: (hash, context) =>
      verify(runIn(context), hash, mined?.hash === hash ? mined.receipt : undefined),
    isOwner: (address) => equalsIgnoringCase(address, owner),
    submit: (body, callOptions) => {
      const input = isOtherChain ? { ...body, checkMessage: false } : body;
      return client.delegation.submitEvmApproval(input, callOptions);
    },
  };
}
