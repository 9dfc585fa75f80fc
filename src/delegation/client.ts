import type { DelegationTokenInput } from '../contract/delegation.js';

/** What `delegation.getToken` answers, as far as the flow reads it. */
export type DelegationTokenResult = {
  token: string;
  nonce: string;
  faucet?: Record<string, unknown> | null | undefined;
  faucetOutcome?: 'not-requested' | 'succeeded' | 'failed' | undefined;
};

/** What a client's call gives, and how its HTTP answer can be had where there is one. */
export type TokenCall = PromiseLike<DelegationTokenResult> & {
  /** The result with the headers of the HTTP answer. */
  withResponse?(): PromiseLike<{
    data: DelegationTokenResult;
    headers: {
      /** The value of one header; `null` where the answer has none. */
      get(name: string): string | null;
    };
  }>;
};

/** One entry of `wallets.external.list`, as far as the flow reads it. */
export type RegisteredWallet = {
  address?: unknown;
  currency?: unknown;
  network?: unknown;
  allowance?: unknown;
};

/** What every call of the client takes last, as far as the flow sets it. */
export type DelegationCallOptions = { signal?: AbortSignal | undefined };

/**
 * What the flow needs of the client. A `CardPlatformClient` has it; so has a plain object, which
 * lets a front end put its own server in between and keep the client key there.
 */
export type DelegationClient = {
  delegation: {
    /** `GET /v1/delegation/token` */
    getToken(input?: DelegationTokenInput, options?: DelegationCallOptions): TokenCall;
  };
  /** Where to look when the outcome of the last step is unknown. Without it the flow cannot look. */
  wallets?:
    | {
        external: {
          /** `GET /v1/wallet/external` */
          list(options?: DelegationCallOptions): PromiseLike<unknown>;
        };
      }
    | undefined;
};
