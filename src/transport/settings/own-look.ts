import type { OwnLook } from '../../contract/endpoint.js';
import type { RetryClass } from '../../contract/retry-policy.js';
import { isSecretName } from '../response/secret-names.js';
import { refuse, requireId, requireNames } from './endpoint-options.js';
import { ownOptions } from './own-options.js';

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
  wireNames: Readonly<Record<string, string>>,
  secretInputs: readonly string[],
): OwnLook | undefined {
  if (value === undefined) return undefined;
  if (retry !== 'never')
    refuse('reconcile', 'is for endpoints of class never: others are not recorded');
  const { look, actsOn = id, ...given } = ownOptions<Given>(value, OPTIONS, 'reconcile.');
  const details = requireNames(given.details, 'reconcile.details');
  const target = requireNames(given.target, 'reconcile.target');
  const isSecret = (name: string) =>
    secretInputs.includes(name) || isSecretName(name) || isSecretName(wireNames[name] ?? '');
  if (details.some(isSecret)) refuse('reconcile.details', 'must not hold a secret field');
  if (!target.every((name) => details.includes(name))) {
    refuse('reconcile.target', 'must hold only names of reconcile.details');
  }
  if (typeof look !== 'function') refuse('reconcile.look', 'must be a function');
  return {
    details,
    target,
    actsOn: requireId(actsOn, 'reconcile.actsOn'),
    look: look as OwnLook['look'],
  };
}
