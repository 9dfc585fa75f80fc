import type { OpenEnum } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import {
  amount,
  contractRule,
  identifier,
  input,
  list,
  lowerCaseCode,
  oneOf,
  optional,
  responseBody,
  text,
  timestamp,
  wholeNumber,
} from './fields.js';
import { response } from './response.js';
import type { Schema } from './schema.js';

/** Transactions on a full page of the wallet history. A shorter page is the last one. */
export const HISTORY_PAGE_SIZE = 10;

/** The wallet whose transactions to list. */
export type WalletHistoryInput = {
  /** `id` of the wallet. */
  walletId: string;
  /** Zero-indexed; 0 when left out. The service reads an invalid page as 0; the client refuses it. */
  page?: number | undefined;
} & (
  | {
      /** `INTERNAL` requires `walletCurrency`. The other types do not. */
      walletType: 'INTERNAL';
      /** `currency` of the wallet, for example `usdc`. */
      walletCurrency: string;
    }
  | { walletType: 'CREDIT' | 'REWARD'; walletCurrency?: string | undefined }
);

/**
 * One movement of a wallet.
 *
 * @remarks
 * No field is essential: in a response that differs from the contract, any of them may be absent or
 * have another form.
 */
export type WalletTransaction = {
  /** Description. */
  name: string;
  /** Decimal string. */
  amount: string;
  /** Lower-case code. */
  currency: string;
  /** `debit` is outgoing, `credit` incoming. */
  sign: OpenEnum<'debit' | 'credit'>;
  /** ISO 8601. */
  date: string;
};

/** GET /v1/wallet/history */
export const walletHistory = defineEndpoint<WalletHistoryInput, readonly WalletTransaction[]>({
  id: 'wallets.history.list',
  method: 'GET',
  path: '/v1/wallet/history',
  pageAccess: 'allowed',
  retry: 'safe',
  // The type states which fields go together, and the rules check it.
  input: input(
    {
      walletId: identifier,
      walletType: oneOf(['CREDIT', 'REWARD', 'INTERNAL']),
      walletCurrency: optional(identifier),
      page: optional(wholeNumber),
    },
    contractRule(
      'walletCurrency',
      'must be given when walletType is INTERNAL',
      ({ walletType, walletCurrency }) => walletType !== 'INTERNAL' || walletCurrency !== undefined,
    ),
  ) as Schema<WalletHistoryInput>,
  query: ['walletId', 'walletType', 'walletCurrency', 'page'],
  responses: {
    200: response(
      list(
        responseBody({
          name: text,
          amount,
          currency: lowerCaseCode,
          sign: oneOf(['debit', 'credit']),
          date: timestamp,
        }),
      ),
    ),
  },
  errors: [401, 403, 500],
});
