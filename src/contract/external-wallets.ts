import type { NoInput } from './common.js';
import type { Endpoint } from './endpoint.js';
import { answer, input, list } from './fields.js';
import { READ } from './repeat.js';

/** A wallet of the user's own, as it was seen (preview): any field may be absent. */
export type ExternalWallet = {
  address?: string | null | undefined;
  /** In either case, for example `usdc` or `USDC`. */
  currency?: string | null | undefined;
  balance?: string | null | undefined;
  /** What may still be spent, in whole currency units; sometimes not a number. */
  allowance?: string | null | undefined;
  network?: string | null | undefined;
};

/** GET /v1/wallet/external (preview) */
export const listExternalWallets: Endpoint<NoInput, readonly ExternalWallet[]> = {
  id: 'wallets.external.list',
  method: 'GET',
  path: '/v1/wallet/external',
  credentials: ['clientKey', 'accessToken'],
  routing: 'header',
  stability: 'preview',
  repeat: READ,
  input: input({}),
  sendsBody: false,
  answers: { 200: { schema: list(answer({})) } },
  errors: [],
  businessErrors: [],
  secrets: [],
};
