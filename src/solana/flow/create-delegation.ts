import { baseUnitsToDecimal } from '../../contract/formats/decimal.js';
import {
  createStoredDelegation,
  type Delegation,
  type DelegationChain,
  type DelegationStartOptions,
  type DelegationStoreOptions,
  type StoredDelegationResult,
} from '../../delegation/create-delegation.js';
import { checkSolanaOptions, runSolanaDelegation } from './delegate-solana.js';
import type {
  SolanaCheckedNames,
  SolanaDelegationClient,
  SolanaDelegationOptions,
} from './options.js';
import { walletOf } from './plan.js';
import { resolveToken } from './resolve-token.js';
import { tokenAccountName } from './token-state.js';

/** The options of a delegation. Each can be passed to `createDelegation`. */
export type SolanaDelegationInput = Omit<
  SolanaDelegationOptions,
  'client' | 'resume' | 'signal' | 'onProgress' | 'approveAgain'
> &
  DelegationStartOptions;

/**
 * The options of `start`: every required one that `createDelegation` was not given, and any others.
 */
export type SolanaStartInput<Given> = Omit<SolanaDelegationInput, keyof Given> &
  Partial<SolanaDelegationInput>;

/** The options of `resume`: as `start`, without `amount`. */
export type SolanaResumeInput<Given> = Omit<SolanaStartInput<Given>, 'amount'>;

/** A delegation from a Solana wallet that keeps its own state. */
export type SolanaStoredDelegation<Given = object> = Omit<
  Delegation<object, object>,
  'start' | 'resume'
> & {
  /** See {@link Delegation.start}. */
  start<const Input extends SolanaStartInput<Given>>(
    input: Input & Partial<SolanaCheckedNames<Given & Input>>,
  ): Promise<StoredDelegationResult>;
  /** See {@link Delegation.resume}. */
  resume(
    ...input: object extends SolanaResumeInput<Given>
      ? [input?: SolanaResumeInput<Given>]
      : [input: SolanaResumeInput<Given>]
  ): Promise<StoredDelegationResult | undefined>;
};

const SOLANA: DelegationChain<SolanaDelegationOptions> = {
  kind: 'solana',
  ownerOf: async (options) => walletOf(options).address,
  async locate(options) {
    const checked = checkSolanaOptions(options);
    const wallet = walletOf(checked);
    const { address } = wallet;
    const { token, spender } = await resolveToken(checked);
    const tokenAccount = tokenAccountName({ wallet, token, options: checked });
    return {
      // The service was asked, and the spender confirmed: the flow does neither again.
      options: { ...checked, token, spender, wallet },
      key: [address, token.mint, tokenAccount, spender].join(' '),
      amountOf: (units) => baseUnitsToDecimal(BigInt(units), token.decimals),
    };
  },
  run: runSolanaDelegation,
};

/**
 * Creates a delegation for a page or an app: `delegateSolana` that keeps its own state. The
 * progress is kept in the store, by wallet, asset and spender, so that a reload, a closed tab, a
 * second click and a second tab never lead to a second approval. `subscribe` and `getState` fit
 * `useSyncExternalStore` of React and the stores of other frameworks.
 *
 * Every option of `delegateSolana` can be given here or to `start`, except `resume`, `approveAgain`,
 * `signal` and `onProgress`: in their place are the method `resume`, the option `replace`, and the
 * methods `cancel` and `subscribe`.
 *
 * @throws RequestValidationError without a client, and for a `user` that is not a string
 * @throws ConfigurationError for a store that lacks a function; `start` and `resume` also throw it when
 * no store was passed and there is no IndexedDB
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { createDelegation } from 'card-platform-sdk/solana';
 * import { Connection } from '@solana/web3.js';
 *
 * function createLimit(client: CardPlatformClient, spender: string) {
 *   return createDelegation({
 *     client,
 *     node: new Connection('https://rpc.example.com'),
 *     currency: 'usdc',
 *     spender,
 *   });
 * }
 * ```
 */
export function createDelegation<const Given extends Partial<SolanaDelegationInput>>(
  options: { client: SolanaDelegationClient } & DelegationStoreOptions &
    Given &
    Partial<SolanaCheckedNames<Given>>,
): SolanaStoredDelegation<Given> {
  return createStoredDelegation(options, SOLANA) as SolanaStoredDelegation<Given>;
}
