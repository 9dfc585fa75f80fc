import type { NoInput, OpenEnum, SuccessResult } from './common.js';
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
import { equalsIgnoringCase } from './formats/ignore-case.js';
import { isSameAddress } from './formats/same-values.js';
import { type ContractReconcile, lookAtDebits, type Row, unclear, WALLETS } from './lookup.js';
import type { MemoCurrency } from './recipients.js';
import {
  type DocumentedRefusal,
  insufficientBalance,
  notAuthenticated,
  refusal,
} from './refusals.js';
import { doneResponse, observedResponse, response, successResponse } from './response.js';
import {
  amountDecimals,
  recipientFormat,
  recipientIsNotSource,
  recipientMemo,
} from './withdrawal-safeguards.js';

/**
 * A custodial wallet of the user.
 *
 * @remarks
 * No field is essential: in a response that differs from the contract, any of them may be absent or
 * have another form.
 */
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
  type?: OpenEnum<'INTERNAL'> | null | undefined;
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
   * This package requires: not the source address, unless the memos differ. For `sol` a Solana
   * address; for `usdc` and `usdt` from an EVM or Solana address, an address of the same kind.
   * Otherwise up to 200 printable ASCII characters without blanks, with a valid checksum if it looks
   * like an EVM address. Never the zero address.
   */
  recipientAddress: string;
  /**
   * Memo or destination tag. Required for networks that use memos.
   *
   * @remarks
   * At most 256 characters. This package requires it where transfers are lost without one: for `xrp` and `xlm`, from an XRP or Stellar address, and from a wallet with a `sourceMemo`.
   * `null` states that the recipient uses none; the field is then not sent.
   */
  recipientMemo?: string | null | undefined;
  /** `address` of the wallet. */
  sourceAddress: string;
  /** `addressMemo` of the wallet. */
  sourceMemo?: string | null | undefined;
  /** Lower-case code, for example `xrp`. */
  currency: string;
  /**
   * `false` leaves the format of `recipientAddress` to the service, in case the rules above refuse
   * an address that the service accepts. The client option `additions.addressFormats` keeps a
   * check. Careful: a mistyped address, or the zero address, is then sent as it is, and the money
   * may be lost. This field itself is never sent to the service. Default `true`.
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

// Seen, not documented.
const custodialPlatformRequired: DocumentedRefusal = {
  code: 'custodial_platform_required',
  status: 403,
  messages: ['only available for custodial'],
  isPart: true,
};

/** GET /v1/wallet/internal */
export const listInternalWallets = defineEndpoint<NoInput, readonly InternalWallet[]>({
  id: 'wallets.internal.list',
  method: 'GET',
  path: '/v1/wallet/internal',
  pageAccess: 'allowed',
  retry: 'safe',
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
  businessErrors: [
    notAuthenticated,
    // The contract shows no status for it: 422 is that of a failed validation.
    refusal('validation_failed', 422, 'validation failed'),
    custodialPlatformRequired,
  ],
});

/** POST /v1/wallet/internal */
export const createInternalWallets = defineEndpoint<CreateInternalWalletsInput, SuccessResult>({
  id: 'wallets.internal.create',
  method: 'POST',
  path: '/v1/wallet/internal',
  pageAccess: 'allowed',
  retry: 'never',
  input: input({
    wallets: filledList(input({ network: code, currency: code }), 'must name at least one wallet'),
  }),
  responses: { 200: doneResponse, 201: doneResponse },
  businessErrors: [
    refusal('invalid_network_or_currency', 422, 'invalid network or currency combination'),
    custodialPlatformRequired,
  ],
  reconcile: {
    details: ['wallets'],
    listDetails: { wallets: ['network', 'currency'] },
    takesFromWallets: false,
    // The list shows neither network nor age, so only the absence of a wallet counts.
    async look({ details, readRows, show }) {
      const rows = await readRows(listInternalWallets, {});
      const currencies = details.wallets.split(',').flatMap((pair) => pair.split(':')[1] ?? []);
      if (rows === undefined || currencies.length === 0) {
        return unclear('the service does not list the wallets, or the request has no currency');
      }
      const found = rows.filter((row) =>
        currencies.some(
          (currency) => row['currency'] == null || equalsIgnoringCase(row['currency'], currency),
        ),
      );
      show(listInternalWallets, found, ['id', 'currency', 'address']);
      return found.length === 0
        ? { isDone: false, reason: 'the user has no wallet of these currencies' }
        : unclear('the list does not show when a wallet was created');
    },
  },
});

const UNREADABLE_LINK = 'the service does not show whether the wallet is linked to the card';

/** Looks up whether a wallet is linked to the card, or no longer linked. */
// @__NO_SIDE_EFFECTS__
function lookAtLink(isWanted: boolean): ContractReconcile<LinkWalletInput> {
  return {
    details: ['addressId'],
    target: ['addressId'],
    actsOn: 'wallets.internal.linkToCard',
    takesFromWallets: false,
    async look({ details, readRows, show }) {
      const wallets = await readRows(listInternalWallets, {});
      const own = wallets?.find(({ addressId }) => addressId === details.addressId);
      const rows = await readRows(listLinkedWallets, {});
      if (own === undefined || rows === undefined) return unclear(UNREADABLE_LINK);
      const shows = (row: Row, name: string) => row[name] != null && own[name] != null;
      const isSame = (row: Row, name: string) => shows(row, name) && row[name] === own[name];
      // Without an id or an address that both lists show, a row could be any wallet. One address can
      // have wallets of several currencies.
      const mayBeOwn = (row: Row) =>
        isSame(row, 'address')
          ? !isSame(row, 'id') && !shows(row, 'currency')
          : !shows(row, 'id') && !shows(row, 'address');
      if (rows.some(mayBeOwn)) return unclear(UNREADABLE_LINK);
      const linked = rows.filter(
        (row) =>
          isSame(row, 'id') ||
          (isSame(row, 'address') && equalsIgnoringCase(row['currency'], String(own['currency']))),
      );
      show(listLinkedWallets, linked, ['id', 'address', 'currency']);
      const isLinked = linked.length > 0;
      const reason = `the wallet is ${isLinked ? '' : 'not '}linked to the card`;
      return { isDone: isLinked === isWanted, reason };
    },
  };
}

/** POST /v1/wallet/internal/card_linked */
export const linkWalletToCard = defineEndpoint<LinkWalletInput, SuccessResult>({
  id: 'wallets.internal.linkToCard',
  method: 'POST',
  path: LINKED,
  pageAccess: 'allowed',
  retry: 'never',
  input: input({ addressId: identifier }),
  responses: { 200: doneResponse, 201: doneResponse },
  businessErrors: [refusal('max_linked_wallets', 400, 'maximum 5 wallets can be linked')],
  reconcile: lookAtLink(true),
});

/** GET /v1/wallet/internal/card_linked (preview) */
export const listLinkedWallets = defineEndpoint<NoInput, readonly LinkedWallet[]>({
  id: 'wallets.internal.listLinked',
  method: 'GET',
  path: LINKED,
  pageAccess: 'allowed',
  stability: 'preview',
  retry: 'safe',
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
  retry: 'never',
  input: input({ addressId: identifier }),
  sendsBody: true,
  responses: { 200: doneResponse },
  reconcile: lookAtLink(false),
});

/** POST /v1/wallet/internal/withdraw */
export const withdrawFromInternalWallet = defineEndpoint<WithdrawInternalInput, SuccessResult>({
  id: 'wallets.internal.withdraw',
  method: 'POST',
  path: '/v1/wallet/internal/withdraw',
  pageAccess: 'allowed',
  retry: 'never',
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
  responses: { 200: successResponse },
  errors: [500],
  businessErrors: [
    insufficientBalance,
    notAuthenticated,
    refusal('invalid_recipient_address', 400, 'invalid recipient address format'),
  ],
  reconcile: {
    details: ['amount', 'currency', 'sourceAddress', 'sourceMemo'],
    target: ['currency', 'sourceAddress', 'sourceMemo'],
    actsOn: WALLETS,
    async look({ details: { sourceAddress, sourceMemo, currency }, readRows, show, readDebits }) {
      const wallets = await readRows(listInternalWallets, {});
      const own = wallets?.filter(
        ({ address, currency: held, addressMemo }) =>
          isSameAddress(address, sourceAddress) &&
          equalsIgnoringCase(held, currency) &&
          (sourceMemo === '' || addressMemo === sourceMemo),
      );
      const [wallet] = own ?? [];
      if (own?.length !== 1 || typeof wallet?.['id'] !== 'string') {
        return unclear('the service does not show which wallet the request is about');
      }
      show(listInternalWallets, [wallet], ['id', 'balance', 'currency', 'address']);
      return lookAtDebits(
        { readDebits },
        { walletId: wallet['id'], walletType: 'INTERNAL', walletCurrency: currency },
      );
    },
  },
});
