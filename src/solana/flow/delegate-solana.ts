import { flowNotLoaded } from '../../delegation/flow-not-loaded.js';
import type { DelegationResult } from '../../delegation/options.js';
import type { SolanaDelegationOptions } from './options.js';

/**
 * Delegates spending authority from a user's own Solana wallet: token, message, `ApproveChecked` on
 * the chain, proof. The wallet is asked twice, once to sign the message and once for the approval;
 * everything that can be checked is checked before.
 *
 * Save `progress.state` (or `delegationStateOf(error)`) and pass it as `resume` to continue after
 * a reload, a declined prompt or an expired token. A sent approval is never requested again,
 * unless its blockhash expired and it is provably not on the chain. No local clock decides that.
 *
 * Endpoints: `GET /v1/delegation/token`, `POST /v1/delegation/solana/post-approval`, and
 * `GET /v1/wallet/external` if the outcome of the last one is unknown.
 *
 * @throws RequestValidationError for invalid input, before anything happens.
 * @throws ChainError for failures of wallet and chain: `UserRejectedError`,
 * `SignerMismatchError`, `NonceNotAllowedError`, `TokenAccountError`, `DelegateInUseError`,
 * `TransactionRefusedError`, `TransactionRevertedError`, `TransactionExpiredError`,
 * `ConfirmationTimeoutError`, `ApprovalMismatchError`, `AllowanceRacedError`, `ApprovalUnknownError`,
 * `DelegationTokenExpiredError`, `ProofUnknownError`, `ProofRefusedError`, or the code
 * `insufficient_funds`.
 * @throws CardPlatformError of the client when the service refuses, and the signal's reason on
 * abort.
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { delegateSolana, type StandardWallet } from 'card-platform-sdk/solana';
 * import { Connection } from '@solana/web3.js';
 *
 * async function delegate(client: CardPlatformClient, wallet: StandardWallet, delegate: string) {
 *   return delegateSolana({
 *     client,
 *     wallet,
 *     connection: new Connection('https://rpc.example.com'),
 *     currency: 'usdc',
 *     amount: '100.5',
 *     delegate,
 *     onProgress: ({ message, state }) => {
 *       sessionStorage.setItem('delegation', JSON.stringify(state));
 *       console.log(message);
 *     },
 *   });
 * }
 * ```
 */
export async function delegateSolana(options: SolanaDelegationOptions): Promise<DelegationResult> {
  // A page with a button should not load the whole flow before the click.
  const run = await import('./run-solana-delegation.js').then(
    ({ runSolanaDelegation }) => runSolanaDelegation,
    (error: unknown) => Promise.reject(flowNotLoaded(error)),
  );
  return run(options);
}
