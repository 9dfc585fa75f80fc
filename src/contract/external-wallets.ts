import type { NoInput } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import { list, responseBody, text, textOrNumber } from './fields.js';
import { observedResponse } from './response.js';

/** The user's own registered wallet (preview): any field may be absent. */
export type ExternalWallet = {
  address?: string | null | undefined;
  /** In either case, for example `usdc` or `USDC`. */
  currency?: string | null | undefined;
  /** Decimal string. A number, if the service sends one, is unchanged and may have lost digits. */
  balance?: string | number | null | undefined;
  /**
   * The spending limit, or what is left of it, in whole currency units. It may be a text that is not
   * a decimal. Otherwise like `balance`.
   */
  allowance?: string | number | null | undefined;
  network?: string | null | undefined;
};

/** GET /v1/wallet/external (preview) */
export const listExternalWallets = defineEndpoint<NoInput, readonly ExternalWallet[]>({
  id: 'wallets.external.list',
  method: 'GET',
  path: '/v1/wallet/external',
  pageAccess: 'allowed',
  stability: 'preview',
  retry: 'safe',
  responses: {
    200: observedResponse(
      list(
        responseBody({
          address: text,
          currency: text,
          balance: textOrNumber,
          allowance: textOrNumber,
          network: text,
        }),
      ),
    ),
  },
});
