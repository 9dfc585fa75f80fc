import { CHECK_PROOF } from '../contract/check-proof.js';
import type { DelegationProof } from './driver.js';

/**
 * Checks everything that the client checks in the last step, before the first one: otherwise a user
 * would sign and pay for a proof that the client then refuses, for example because its network is
 * not among the client's `additions`. A plain object in place of the client is not checked.
 *
 * @throws RequestValidationError naming the option
 */
export async function checkSubmission(
  delegation: object,
  chain: 'evm' | 'solana',
  proof: Omit<DelegationProof, 'sigMessage' | 'token'>,
): Promise<void> {
  const check = (delegation as { [CHECK_PROOF]?: unknown })[CHECK_PROOF];
  if (typeof check !== 'function') return;
  const unsigned = { ...proof, sigMessage: 'not signed', token: 'not-issued' };
  // The message does not exist yet; the flow builds and checks it later.
  await check.call(
    delegation,
    chain,
    chain === 'evm' ? { ...unsigned, checkMessage: false } : unsigned,
  );
}
