import { type BrokenRule, brokenRules, check, shownPath } from '../../contract/check.js';
import { type Endpoint, placeholdersIn } from '../../contract/endpoint.js';
import { UNKNOWN_FIELD } from '../../contract/field.js';
import { optional, pathId, queryValue } from '../../contract/fields.js';
import { isCredential } from '../../contract/formats/credential.js';
import { isObject } from '../../contract/formats/is-object.js';
import { type Additions, LISTS } from '../../contract/lists.js';
import { brokenSafeguards } from '../../contract/safeguard.js';
import type { SchemaIssue } from '../../contract/schema.js';
import {
  ConfigurationError,
  RequestValidationError,
  type ValidationIssue,
} from '../../errors/index.js';
import { copyInput, type InputCopy } from './copy-input.js';

/** An input that has been checked: the broken rules, and the value to send. */
type Reading = { rules: readonly BrokenRule[]; value: unknown };

const NONE: readonly BrokenRule[] = [];
const anyQueryValue = optional(queryValue);

function refuse(operation: string, rule: string): never {
  throw new ConfigurationError('input', `input: the schema of the endpoint ${rule}.`, operation);
}

/** The rules that an issue stands for. Its own message may quote values, so only paths are kept. */
function rulesOf(issue: SchemaIssue): readonly BrokenRule[] {
  const message = 'keys' in issue ? UNKNOWN_FIELD : 'breaks the input schema of the endpoint';
  return brokenRules([issue]).map(({ path }) => ({ path, message }));
}

function readSchemaResult(id: string, copy: unknown, result: unknown): Reading {
  if (!isObject(result)) return refuse(id, 'returned nothing');
  if ('then' in result) {
    Promise.resolve(result).catch(() => {});
    return refuse(id, 'is async. A call checks its input at once, so the schema must not be async');
  }
  const { issues, value } = result;
  if (issues === undefined || issues === null) return { rules: NONE, value };
  if (!Array.isArray(issues)) return refuse(id, 'returned issues that are not an array');
  const rules = issues.filter(isObject).flatMap((issue) => rulesOf(issue as SchemaIssue));
  return { rules: rules.length === 0 ? rulesOf({ message: '' }) : rules, value: copy };
}

/** Runs the schema, which may be anybody's code. */
function runSchema({ id, input }: Endpoint, copy: unknown): Reading {
  try {
    return readSchemaResult(id, copy, input['~standard'].validate(copy));
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    return refuse(id, 'threw an error');
  }
}

/**
 * Top-level fields that a schema dropped without putting others in their place. A program that passed
 * them expects them to be sent.
 */
function droppedFields(copy: unknown, value: unknown): readonly string[] {
  if (!isObject(copy) || !isObject(value)) return [];
  const isRewritten = Object.keys(value).some((name) => !Object.hasOwn(copy, name));
  return isRewritten ? [] : Object.keys(copy).filter((name) => !Object.hasOwn(value, name));
}

/** The rules that fields break in the place that they are sent in: path, query, header or body. */
function placementRules(
  endpoint: Endpoint,
  value: Readonly<Record<string, unknown>>,
): BrokenRule[] {
  const { query = [], wireNames = {}, wholeBodyField, sendsBody, headerFields = {} } = endpoint;
  const inPath = placeholdersIn(endpoint.path);
  const wires = new Set<string>();
  const rulesAt = (path: string, rules: readonly BrokenRule[]) =>
    rules.map(({ message }) => ({ path, message }));
  const missing = inPath.filter((name) => value[name] === undefined);
  return [
    ...missing.flatMap((name) => rulesAt(name, check(pathId, undefined))),
    ...Object.entries(value).flatMap(([name, one]) => {
      if (inPath.includes(name)) return rulesAt(name, check(pathId, one));
      const shown = shownPath([name]);
      if (Object.hasOwn(headerFields, name)) return rulesAt(shown, headerRules(one));
      const isInQuery = query.includes(name);
      if (!isInQuery && (!sendsBody || (wholeBodyField ?? name) !== name)) {
        return [{ path: shown, message: UNKNOWN_FIELD }];
      }
      const wire = `${isInQuery ? '?' : ''}${wireNames[name] ?? name}`;
      if (wires.has(wire)) return [{ path: shown, message: 'has the wire name of another field' }];
      wires.add(wire);
      return isInQuery || endpoint.bodyEncoding === 'form'
        ? rulesAt(shown, check(anyQueryValue, one))
        : [];
    }),
  ];
}

function headerRules(value: unknown): readonly BrokenRule[] {
  if (value === undefined || isCredential(value)) return NONE;
  return [{ path: '', message: 'must be visible ASCII without spaces, to be sent in a header' }];
}

/**
 * Checks the input of an endpoint outside the contract: by its own schema, whose output is sent, then
 * by the rules for path and query, which hold for every request.
 *
 * @throws ConfigurationError when the schema cannot be used
 */
function readCustomInput(endpoint: Endpoint, { copy }: InputCopy): Reading {
  const parsed = runSchema(endpoint, copy);
  if (parsed.rules.length > 0) return parsed;
  const dropped = droppedFields(copy, parsed.value);
  // Copied again, because a schema may return anything: only JSON is sent.
  const output = copyInput(parsed.value);
  const value = output.copy;
  const rules = [
    ...dropped.map((name) => ({ path: shownPath([name]), message: UNKNOWN_FIELD })),
    ...output.issues,
    ...(isObject(value)
      ? placementRules(endpoint, value)
      : [{ path: '', message: 'must be an object' }]),
  ];
  return { rules, value };
}

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

function readInput(endpoint: Endpoint, given: InputCopy) {
  const { copy, issues } = given;
  // Without a copy there is nothing to check: the issues say why.
  if (copy === undefined && issues.length > 0) return { rules: [], value: undefined };
  return endpoint.isOutsideContract === true
    ? readCustomInput(endpoint, given)
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
  given: InputCopy,
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
