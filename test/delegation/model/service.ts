import type { ProofVerifier } from '../../../src/testing/proofs.js';
import type { ToyChain } from '../toy-chain/chain.js';
import { signatureOf } from '../toy-chain/wallet.js';
import { OWNER, SPENDER } from './ledger.js';

/**
 * Checks a proof as the platform does: by the chain and the signature. It does not compare the
 * limit, so that a flow which does not compare it either is noticed.
 */
export function verifyToyProof(
  chain: ToyChain,
  { address, txHash, sigHash, sigMessage, nonce }: Parameters<ProofVerifier>[0],
): Awaited<ReturnType<ProofVerifier>> {
  const transaction = chain.find(txHash);
  if (transaction === undefined) return { field: 'txHash', message: 'Transaction not found' };
  const { from, approve, succeeded } = transaction;
  if (!succeeded || from !== OWNER || address !== from || approve?.spender !== SPENDER) {
    return { field: 'txHash', message: 'Transaction is not an approval' };
  }
  if (!sigMessage.includes(`\nNonce: ${nonce}\n`)) {
    return { field: 'sigMessage', message: 'Nonce does not match the token' };
  }
  const isSigned = sigHash === signatureOf(OWNER, sigMessage);
  return isSigned ? undefined : { field: 'sigHash', message: 'Signature is not valid' };
}
