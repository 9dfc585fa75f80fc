import type { NoInput, Open, SuccessResult } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import {
  amount,
  anyAddress,
  code,
  filledList,
  filledText,
  flag,
  identifier,
  input,
  list,
  lowerCaseCode,
  maybe,
  memo,
  oneOf,
  optional,
  orNull,
  positiveAmount,
  responseBody,
  text,
  textOrNumber,
} from './fields.js';
import type { MemoCurrency } from './recipients.js';
import { doneResponse, observedResponse, response, successResponse } from './response.js';
import { NEVER, SAFE } from './retry-policy.js';
import {
  amountDecimals,
  recipientFormat,
  recipientIsNotSource,
  recipientMemo,
} from './withdrawal-safeguards.js';

/** A custodial wallet of the user. */
export type InternalWallet = {
  id: string;
  /** Decimal string. */
  balance: string;
  /** Lower-case code, for example `usdc`. */
  currency: string;
  /** Deposit address. */
  address: string;
  /** Memo or destination tag, on networks that use one. */
  addressMemo?: string | null | undefined;
  /** Links the wallet to the card. Not always the same as `id`. */
  addressId: string;
  type?: Open<'INTERNAL'> | null | undefined;
};

/** The wallets to create. */
export type CreateInternalWalletsInput = {
  wallets: readonly {
    /** For example `linea`. */
    network: string;
    /** For example `usdc`. */
    currency: string;
  }[];
};

/** The wallet to link to the card, or to unlink. */
export type LinkWalletInput = {
  /** `addressId` of the wallet. */
  addressId: string;
};

/** A withdrawal from a custodial wallet. Moves money and cannot be undone. */
export type WithdrawInternalInput = {
  /**
   * Decimal string above zero, in the wallet's currency.
   *
   * @remarks
   * At most as many decimals as the currency has, where this package knows that: 6 for `usdc` and
   * `usdt`.
   */
  amount: string;
  /**
   * The address that gets the money.
   *
   * @remarks
   * This package requires: not the source address. For `sol` a Solana address; for `usdc`
   * and `usdt` from an EVM or Solana address, an address of the same kind. Otherwise up to 200
   * printable ASCII characters without blanks, with a valid checksum if it looks like an EVM address.
   * Never the zero address.
   */
  recipientAddress: string;
  /**
   * Memo or destination tag. Required for networks that use memos.
   *
   * @remarks
   * At most 256 characters. This package requires it where transfers are lost without one: for `xrp` and `xlm`, from an XRP or Stellar address, and from a wallet with a `sourceMemo`.
   * `null` states that the recipient takes none; the field is then not sent.
   */
  recipientMemo?: string | null | undefined;
  /** `address` of the wallet. */
  sourceAddress: string;
  /** `addressMemo` of the wallet. */
  sourceMemo?: string | null | undefined;
  /** Lower-case code, for example `xrp`. */
  currency: string;
  /**
   * `false` leaves the format of `recipientAddress` to the service, in case the rules above refuse an
   * address that the service takes. The client option `additions.addressFormats` keeps a check. Careful: a mistyped address, or the zero
   * address, is then sent as it is, and the money may be lost. This field itself is never sent to
   * the service. Default `true`.
   */
  checkRecipient?: boolean | undefined;
};

/** A withdrawal in a currency that the compiler knows, which then requires the memo of `xrp` and `xlm`. */
export type WithdrawalIn<Currency extends string> = WithdrawInternalInput & {
  currency: Currency;
} & (string extends Currency
    ? unknown
    : [Currency] extends [MemoCurrency]
      ? { recipientMemo: string | null }
      : unknown);

/** A wallet that pays for the card (preview): any field may be absent. */
export type LinkedWallet = {
  id?: string | null | undefined;
  address?: string | null | undefined;
  currency?: string | null | undefined;
  network?: string | null | undefined;
  /** Can be 0. In practice it may be a string. */
  priority?: number | string | null | undefined;
};

const LINKED = '/v1/wallet/internal/card_linked';

/** GET /v1/wallet/internal */
export const listInternalWallets = defineEndpoint<NoInput, readonly InternalWallet[]>({
  id: 'wallets.internal.list',
  method: 'GET',
  path: '/v1/wallet/internal',
  pageAccess: 'allowed',
  retry: SAFE,
  responses: {
    200: response(
      list(
        responseBody({
          id: filledText,
          balance: amount,
          currency: lowerCaseCode,
          address: filledText,
          addressMemo: orNull(text),
          addressId: filledText,
          type: oneOf(['INTERNAL']),
        }),
      ),
    ),
  },
  businessErrors: ['not_authenticated', 'custodial_platform_required'],
});

/** POST /v1/wallet/internal */
export const createInternalWallets = defineEndpoint<CreateInternalWalletsInput, SuccessResult>({
  id: 'wallets.internal.create',
  method: 'POST',
  path: '/v1/wallet/internal',
  pageAccess: 'allowed',
  retry: NEVER,
  input: input({
    wallets: filledList(input({ network: code, currency: code }), 'must name at least one wallet'),
  }),
  sendsBody: true,
  responses: { 200: doneResponse, 201: doneResponse },
  businessErrors: ['invalid_network_or_currency', 'custodial_platform_required'],
});

/** POST /v1/wallet/internal/card_linked */
export const linkWalletToCard = defineEndpoint<LinkWalletInput, SuccessResult>({
  id: 'wallets.internal.linkToCard',
  method: 'POST',
  path: LINKED,
  pageAccess: 'allowed',
  retry: NEVER,
  input: input({ addressId: identifier }),
  sendsBody: true,
  responses: { 200: doneResponse, 201: doneResponse },
  businessErrors: ['max_linked_wallets'],
});

/** GET /v1/wallet/internal/card_linked (preview) */
export const listLinkedWallets = defineEndpoint<NoInput, readonly LinkedWallet[]>({
  id: 'wallets.internal.listLinked',
  method: 'GET',
  path: LINKED,
  pageAccess: 'allowed',
  stability: 'preview',
  retry: SAFE,
  responses: {
    200: observedResponse(
      list(
        responseBody({
          id: text,
          address: text,
          currency: text,
          network: text,
          priority: textOrNumber,
        }),
      ),
    ),
  },
});

/** DELETE /v1/wallet/internal/card_linked (preview) */
export const unlinkWalletFromCard = defineEndpoint<LinkWalletInput, SuccessResult>({
  id: 'wallets.internal.unlinkFromCard',
  method: 'DELETE',
  path: LINKED,
  pageAccess: 'allowed',
  stability: 'preview',
  retry: NEVER,
  input: input({ addressId: identifier }),
  sendsBody: true,
  responses: { 200: doneResponse },
});

/** POST /v1/wallet/internal/withdraw */
export const withdrawFromInternalWallet = defineEndpoint<WithdrawInternalInput, SuccessResult>({
  id: 'wallets.internal.withdraw',
  method: 'POST',
  path: '/v1/wallet/internal/withdraw',
  pageAccess: 'allowed',
  retry: NEVER,
  input: input({
    amount: positiveAmount,
    recipientAddress: anyAddress,
    recipientMemo: maybe(memo),
    sourceAddress: anyAddress,
    sourceMemo: maybe(memo),
    currency: lowerCaseCode,
    checkRecipient: optional(flag),
  }),
  wireNames: { recipientAddress: 'recipientAddrss' },
  localFields: ['checkRecipient'],
  safeguards: [
    recipientFormat,
    recipientIsNotSource,
    recipientMemo,
    amountDecimals(({ currency }) => currency),
  ],
  sendsBody: true,
  responses: { 200: successResponse },
  errors: [500],
  businessErrors: ['insufficient_balance', 'not_authenticated', 'invalid_recipient_address'],
});
