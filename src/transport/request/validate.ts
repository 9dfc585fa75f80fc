import { check } from '../../contract/check.js';
import type { Endpoint } from '../../contract/endpoint.js';
import { type Additions, LISTS } from '../../contract/lists.js';
import { brokenSafeguards } from '../../contract/safeguard.js';
import { RequestValidationError, type ValidationIssue } from '../../errors/index.js';
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

/**
 * Checks the copy of an input against the contract.
 *
 * @throws RequestValidationError with every broken rule; nothing has been sent
 */
export function validateInput<Input>(
  endpoint: Endpoint<Input>,
  { copy, issues }: Snapshot,
  additions: Additions,
): CheckedInput {
  // Without a copy there is nothing to check: the issues say why.
  const isCopied = copy !== undefined || issues.length === 0;
  const broken = [...issues, ...(isCopied ? check(endpoint.input, copy) : [])];
  const checked = (typeof copy === 'object' && copy !== null ? copy : {}) as CheckedInput;
  broken.push(...unlisted(endpoint as Endpoint, checked, additions));
  broken.push(...brokenSafeguards(endpoint.safeguards ?? [], checked, additions, broken));
  if (broken.length > 0) throw new RequestValidationError(broken, endpoint.id);
  return checked;
}
