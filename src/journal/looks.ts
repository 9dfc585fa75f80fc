import { getCreditWallet } from '../contract/credit-wallet.js';
import type { OwnLook } from '../contract/endpoint.js';
import type { EndpointId } from '../contract/endpoints.js';
import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { listInternalWallets } from '../contract/internal-wallets.js';
import { KEPT_FIELDS } from './entry-details.js';
import { HISTORY_IS_UNREADABLE } from './history.js';
import {
  type ContractLook,
  lookAtCardOrder,
  lookAtCreatedWallets,
  lookAtCreatedWebhook,
  lookAtLink,
  lookAtRegistration,
  lookAtUnfreeze,
  lookAtUnlink,
  unclear,
} from './look-at-states.js';
import type { LookResult, LookTools } from './own-reconcile.js';
import type { Row } from './reads.js';
import { WALLETS } from './rivals.js';
import { isSameAddress } from './same-values.js';

type Wallet = Parameters<LookTools['readDebits']>[0];

async function lookAtHistory({ readDebits }: LookTools, wallet: Wallet): Promise<LookResult> {
  const effects = await readDebits(wallet);
  return effects === undefined ? unclear(HISTORY_IS_UNREADABLE) : { effects };
}

/** Looks for a withdrawal in the history of the credit wallet. */
const lookAtCreditWithdrawal: ContractLook = async (tools, reads) => {
  const wallet = (await reads.read(getCreditWallet, {})) as Row | undefined;
  const walletId = wallet?.['id'];
  if (wallet === undefined || typeof walletId !== 'string') {
    return unclear('the service shows no credit wallet');
  }
  reads.show('wallets.credit.get', [wallet], ['id', 'balance', 'currency']);
  return lookAtHistory(tools, { walletId, walletType: 'CREDIT' });
};

/** Looks for a withdrawal in the history of the custodial wallet that it was taken from. */
const lookAtInternalWithdrawal: ContractLook = async (tools, reads) => {
  const { sourceAddress = '', sourceMemo = '', currency = '' } = tools.details;
  const wallets = await reads.list(listInternalWallets, {});
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
  reads.show('wallets.internal.list', [wallet], ['id', 'balance', 'currency', 'address']);
  return lookAtHistory(tools, {
    walletId: wallet['id'],
    walletType: 'INTERNAL',
    walletCurrency: currency,
  });
};

/** How to look up a request of the contract. */
type LookRow = {
  readonly look: ContractLook;
  /** The details that identify what the request acts on. */
  readonly target?: readonly string[];
  /** A name shared by operations that explain or undo each other. */
  readonly actsOn?: string;
};

const APPROVAL: LookRow = { look: lookAtRegistration, target: ['address', 'network', 'currency'] };
const LINK = { target: ['addressId'], actsOn: 'wallets.internal.linkToCard' };

/**
 * How to look up each request that must not be sent twice, or why no read shows it. A test requires a
 * row for every such endpoint.
 */
export const LOOKS: { readonly [Id in EndpointId]?: LookRow | string } = {
  'auth.login': 'a login leaves nothing that can be read; logging in again is safe',
  'auth.sendLoginOtp': 'no read shows whether a code was sent; ask the user',
  'card.order': { look: lookAtCardOrder },
  'card.unfreeze': { look: lookAtUnfreeze },
  'delegation.getToken':
    'no read shows whether the faucet paid out; look at the balance of the wallet on its network',
  'delegation.submitEvmApproval': APPROVAL,
  'delegation.submitSolanaApproval': APPROVAL,
  'orders.create':
    'no read lists orders, and the order id was in the lost response; an order that nobody pays expires',
  'wallets.credit.withdraw': { look: lookAtCreditWithdrawal, actsOn: WALLETS },
  'wallets.internal.create': { look: lookAtCreatedWallets },
  'wallets.internal.linkToCard': { look: lookAtLink, ...LINK },
  'wallets.internal.unlinkFromCard': { look: lookAtUnlink, ...LINK },
  'wallets.internal.withdraw': {
    look: lookAtInternalWithdrawal,
    target: ['currency', 'sourceAddress', 'sourceMemo'],
    actsOn: WALLETS,
  },
  'webhooks.create': { look: lookAtCreatedWebhook, target: ['name'] },
  'webhooks.rotateKey': 'no read shows the new key, so it is lost in any case; rotate again',
};

const UNKNOWN_OPERATION =
  'the journal does not know how to look up this operation: declare reconcile for its endpoint, and ' +
  'list it in journal.endpoints';

/** How to look up a request, in the form that endpoints outside the contract declare. */
export type DeclaredLook = Omit<OwnLook, 'look'> & { readonly look: ContractLook };

/** Returns how to look up the requests of an operation, or why nobody can. */
export function declaredLook(
  own: ReadonlyMap<string, OwnLook>,
  operation: string,
): DeclaredLook | string {
  const declared = own.get(operation);
  if (declared !== undefined) {
    const look = declared.look as (tools: LookTools) => Promise<LookResult>;
    return { ...declared, look: (tools) => look(tools) };
  }
  const id = operation as EndpointId;
  const row = Object.hasOwn(LOOKS, operation) ? LOOKS[id] : undefined;
  if (row === undefined) return UNKNOWN_OPERATION;
  if (typeof row === 'string') return row;
  // Only a wallet on some networks has a memo.
  const details = (KEPT_FIELDS[id] ?? []).filter((name) => name !== 'sourceMemo');
  return { details, target: [], actsOn: operation, ...row };
}
