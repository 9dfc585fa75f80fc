import type { SavedStateRules } from '../../delegation/saved-state.js';
import { isHex } from '../chain/hex.js';
import { isHash } from '../chain/json-rpc.js';

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
    /** Nonce of the transaction. */
    nonce: isNumber,
    /** Hash of the transaction that sets the old limit to zero. */
    reset: isHash,
  },
};
