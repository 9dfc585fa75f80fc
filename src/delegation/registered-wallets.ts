import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { baseUnitsToDecimal, decimalToBaseUnits, isDecimal } from '../contract/formats/decimal.js';
import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import type { RegisteredWallet } from './client.js';
import type { DelegationRun } from './run.js';

const MAX_CHECKS = 3;
const CHECK_INTERVAL_MS = 2_000;

/**
 * Whether the service's list of external wallets contains this delegation. The list is a preview of
 * the contract, so its failures do not fail the flow.
 */
export async function isRegistered(run: DelegationRun, maxChecks = MAX_CHECKS): Promise<boolean> {
  const { client, signal } = run.options;
  if (client.wallets === undefined) return false;
  for (let look = 1; look <= maxChecks; look++) {
    if (look > 1) await run.sleep(CHECK_INTERVAL_MS);
    const list = await Promise.resolve(client.wallets.external.list({ signal })).catch(() => []);
    throwIfAborted(signal);
    if (Array.isArray(list) && list.some((entry) => isThisDelegation(run, entry))) return true;
  }
  return false;
}

/** The amount must match too: the wallet may have been registered before. */
function isThisDelegation(run: DelegationRun, entry: RegisteredWallet | null): boolean {
  const { network, currency, amount } = run.driver.proof;
  if (entry === null || typeof entry.address !== 'string') return false;
  return (
    run.driver.isOwner(entry.address) &&
    equalsIgnoringCase(entry.currency, currency) &&
    (entry.network === undefined || equalsIgnoringCase(entry.network, network)) &&
    equalsDecimal(entry.allowance, amount)
  );
}

/** The digits up to which a JSON number is still the decimal that the service wrote. */
const EXACT_DIGITS = 15;

function equalsDecimal(value: unknown, decimal: string): boolean {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof value === 'number' && String(text).replace(/\D/g, '').length > EXACT_DIGITS)
    return false;
  if (typeof text !== 'string' || !isDecimal(text)) return false;
  return normalizeDecimal(text) === normalizeDecimal(decimal);
}

function normalizeDecimal(decimal: string): string {
  const places = decimal.split('.')[1]?.length ?? 0;
  return baseUnitsToDecimal(decimalToBaseUnits(decimal, places) ?? 0n, places);
}
