import type { OwnLook } from '../../contract/endpoint.js';
import type { RetryClass } from '../../contract/retry-policy.js';
import { refuse, requireId, requireNames } from '../settings/endpoint-options.js';
import { ownOptions } from '../settings/own-options.js';
import { requireApart } from './own-endpoint-extras.js';

const OPTIONS = ['details', 'target', 'actsOn', 'look'] as const;

type Given = Readonly<Partial<Record<(typeof OPTIONS)[number], unknown>>>;

/**
 * Checks how the journal looks for the effect of an endpoint outside the contract.
 *
 * @param secretInputs - input fields that no entry may hold
 * @throws ConfigurationError
 */
export function requireLook(
  value: unknown,
  id: string,
  retry: RetryClass,
  secretInputs: readonly string[],
): OwnLook | undefined {
  if (value === undefined) return undefined;
  // Requests of other classes are not recorded.
  if (retry !== 'never') refuse('reconcile', 'is for retry class never');
  const { look, actsOn = id, ...given } = ownOptions<Given>(value, OPTIONS, 'reconcile.');
  const details = requireNames(given.details, 'reconcile.details');
  const target = requireNames(given.target, 'reconcile.target');
  // Names that are secret on every endpoint are refused by the journal: their list is loaded only with a
  // call.
  requireApart(details, secretInputs, 'reconcile.details', 'secretInputs');
  if (!target.every((name) => details.includes(name))) {
    refuse('reconcile.target', 'must hold only names that reconcile.details holds');
  }
  if (typeof look !== 'function') refuse('reconcile.look', 'must be a function');
  return {
    details,
    target,
    actsOn: requireId(actsOn, 'reconcile.actsOn'),
    look: look as OwnLook['look'],
  };
}
