import { ProtocolError, RequestValidationError } from '../endpoints/index.js';

/** A wallet, as its owner knows it. Upper and lower case are the same. */
export type WalletInOrder = {
  address: string;
  currency: string;
  /** Needed if one address has a currency on several networks. */
  network?: string | undefined;
};

/** A wallet of a list that the service returned. */
export type ListedWallet = {
  readonly address?: string | null | undefined;
  readonly currency?: string | null | undefined;
  readonly network?: string | null | undefined;
  readonly priority?: number | string | null | undefined;
};

const lower = (value: unknown) => String(value ?? '').toLowerCase();

/** Whether two wallets have the same address and currency. */
export function isSameWallet(one: ListedWallet, other: ListedWallet): boolean {
  return (
    lower(one.address) === lower(other.address) && lower(one.currency) === lower(other.currency)
  );
}

/** Whether a listed wallet is the requested one. A network that one side leaves out fits any. */
function isRequested(requested: WalletInOrder, listed: ListedWallet): boolean {
  const network = lower(requested.network);
  const other = lower(listed.network);
  const isSameNetwork = network === '' || other === '' || network === other;
  return isSameWallet(requested, listed) && isSameNetwork;
}

function refuse(operation: string, index: number, message: string): never {
  throw new RequestValidationError([{ path: `wallets.${index}`, message }], operation);
}

/**
 * Checks a requested order before anything is sent, and returns a copy: the caller may change it
 * while the list is read.
 *
 * @throws RequestValidationError
 */
export function requireOrder(
  operation: string,
  wallets: readonly WalletInOrder[],
): readonly WalletInOrder[] {
  if (!Array.isArray(wallets) || wallets.length === 0) {
    const issue = { path: 'wallets', message: 'must be an array of at least one wallet' };
    throw new RequestValidationError([issue], operation);
  }
  const keys = new Set<string>();
  return wallets.map((wallet: unknown, index) => {
    const { address, currency, network }: Record<string, unknown> = Object(wallet);
    const isNamed = typeof address === 'string' && typeof currency === 'string';
    if (!isNamed || address.trim() === '' || currency.trim() === '') {
      refuse(operation, index, 'must have an address and a currency');
    }
    const key = JSON.stringify([lower(address), lower(currency), lower(network)]);
    if (keys.has(key)) refuse(operation, index, 'must occur only once');
    keys.add(key);
    return { address, currency, network: lower(network) };
  });
}

/**
 * Puts the requested wallets first, and all others behind them in their present order. Where the
 * service shows no priority of a wallet, its place is not known: it comes last.
 *
 * @throws RequestValidationError when a requested wallet is not in the list, or fits several
 */
export function putInOrder<Wallet extends ListedWallet>(
  operation: string,
  wallets: readonly WalletInOrder[],
  listed: readonly Wallet[],
): readonly Wallet[] {
  const requested = wallets.map((wallet, index) => {
    const [found, ...others] = listed.filter((one) => isRequested(wallet, one));
    if (found === undefined) return refuse(operation, index, 'is not in the list of wallets');
    if (others.length > 0) refuse(operation, index, 'matches several wallets: add its network');
    return found;
  });
  const repeated = requested.findIndex((one, index) => requested.indexOf(one) < index);
  if (repeated >= 0) refuse(operation, repeated, 'must occur only once');
  const rest = listed.filter((one) => !requested.includes(one));
  const inOrder = rest.sort((one, other) => placeOf(one) - placeOf(other) || 0);
  return [...requested, ...inOrder];
}

function placeOf({ priority }: ListedWallet): number {
  const place = Number(priority ?? Number.NaN);
  return Number.isNaN(place) ? Number.POSITIVE_INFINITY : place;
}

/** The priorities to assign: those in use, so that the service keeps its own numbers. */
export function prioritiesOf(listed: readonly ListedWallet[]): readonly number[] {
  const used = [...new Set(listed.map(placeOf))];
  return used.length === listed.length && used.every(Number.isSafeInteger)
    ? used.sort((one, other) => one - other)
    : listed.map((_, index) => index + 1);
}

/** The error for a list whose wallets cannot be put in an order. */
export function unusableList(operation: string, status: number, what: string): ProtocolError {
  return new ProtocolError({
    operation,
    status,
    outcome: 'executed',
    isRead: true,
    message: `the response ${what}, so no order was set.`,
  });
}
