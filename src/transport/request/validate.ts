import { type BrokenRule, check } from '../../contract/check.js';
import type { Endpoint } from '../../contract/endpoint.js';
import { UNKNOWN_FIELD } from '../../contract/field.js';
import { type Additions, LISTS } from '../../contract/lists.js';
import { brokenSafeguards } from '../../contract/safeguard.js';
import { RequestValidationError, type ValidationIssue } from '../../errors/index.js';
import { readOwnInput } from './own-input.js';
import type { Snapshot } from './snapshot.js';

/** A checked copy of an input. */
export type CheckedInput = Readonly<Record<string, unknown>>;

function unlisted(endpoint: Endpoint, input: CheckedInput, additions: Additions) {
  const issues: ValidationIssue[] = [];
  for (const [field, list] of Object.entries(endpoint.listed ?? {})) {
    const value = input[field];
    if (typeof value !== 'string') continue;
    const known: readonly string[] = LISTS[list];
    if (known.includes(value) || additions[list]?.includes(value)) continue;
    const message = `must be one of ${known.join(', ')}, or be added to additions.${list}`;
    issues.push({ path: field, message });
  }
  return issues;
}

/** An option passed among the fields has no effect there, so the message says where it belongs. */
function pointToOptions(rules: readonly BrokenRule[], callOptions: object): readonly BrokenRule[] {
  return rules.map((rule) =>
    Object.hasOwn(callOptions, rule.path) && rule.message === UNKNOWN_FIELD
      ? { ...rule, message: `${UNKNOWN_FIELD} but an option of the call: pass it in the options` }
      : rule,
  );
}

function readInput(endpoint: Endpoint, given: Snapshot) {
  const { copy, issues } = given;
  // Without a copy there is nothing to check: the issues say why.
  if (copy === undefined && issues.length > 0) return { rules: [], value: undefined };
  return endpoint.isOwn === true
    ? readOwnInput(endpoint, given)
    : { rules: check(endpoint.input, copy), value: copy };
}

/**
 * Checks the copy of an input against the contract, or against the schema of an endpoint outside it.
 *
 * @param callOptions - an object with the names of the options of a call
 * @throws RequestValidationError with every broken rule; nothing has been sent
 */
export function validateInput(
  endpoint: Endpoint,
  given: Snapshot,
  additions: Additions,
  callOptions: object = {},
): CheckedInput {
  const { rules, value } = readInput(endpoint, given);
  const broken = [...given.issues, ...pointToOptions(rules, callOptions)];
  const checked = (typeof value === 'object' && value !== null ? value : {}) as CheckedInput;
  broken.push(...unlisted(endpoint, checked, additions));
  broken.push(...brokenSafeguards(endpoint.safeguards ?? [], checked, additions, broken));
  if (broken.length > 0) throw new RequestValidationError(broken, endpoint.id);
  return checked;
}
