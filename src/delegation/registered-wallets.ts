import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { isObject } from '../contract/formats/is-object.js';
import { compareLimit, type ReportedLimit } from './registered-limit.js';
import type { DelegationRun } from './run.js';

const MAX_CHECKS = 3;
const CHECK_INTERVAL_MS = 2_000;

/** What the service's list of external wallets holds about a delegation. */
export type RegisteredLimit =
  | ReportedLimit
  /** The list does not contain the wallet. */
  | { readonly is: 'absent' }
  /** There is no list, or it could not be read. */
  | { readonly is: 'no-list' };

/**
 * Whether the service's list of external wallets contains this delegation with its limit, or with what
 * is left of it. After a revocation the list need not contain the wallet any more.
 */
export async function isRegistered(run: DelegationRun, maxChecks = MAX_CHECKS): Promise<boolean> {
  return isSameLimit(run, await findRegisteredLimit(run, maxChecks));
}

/** Whether the list holds what this delegation asked for. */
export function isSameLimit(run: DelegationRun, { is }: RegisteredLimit): boolean {
  return is === 'same' || (is === 'absent' && run.driver.proof.isRevocation === true);
}

/**
 * Compares the service's list of external wallets with this delegation, several times because the list
 * may be late. The contract marks the list as a preview, so its failures do not fail the flow.
 */
export async function findRegisteredLimit(
  run: DelegationRun,
  maxChecks = MAX_CHECKS,
): Promise<RegisteredLimit> {
  const { client } = run.options;
  let found: RegisteredLimit = { is: 'no-list' };
  if (client.wallets === undefined) return found;
  for (let look = 1; look <= maxChecks; look++) {
    if (look > 1) await run.sleep(CHECK_INTERVAL_MS);
    found = await readRegisteredLimit(run, client.wallets.external);
    if (isSameLimit(run, found)) break;
  }
  if ('shown' in found) run.registeredAmount = found.shown;
  return found;
}

async function readRegisteredLimit(
  run: DelegationRun,
  external: { list(options: { signal: AbortSignal | undefined }): PromiseLike<unknown> },
): Promise<RegisteredLimit> {
  const { signal } = run.options;
  const list = await run.readOptional(() => external.list({ signal }));
  if (!Array.isArray(list)) return { is: 'no-list' };
  const own = list.filter((entry: unknown) => isThisWallet(run, entry));
  if (own.length === 0) return { is: 'absent' };
  const compare = (remaining?: bigint) =>
    best(own.map((entry) => compareLimit(entry['allowance'], run.driver.limit, remaining)));
  const found = compare();
  if (found.is !== 'different') return found;
  // The service may count down as the limit is spent, and only the chain knows what is left.
  return compare(await run.readOptional(() => run.driver.remainingLimit?.(run)));
}

function best(limits: readonly ReportedLimit[]): ReportedLimit {
  return (
    limits.find(({ is }) => is === 'same') ??
    limits.find(({ is }) => is === 'different') ?? { is: 'unreadable' }
  );
}

function isThisWallet(run: DelegationRun, entry: unknown): entry is Record<string, unknown> {
  if (!isObject(entry)) return false;
  const { network, currency } = run.driver.proof;
  const { address, network: other } = entry;
  return (
    typeof address === 'string' &&
    run.driver.isOwner(address) &&
    equalsIgnoringCase(entry['currency'], currency) &&
    (other === undefined || other === null || equalsIgnoringCase(other, network))
  );
}
