import { isObject } from '../../contract/formats/is-object.js';
import type {
  ExecutedTransaction,
  SolanaAccountInfo,
  SolanaConnection,
  SolanaSignatureStatus,
} from '../connection.js';

// A node that is overloaded, or a proxy in front of it, may respond with anything. Within a read, the
// error that these functions throw is an error of the node, and the next read may succeed.

function unusable(what: string): never {
  throw new TypeError(`the node returned something that is not ${what}`);
}

/** Checks the accounts of a response, of which there must be as many as were requested. */
export function checkAccounts(response: unknown, count: number): (SolanaAccountInfo | null)[] {
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
