import { type BrokenRule, check } from '../contract/check.js';
import type { Endpoint } from '../contract/endpoint.js';
import { isDecimal, isPositiveDecimal } from '../contract/formats/decimal.js';
import { LISTS } from '../contract/lists.js';
import { useZod } from '../contract/provide-zod.js';
import type { MockResponse } from './behaviour.js';

useZod();

const UNKNOWN_FIELD = 'is not a known field';

function valuesNotListed(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
): BrokenRule[] {
  return Object.entries(endpoint.listed ?? {}).flatMap(([path, list]) => {
    const value = input[path];
    const known: readonly string[] = LISTS[list];
    if (typeof value !== 'string' || known.includes(value)) return [];
    return [{ path, message: `must be one of ${known.join(', ')}` }];
  });
}

/** Returns the rules of the contract that an input breaks, under the field names on the wire. */
export function brokenRules(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  additions: readonly string[],
): readonly BrokenRule[] {
  // What the client checks of a proof depends on options that are never sent. The mock has verifiers
  // for the message, and the format of the contract allows an amount of zero.
  const isLocal = (field: string) => endpoint.localFields?.includes(field) === true;
  const isZero = isDecimal(input['amount']) && !isPositiveDecimal(input['amount']);
  const checked = {
    ...input,
    ...(isLocal('checkMessage') ? { checkMessage: false } : {}),
    ...(isLocal('isRevocation') && isZero ? { isRevocation: true } : {}),
  };
  const rules = check(endpoint.input, checked).filter(({ message }) => message !== UNKNOWN_FIELD);
  const notListed = valuesNotListed(endpoint, input).filter(
    ({ path }) => !additions.includes(String(input[path])),
  );
  return [...rules, ...notListed].map(({ path, message }) => {
    const [head = '', ...rest] = path.split('.');
    return { path: [endpoint.wireNames?.[head] ?? head, ...rest].join('.'), message };
  });
}

/**
 * Returns the response to an invalid input: 400 `{ error, details }` from the consent endpoints, 400
 * `{ message }` from the webhooks, 422 `{ message }` from the login, and otherwise 422 with the
 * fields.
 */
export function invalidInputResponse(
  endpoint: Endpoint,
  rules: readonly BrokenRule[],
): MockResponse {
  // The contract has a message for a recipient of any wrong form.
  if (rules.every(({ path }) => path === 'recipientAddrss')) {
    return { status: 400, body: { message: 'Invalid recipient address format' } };
  }
  const messages = rules.map(({ path, message }) => `${path} ${message}`);
  if (endpoint.id.startsWith('consent.')) {
    return { status: 400, body: { error: 'Validation failed', details: messages } };
  }
  if (endpoint.id.startsWith('webhooks.')) {
    const isUrl = rules.some(({ path }) => path === 'url');
    return {
      status: 400,
      body: { message: isUrl ? 'url must be an HTTPS URL' : messages.join('; ') },
    };
  }
  if (endpoint.id === 'auth.login') return { status: 422, body: { message: messages.join('; ') } };
  if (endpoint.id === 'card.order')
    return { status: 422, body: { message: 'type field is required' } };
  const errors = rules.map(({ path, message }) => ({ field: path, message }));
  return { status: 422, body: { message: 'Validation failed', errors } };
}
