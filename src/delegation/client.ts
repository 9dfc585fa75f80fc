import type { DelegationTokenInput } from '../contract/delegation.js';
import { UNRECORDED } from '../contract/unrecorded.js';

/** The fields of the result of `delegation.getToken` that the flow reads. */
export type DelegationTokenResult = {
  token: string;
  nonce: string;
  faucet?: Record<string, unknown> | null | undefined;
  faucetOutcome?: 'not-requested' | 'succeeded' | 'failed' | 'unknown' | undefined;
};

/** A pending `getToken` call. `withResponse` is there if the call is an HTTP request. */
export type TokenCall = PromiseLike<DelegationTokenResult> & {
  /** The result with the headers of the HTTP response. */
  withResponse?(): PromiseLike<{
    data: DelegationTokenResult;
    headers: {
      /** The value of one header; `null` if the response does not have it. */
      get(name: string): string | null;
    };
  }>;
};

/** The fields of an entry of `wallets.external.list` that the flow reads. */
export type RegisteredWallet = {
  address?: unknown;
  currency?: unknown;
  network?: unknown;
  allowance?: unknown;
};

/** The call options that the flow sets. */
export type DelegationCallOptions = { signal?: AbortSignal | undefined };

/**
 * The options of a request that must not be sent twice. Its outcome is in the state of the flow, which
 * looks it up when it is resumed. In the client's journal its entry would stay open: only the flow knows.
 */
export function unrecorded(signal: AbortSignal | undefined): DelegationCallOptions {
  return Object.assign({ signal }, { [UNRECORDED]: true });
}

/**
 * The part of the client that the flow uses. Pass a `CardPlatformClient`, or a plain object that
 * calls your own server, so that the client key stays there.
 */
export type DelegationClient = {
  delegation: {
    /** `GET /v1/delegation/token` */
    getToken(input?: DelegationTokenInput, options?: DelegationCallOptions): TokenCall;
  };
  /** Used to find out whether the wallet is registered, and with which limit. */
  wallets?:
    | {
        external: {
          /** `GET /v1/wallet/external` */
          list(
            options?: DelegationCallOptions & { region?: 'us' | undefined },
          ): PromiseLike<unknown>;
        };
      }
    | undefined;
};
