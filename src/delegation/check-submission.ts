import { CHECK_PROOF } from '../contract/check-proof.js';
import type { DelegationDriver, DelegationProof } from './driver.js';
import type { DelegationOptions } from './options.js';

/**
 * Checks everything that the client checks in the last step, before the first one: otherwise a user
 * would sign and pay for a proof that the client then refuses, for example because its network is
 * not among the client's `additions`. A plain object in place of the client is not checked.
 *
 * @param sample texts with the form of a transaction id and of a signature
 * @throws RequestValidationError naming the option
 */
export async function checkSubmission(
  chain: 'evm' | 'solana',
  { proof, isChainOnly }: DelegationDriver,
  { client, region }: DelegationOptions,
  sample: Pick<DelegationProof, 'txHash' | 'sigHash'>,
): Promise<void> {
  const check = (client.delegation as { [CHECK_PROOF]?: unknown })[CHECK_PROOF];
  if (isChainOnly === true || typeof check !== 'function') return;
  await check.call(client.delegation, chain, {
    ...proof,
    ...sample,
    sigMessage: 'not signed',
    token: 'not-issued',
    ...(region === undefined ? {} : { region }),
    // The message does not exist yet; the flow builds and checks it later.
    ...(chain === 'evm' ? { checkMessage: false } : {}),
  });
}
