import type { SavedStateRules } from '../../delegation/saved-state.js';
import { isHash, isHex } from '../chain/json-rpc.js';

const SIGNATURE_BYTES = 65;
/** A 256-bit number, the largest that a node can return, has 78 digits. */
const NUMBER = /^(?:0|[1-9]\d{0,77})$/;

/** An approval takes about 400 characters; a wallet may append data to it. */
const MAX_RAW_LENGTH = 10_000;

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
    /** Hash of an approval that failed or was replaced. A reorganization can bring it back. */
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
    raw: (text) => isHex(text) && text.length > 2 && text.length <= MAX_RAW_LENGTH,
    /** Hash of the transaction that sets the old limit to zero. */
    reset: isHash,
  },
};
