import type { EvmDelegationOptions } from './options.js';

/** The options of `revokeEvmDelegation`: the options of `delegateEvm` without the amount. */
export type EvmRevocationOptions = Omit<EvmDelegationOptions, 'amount' | 'cap' | 'unlimited'> & {
  /**
   * Also submit a proof with the amount 0, so that the service knows. The API contract does not say
   * that the service accepts it. `false` changes the chain only, without a token or a signature,
   * which is enough to end the spending authority. Default `true`.
   */
  submit?: boolean | undefined;
};
