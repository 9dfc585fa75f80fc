import type { NoInput } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import { list, responseBody } from './fields.js';
import { SAFE } from './retry-policy.js';

/** The user's own registered wallet (preview): any field may be absent. */
export type ExternalWallet = {
  address?: string | null | undefined;
  /** In either case, for example `usdc` or `USDC`. */
  currency?: string | null | undefined;
  /** Decimal string. A number if the service sends one, unchanged: never exact beyond 2^53. */
  balance?: string | number | null | undefined;
  /**
   * The amount that can still be spent, in whole currency units; sometimes not a decimal. Otherwise
   * like `balance`.
   */
  allowance?: string | number | null | undefined;
  network?: string | null | undefined;
};

/** GET /v1/wallet/external (preview) */
export const listExternalWallets = defineEndpoint<NoInput, readonly ExternalWallet[]>({
  id: 'wallets.external.list',
  method: 'GET',
  path: '/v1/wallet/external',
  stability: 'preview',
  retry: SAFE,
  responses: { 200: { schema: list(responseBody({})) } },
});
