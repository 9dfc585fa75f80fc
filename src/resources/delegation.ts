import { CHECK_PROOF } from '../contract/check-proof.js';
import type { SuccessResult } from '../contract/common.js';
import {
  type ChainConfig,
  chainConfig,
  type DelegationToken,
  type DelegationTokenInput,
  getDelegationToken,
} from '../contract/delegation.js';
import {
  type EvmApprovalInput,
  type SolanaApprovalInput,
  submitEvmApproval,
  submitSolanaApproval,
} from '../contract/delegation-proof.js';
import type { Endpoint } from '../contract/endpoint.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import { checkInput } from '../transport/send.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/**
 * Delegation of spending authority from a user's own wallet: the HTTP side. The whole flow, with
 * wallet and chain, is `delegateEvm` (`card-platform-sdk/evm`) and `delegateSolana`
 * (`card-platform-sdk/solana`).
 */
export class DelegationResource extends Resource {
  /**
   * Returns a single-use token and nonce for one delegation, valid for about 10 minutes. With
   * `faucet` the service also sends native tokens for gas, once per user. A declined faucet request
   * is not an error: see `faucetOutcome`. With `faucet` the call is never sent again once it may have
   * arrived; after an `unknown` outcome call again without it.
   *
   * Endpoint: `GET /v1/delegation/token`
   *
   * @throws UnprocessableError for an input that the service refuses
   * @example
   * ```ts
   * const { token, nonce, faucetOutcome } = await userClient.delegation.getToken({
   *   faucet: true,
   *   address: '0x52908400098527886E0F7030069857D2E4169EE7',
   *   network: 'linea',
   * });
   * ```
   */
  getToken(
    input: DelegationTokenInput = {},
    options?: RequestOptions,
  ): PlatformPromise<DelegationToken> {
    return this.send(getDelegationToken, input, options);
  }

  /**
   * Submits the proof of a confirmed approval on an EVM network, which registers the wallet. Never
   * sent again once it may have arrived: after an `unknown` outcome look it up with
   * `client.journal.reconcile`, or check `wallets.external.list()`, and never start a second
   * approval.
   *
   * The signed message is checked first: it must be EIP-4361, have a nonce, and be for the address
   * and chain of the proof. `checkMessage: false` turns this off.
   *
   * Endpoint: `POST /v1/delegation/evm/post-approval`
   *
   * @throws RequestValidationError before anything is sent, for example for a message for another
   *   chain
   * @throws ApiError with code `wallet_already_approved`
   * @throws UnprocessableError with `fieldErrors`, for example for a hash that is not confirmed yet
   * @example
   * ```ts
   * async function prove(txHash: string, sigHash: string, sigMessage: string, token: string) {
   *   await userClient.delegation.submitEvmApproval({
   *     address: '0x52908400098527886E0F7030069857D2E4169EE7',
   *     network: 'linea',
   *     currency: 'usdc',
   *     amount: '100.5',
   *     txHash,
   *     sigHash,
   *     sigMessage,
   *     token,
   *   });
   * }
   * ```
   */
  submitEvmApproval(
    input: EvmApprovalInput,
    options?: RequestOptions,
  ): PlatformPromise<SuccessResult> {
    return this.send(submitEvmApproval, input, options);
  }

  /**
   * Submits the proof of a confirmed approval on Solana, which registers the wallet. Never sent
   * again once it may have arrived: see {@link submitEvmApproval}. A `sigMessage` that is blank,
   * has fewer than 10 characters, or has control characters other than line breaks is refused
   * before anything is sent.
   *
   * Endpoint: `POST /v1/delegation/solana/post-approval`
   *
   * @throws RequestValidationError before anything is sent
   * @throws ApiError with code `wallet_already_approved`
   * @throws UnprocessableError with `fieldErrors`
   * @example
   * ```ts
   * async function prove(txHash: string, sigHash: string, sigMessage: string, token: string) {
   *   await userClient.delegation.submitSolanaApproval({
   *     address: 'So11111111111111111111111111111111111111112',
   *     network: 'solana',
   *     currency: 'usdc',
   *     amount: '100.5',
   *     txHash,
   *     sigHash,
   *     sigMessage,
   *     token,
   *   });
   * }
   * ```
   */
  submitSolanaApproval(
    input: SolanaApprovalInput,
    options?: RequestOptions,
  ): PlatformPromise<SuccessResult> {
    return this.send(submitSolanaApproval, input, options);
  }

  /**
   * Checks a proof as its submission will, and sends nothing: a flow checks before it asks the wallet.
   *
   * @internal
   */
  [CHECK_PROOF](chain: 'evm' | 'solana', input: unknown): Promise<void> {
    const endpoint = chain === 'evm' ? submitEvmApproval : submitSolanaApproval;
    return checkInput(this.send, endpoint as Endpoint, input);
  }

  /**
   * Returns networks with their chain ids, spenders and tokens. They differ between the global and
   * the US region. The contract does not list this endpoint; deployed clients use it.
   *
   * Endpoint: `GET /v1/delegation/chain/config` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const { networks } = await userClient.delegation.chainConfig();
   * const spender = networks?.find(({ network }) => network === 'linea')?.delegationContract;
   * ```
   */
  chainConfig(options?: RequestOptions): PlatformPromise<ChainConfig>;
  chainConfig<Output>(options: RequestOptions & SchemaOption<Output>): PlatformPromise<Output>;
  chainConfig(options?: RequestOptions) {
    return this.send(chainConfig, {}, options);
  }
}
