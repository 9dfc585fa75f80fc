import { isObject } from '../../contract/formats/is-object.js';
import { isChainError } from '../../delegation/is-chain-error.js';
import type { ReadingContext } from '../../delegation/reading-context.js';
import {
  type AddressObject,
  addressObject,
  type ExecutedTransaction,
  type SolanaAccountInfo,
  type SolanaCommitment,
  type SolanaConnection,
  type SolanaReader,
  type SolanaSignatureStatus,
} from '../connection.js';

// A node that is overloaded, or a proxy in front of it, may respond with anything. Within a read, the
// error that these functions throw is an error of the node, and the next read may succeed.

function unusable(what: string): never {
  throw new TypeError(`the node returned something that is not ${what}`);
}

/** Checks the accounts of a response, of which there must be as many as were requested. */
function checkAccounts(response: unknown, count: number): (SolanaAccountInfo | null)[] {
  const isAccount = (one: unknown) => {
    if (one === null || one === undefined) return true;
    return isObject(one) && one['data'] !== undefined && isObject(one['owner']);
  };
  const isList = Array.isArray(response) && response.length === count && response.every(isAccount);
  return isList ? response : unusable('a list of accounts');
}

/** Checks the status of one transaction, and the slot that the node had reached. */
export function checkStatus(
  response: Awaited<ReturnType<SolanaConnection['getSignatureStatuses']>>,
): { status: SolanaSignatureStatus | undefined; slot: number | undefined } {
  const { value, context }: { value?: unknown; context?: { slot: number } | undefined } =
    Object(response);
  if (!Array.isArray(value) || value.length !== 1) unusable('a status');
  const [status] = value as (SolanaSignatureStatus | null)[];
  return { status: status ?? undefined, slot: context?.slot };
}

/** Checks the history of an address. */
export function checkHistory(response: unknown): { signature: string; err: unknown }[] {
  const isHistory =
    Array.isArray(response) && response.every((one) => typeof one?.signature === 'string');
  return isHistory ? response : unusable('a history');
}

/** Checks an executed transaction; `null` if the node does not know it. */
export function checkExecuted(response: unknown): ExecutedTransaction | null {
  if (response === null) return null;
  const { transaction } = Object(response) as Partial<ExecutedTransaction>;
  const { staticAccountKeys, compiledInstructions } = transaction?.message ?? {};
  return Array.isArray(staticAccountKeys) && Array.isArray(compiledInstructions)
    ? (response as ExecutedTransaction)
    : unusable('a transaction');
}

/** A connection that reads accounts, several with one request if it can. */
export type SolanaAccountReader = SolanaReader & Pick<SolanaConnection, 'getMultipleAccountsInfo'>;

/** How many accounts a node returns for one request. */
const MAX_ACCOUNTS = 100;

/** Reads accounts in the given order, with one request for each 100 where the connection can. */
export async function readAccounts(
  connection: SolanaAccountReader,
  addresses: readonly string[],
  commitment: SolanaCommitment,
): Promise<(SolanaAccountInfo | null)[]> {
  const objects = addresses.map(addressObject);
  if (connection.getMultipleAccountsInfo === undefined) {
    const one = (object: AddressObject) => connection.getAccountInfo(object, commitment);
    return checkAccounts(await Promise.all(objects.map(one)), objects.length);
  }
  const found: (SolanaAccountInfo | null)[] = [];
  for (let from = 0; from < objects.length; from += MAX_ACCOUNTS) {
    const some = objects.slice(from, from + MAX_ACCOUNTS);
    const infos = await connection.getMultipleAccountsInfo(some, commitment);
    found.push(...checkAccounts(infos, some.length));
  }
  return found;
}

const INTERVAL_MS = 1_000;

/** How long a read before the approval waits for a node that lags, in milliseconds. */
const LAG_LIMIT_MS = 5_000;

/** How to read again. */
type ReadAgain<T> = {
  /** What is read, for an error message. */
  what: string;
  read: () => Promise<T>;
  /** Whether the value can be used. One that cannot may come from a node that lags. */
  isUsable?: ((value: T) => boolean) | undefined;
  /** Milliseconds after which the last value or error is final. Default `LAG_LIMIT_MS`. */
  limit?: number | undefined;
};

/**
 * Reads from the node, and reads again while it fails or returns something that cannot be used:
 * behind one URL are many nodes, of which some lag and some refuse a request too many.
 *
 * @throws ChainReadError when the last read failed.
 */
export async function readAgain<T>(
  context: ReadingContext,
  { what, read, isUsable = () => true, limit = LAG_LIMIT_MS }: ReadAgain<T>,
): Promise<T> {
  const startedAt = context.now();
  for (let left = Math.ceil(limit / INTERVAL_MS); ; left--) {
    const isLast = left <= 0 || context.now() - startedAt >= limit;
    try {
      const value = await context.read(what, read);
      if (isLast || isUsable(value)) return value;
    } catch (error) {
      if (isLast || !isChainError(error, 'chain_unreadable')) throw error;
    }
    await context.sleep(INTERVAL_MS);
  }
}
