import { decimalToBaseUnits, isDecimal } from '../contract/formats/decimal.js';
import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { isObject } from '../contract/formats/is-object.js';
import type { DelegationClient } from './client.js';
import type { DelegationLimit } from './driver.js';
import type { DelegationRun } from './run.js';

const HEX = /^0x[0-9a-f]{1,64}$/i;

/**
 * A limit of the service's list: base units from hex, otherwise the decimal string. `undefined` for
 * anything else, which the list contains in practice.
 */
export function parseListedLimit(value: unknown): bigint | string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  if (HEX.test(trimmed)) return BigInt(trimmed);
  return isDecimal(trimmed) ? trimmed : undefined;
}

/** A limit as the service reports it, next to the requested one. */
type ReportedLimit =
  /** `same` may also be what is left of the requested limit. */
  { readonly is: 'same' | 'different'; readonly shown: string } | { readonly is: 'unreadable' };

/** Up to this many digits, a JSON number is exactly the decimal that the service wrote. */
const EXACT_DIGITS = 15;

/**
 * Compares a limit of the service's list with the requested one. In practice the list has decimal
 * strings, numbers, and strings that are neither. A proof has whole or base units (`wireAmount`).
 * Therefore a value is read in both units, and in hex as well. A wrong match would need two limits
 * whose ratio is 10 to the power of `decimals`.
 *
 * @param remaining what the chain still allows, if known: the service may count down as it is spent
 */
function compareLimit(value: unknown, limit: DelegationLimit, remaining?: bigint): ReportedLimit {
  const listed = isExact(value) ? parseListedLimit(value) : undefined;
  if (listed === undefined) return { is: 'unreadable' };
  const { units: asked, allowance: most = asked } = limit;
  // What is left of a limit is never more than the limit.
  const left = remaining !== undefined && remaining <= most ? remaining : undefined;
  const same = [asked, most, left];
  // More decimals than the currency has: readable, and equal to nothing.
  const isSame = [limit.decimals, 0]
    .map((decimals) => decimalToBaseUnits(String(listed), decimals))
    .some((units) => units !== undefined && same.includes(units));
  return { is: isSame ? 'same' : 'different', shown: String(value).trim() };
}

/** Whether a number is the decimal that the service wrote, not only the nearest number to it. */
function isExact(value: unknown): boolean {
  return typeof value !== 'number' || String(value).replace(/\D/g, '').length <= EXACT_DIGITS;
}

const MAX_CHECKS = 3;
const CHECK_INTERVAL_MS = 2_000;

/** What the service's list of external wallets holds about a delegation. */
type RegisteredLimit =
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
  external: NonNullable<DelegationClient['wallets']>['external'],
): Promise<RegisteredLimit> {
  // Another region knows nothing of the proof.
  const { signal, region } = run.options;
  const list = await run.readOptional(() => external.list({ signal, region }));
  if (!Array.isArray(list)) return { is: 'no-list' };
  const own = list.filter((entry: unknown) => isThisWallet(run, entry));
  if (own.length === 0) return { is: 'absent' };
  const compare = (remaining?: bigint) =>
    best(own.map((entry) => compareLimit(entry['allowance'], run.driver.limit, remaining)));
  const found = compare();
  if (found.is !== 'different') return found;
  // The service may count down as the limit is spent, and only the chain knows what is left.
  return compare(await run.readOptional(() => readRemaining(run)));
}

/**
 * What is left of the limit on the chain. After a reorganization that removed the approval, that is an
 * earlier limit.
 */
async function readRemaining(run: DelegationRun): Promise<bigint | undefined> {
  const remaining = await run.driver.remainingLimit?.(run);
  const transactionId = run.state.approval?.transactionId;
  if (transactionId !== undefined) await run.driver.compare(transactionId, run);
  return remaining;
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
