import type { DelegationOptions } from '../../../src/delegation/options.js';
import type { SavedStateRules } from '../../../src/delegation/saved-state.js';
import type { EvmApprovalInput } from '../../../src/index.js';
import type { ToyNode } from './node.js';
import type { ToyWallet } from './wallet.js';

/** A delegation on the toy chain: the options that a caller of a `delegateToy` would pass. */
export type ToyDelegation = DelegationOptions & {
  client: DelegationOptions['client'] & {
    delegation: {
      submitEvmApproval(
        proof: EvmApprovalInput,
        options: { signal?: AbortSignal | undefined },
      ): PromiseLike<{ success?: boolean | undefined }>;
    };
  };
  wallet: ToyWallet;
  node: ToyNode;
  chainId: string;
  owner: string;
  spender: string;
  amount: bigint;
  /** How many blocks an approval stays valid after it was requested. Default: forever. */
  lifetime?: number | undefined;
};

/** The network of the toy chain, which the contract does not name. */
export const TOY_NETWORK = 'toynet';
export const TOY_CURRENCY = 'toycoin';
/** The number of blocks that a reorganization can remove: older blocks are final. */
export const FINAL_DEPTH = 3;

export const POLLING_INTERVAL_MS = 2_000;
export const CONFIRMATION_TIMEOUT_MS = 20_000;

/** Two nodes of three can be behind. */
export const LOOKS = 3;

const isHeight = (text: string) => /^(?:0|[1-9]\d{0,8})$/.test(text);
const isId = (text: string) => /^0x\d{64}$/.test(text);

/** The notes that a saved state of a delegation on the toy chain can hold. */
export const TOY_SAVED_STATE: SavedStateRules = {
  kind: 'toy',
  isTransactionId: isId,
  isSignature: (text) => /^0x[0-9a-f]{130}$/.test(text),
  notes: {
    /** The newest block before the wallet was asked. */
    sentAfter: isHeight,
    /** The last block that can contain the approval. */
    validUntil: isHeight,
    /** The nonce of the approval, read from the approval itself. */
    nonce: isHeight,
    /** The approval that no node knew when a run stopped waiting for it. */
    missing: isId,
    /** The limit that the user set in the wallet. */
    approved: isHeight,
  },
  conflictingNote: ({ notes, approval }) => {
    const { missing } = notes;
    const sent = approval?.transactionId;
    const isOther = missing !== undefined && sent !== undefined && missing !== sent;
    return isOther ? 'missing' : undefined;
  },
};

/** Whether a transaction is the requested approval. */
export function isRequested(
  { spender, amount }: ToyDelegation,
  approve: { spender: string; amount: bigint } | undefined,
): boolean {
  return approve?.spender === spender && approve.amount === amount;
}
