import { isSolanaAddress } from '../../contract/formats/base58.js';
import { isEvmAddress } from '../../contract/formats/evm-address.js';
import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { hasFormat, needsMemo, recipientProblem } from '../../contract/recipients.js';
import { HISTORY_PAGE_SIZE } from '../../contract/wallet-history.js';
import {
  type Behaviours,
  custodial,
  errorResponse,
  fieldErrors,
  type MockCall,
  type MockResponse,
  ok,
  textOf,
} from '../behaviour.js';
import { add, coversAmounts, subtract } from '../money.js';
import { newInternalWallet } from '../new-objects.js';
import { addEntry } from '../payments.js';
import type { MockInternalWallet, MockUser } from '../state.js';

const MAX_LINKED_WALLETS = 5;
/** In USDC. The contract names no fee: this one is the mock's own. */
export const WITHDRAWAL_FEE = '0.1';

/** Combinations that the mock accepts without `additions`. The contract does not list them. */
const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  linea: ['usdc', 'usdt'],
  ethereum: ['usdc', 'usdt'],
  solana: ['usdc', 'usdt', 'sol'],
  xrp: ['xrp'],
};

/** What a withdrawal from the credit or the reward wallet costs. */
export const WITHDRAWAL_ESTIMATION = {
  wei: '42000000000000',
  eth: '0.000042',
  usdc: WITHDRAWAL_FEE,
};

const XRP_ADDRESS = /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/;

const FORMATS: Readonly<Record<string, (address: string) => boolean>> = {
  linea: isEvmAddress,
  ethereum: isEvmAddress,
  solana: isSolanaAddress,
  xrp: (address) => XRP_ADDRESS.test(address),
};

/** Whether a wallet can pay an address. Of an added network the mock knows as much as a client. */
function isRecipient({ input, additions }: MockCall, { network }: MockInternalWallet): boolean {
  const { formats } = additions;
  const recipient = String(input['recipientAddress']);
  const own = Object.hasOwn(formats, network) ? formats[network] : undefined;
  if (own !== undefined) return hasFormat(own, recipient);
  const known = Object.hasOwn(FORMATS, network) ? FORMATS[network] : undefined;
  return known?.(recipient) ?? recipientProblem(input, formats) === undefined;
}

/** Whether a withdrawal lacks the memo that its network uses. */
function lacksMemo({ input, additions, state }: MockCall, wallet: MockInternalWallet): boolean {
  // `null` in a request that no client of this package made is no memo either.
  const hasMemo = typeof input['recipientMemo'] === 'string';
  if (hasMemo || state.choices.missingMemo === 'accepted') return false;
  return wallet.addressMemo !== null || needsMemo(input, additions.formats);
}

/** What some platforms require. The contract shows neither texts nor statuses: they are the mock's. */
function platformRefusal({ input, state, user }: MockCall): MockResponse | undefined {
  const { recipients, withdrawals, notVerifiedStatus } = state.choices;
  if (withdrawals === 'verified-only' && user.verificationState !== 'VERIFIED') {
    return errorResponse(user.notVerifiedStatus ?? notVerifiedStatus, 'User is not verified');
  }
  const isAllowed = user.allowedRecipients.includes(String(input['recipientAddress']));
  return recipients === 'any' || isAllowed
    ? undefined
    : errorResponse(403, 'Recipient address is not whitelisted');
}

function isCombination({ additions }: MockCall, network: string, currency: string): boolean {
  const known = Object.hasOwn(CURRENCIES, network) ? CURRENCIES[network] : undefined;
  if (known === undefined) return additions.isForWallets(network);
  return known.includes(currency) || additions.isForWallets(currency);
}

function record(call: MockCall, walletId: string, amount: string, currency: string): void {
  const { user, clock } = call;
  const date = clock.iso();
  addEntry(user, walletId, { name: 'Withdrawal', amount, currency, sign: 'debit', date });
}

const internal: Behaviours = {
  'wallets.internal.list': custodial(({ user }) =>
    ok(user.internalWallets.map(({ network, ...shown }) => ({ ...shown, type: 'INTERNAL' }))),
  ),

  'wallets.internal.create': custodial((call) => {
    const requested = call.input['wallets'] as { network: string; currency: string }[];
    if (requested.some(({ network, currency }) => !isCombination(call, network, currency))) {
      return errorResponse(422, 'Invalid network or currency combination');
    }
    const { internalWallets } = call.user;
    for (const { network, currency } of requested) {
      if (internalWallets.some((one) => one.network === network && one.currency === currency))
        continue;
      const format = call.additions.formats[network];
      internalWallets.push(newInternalWallet(call.ids, network, currency, format));
    }
    return ok({ success: true }, 201);
  }),

  'wallets.internal.linkToCard': custodial((call) => {
    const addressId = textOf(call, 'addressId');
    const { internalWallets, linkedWallets } = call.user;
    if (!internalWallets.some((wallet) => wallet.addressId === addressId)) {
      return errorResponse(422, 'addressId is not known');
    }
    if (linkedWallets.includes(addressId)) return ok({ success: true }, 201);
    if (linkedWallets.length >= MAX_LINKED_WALLETS)
      return errorResponse(400, 'Maximum 5 wallets can be linked');
    linkedWallets.push(addressId);
    return ok({ success: true }, 201);
  }),

  'wallets.internal.listLinked': custodial(({ user, state }) => {
    const byAddressId = new Map(user.internalWallets.map((wallet) => [wallet.addressId, wallet]));
    const linked = user.linkedWallets.flatMap((addressId) => byAddressId.get(addressId) ?? []);
    const given = state.observed?.linkedPriorities ?? [];
    let next = 0;
    return ok(
      linked.map(({ id, address, currency, network, addressId }) => {
        const own = given.find((one) => one.userId === user.id && one.addressId === addressId);
        const { priority } = own ?? { priority: next };
        next = priority + 1;
        return { id, address, currency, network, priority };
      }),
    );
  }),

  'wallets.internal.unlinkFromCard': custodial((call) => {
    const { user, state } = call;
    const { observed } = state;
    const addressId = textOf(call, 'addressId');
    if (!user.linkedWallets.includes(addressId)) return ok({ success: false });
    user.linkedWallets = user.linkedWallets.filter((linked) => linked !== addressId);
    if (observed !== undefined) {
      observed.linkedPriorities = observed.linkedPriorities.filter(
        (one) => one.userId !== user.id || one.addressId !== addressId,
      );
    }
    return ok({ success: true });
  }),

  'wallets.internal.withdraw': custodial((call) => {
    const amount = textOf(call, 'amount');
    const currency = textOf(call, 'currency');
    const wallet = call.user.internalWallets.find(
      ({ address, currency: held, addressMemo }) =>
        address === textOf(call, 'sourceAddress') &&
        held === currency &&
        (call.input['sourceMemo'] ?? addressMemo) === addressMemo,
    );
    if (wallet === undefined) return errorResponse(422, 'sourceAddress is not known');
    if (lacksMemo(call, wallet)) {
      const message = 'is required for networks that use memos';
      return fieldErrors({ field: 'recipientMemo', message });
    }
    if (!isRecipient(call, wallet)) {
      return errorResponse(400, 'Invalid recipient address format');
    }
    const refusal = platformRefusal(call);
    if (refusal !== undefined) return refusal;
    if (!coversAmounts(wallet.balance, amount)) return errorResponse(400, 'Insufficient balance');
    wallet.balance = subtract(wallet.balance, amount);
    record(call, wallet.id, amount, currency);
    return ok({ success: true });
  }),
};

/** Whether a wallet of the user has the type, and the currency, that a request names. */
function isOfType({ user, input }: MockCall, walletId: string): boolean {
  const internal = user.internalWallets.find(({ id }) => id === walletId);
  const isCredit = walletId === user.creditWallet.id;
  if (input['walletType'] === 'CREDIT') return isCredit;
  if (input['walletType'] === 'INTERNAL') return internal?.currency === input['walletCurrency'];
  return !isCredit && internal === undefined;
}

/** Whether a user can be paid on linea, where an account of Solana has no address. */
export const hasEvmWallet = ({ externalWallets }: MockUser): boolean =>
  externalWallets.some(({ address }) => isEvmAddress(address));

/** Pays a withdrawal on linea, minus the fee, if the user has registered a wallet of the currency there. */
export function payOut({ externalWallets }: MockUser, amount: string, currency: string): void {
  const own = externalWallets.find(
    (one) =>
      isEvmAddress(one.address) &&
      equalsIgnoringCase(one.network, 'linea') &&
      equalsIgnoringCase(one.currency, currency),
  );
  if (own === undefined || !coversAmounts(amount, WITHDRAWAL_FEE)) return;
  own.balance = add(own.balance, subtract(amount, WITHDRAWAL_FEE));
}

const credit: Behaviours = {
  'wallets.credit.withdraw': (call) => {
    const { creditWallet } = call.user;
    const amount = textOf(call, 'amount');
    if (!creditWallet.isWithdrawable) {
      return errorResponse(400, 'Withdrawals are not allowed for this wallet');
    }
    if (!hasEvmWallet(call.user)) return errorResponse(400, 'No external wallet registered');
    if (!coversAmounts(creditWallet.balance, amount)) {
      return errorResponse(400, 'Insufficient balance');
    }
    // The contract has two texts. The mock uses the longer one when only the fee is not covered.
    if (!coversAmounts(creditWallet.balance, amount, WITHDRAWAL_FEE)) {
      return errorResponse(400, 'Insufficient balance for withdrawal');
    }
    creditWallet.balance = subtract(creditWallet.balance, amount);
    record(call, creditWallet.id, amount, 'usdc');
    payOut(call.user, amount, 'usdc');
    return ok({ txHash: call.ids.evmHash() });
  },

  'wallets.credit.get': ({ user }) =>
    user.hasCreditWallet
      ? ok({ ...user.creditWallet, currency: 'usdc', type: 'CREDIT' })
      : errorResponse(404, 'Wallet not found'),

  'wallets.credit.estimateWithdrawal': () => ok(WITHDRAWAL_ESTIMATION),
};

/** Behaviours of the wallet endpoints. */
export const walletBehaviours: Behaviours = {
  ...internal,
  ...credit,

  'wallets.external.list': ({ user }) => ok(user.externalWallets),

  'wallets.history.list': (call) => {
    const { user, input } = call;
    const page = Number(input['page'] ?? 0);
    const start = (Number.isSafeInteger(page) && page > 0 ? page : 0) * HISTORY_PAGE_SIZE;
    const walletId = textOf(call, 'walletId');
    const isKnown = isOfType(call, walletId) && Object.hasOwn(user.transactions, walletId);
    const all = (isKnown && user.transactions[walletId]) || [];
    return ok(all.slice(start, start + HISTORY_PAGE_SIZE));
  },
};
