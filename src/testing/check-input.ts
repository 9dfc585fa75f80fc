import type { BrokenRule } from '../contract/check.js';
import type { Endpoint } from '../contract/endpoint.js';
import { LISTS } from '../contract/lists.js';
import type { AcceptedAdditions } from './additions.js';
import type { MockResponse } from './behaviour.js';
import { brokenContractRules } from './contract-rules.js';
import type { Query } from './query.js';
import type { Route } from './routing.js';

const NUMBER_FIELDS = new Set(['page', 'limit', 'offset']);
const BOOLEAN_FIELDS = new Set(['faucet']);
/** As many digits as a number holds exactly. */
const WHOLE_NUMBER = /^\d{1,15}$/;

function queryValue(name: string, text: string): unknown {
  // By the contract, a page that is not valid counts as omitted.
  if (NUMBER_FIELDS.has(name)) return WHOLE_NUMBER.test(text) ? Number(text) : undefined;
  if (BOOLEAN_FIELDS.has(name) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Returns the names that are not read from a body: the service knows only its own spelling. */
function clientOnlyNames(endpoint: Endpoint): Set<string> {
  const { wireNames = {}, localFields = [], query = [], extraBodyField } = endpoint;
  const renamed = Object.entries(wireNames).flatMap(([name, wire]) => (name === wire ? [] : name));
  const extra = extraBodyField === undefined ? [] : [extraBodyField];
  return new Set([...renamed, ...localFields, ...query, ...extra]);
}

/**
 * Returns the input of a request under the field names of its declaration: path, query and body
 * together. Only the service's own spelling of a field is read. Everything else is ignored.
 */
export function decodeInput(
  { endpoint, params }: Route,
  query: Query,
  body: unknown,
): Record<string, unknown> {
  const nameByWireName = new Map(
    Object.entries(endpoint.wireNames ?? {}).map(([name, wire]) => [wire, name]),
  );
  const ignored = clientOnlyNames(endpoint);
  const input: Record<string, unknown> = Object.create(null);
  if (endpoint.sendsBody && typeof body === 'object' && body !== null) {
    for (const [wire, value] of Object.entries(body)) {
      const name = nameByWireName.get(wire);
      if (name !== undefined) input[name] = value;
      else if (!ignored.has(wire)) input[wire] = value;
    }
  }
  for (const name of endpoint.query ?? []) {
    const text = query.get(endpoint.wireNames?.[name] ?? name);
    if (text !== null) input[name] = queryValue(name, text);
  }
  return { ...input, ...params };
}

function valuesNotListed(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  { isListed }: AcceptedAdditions,
): BrokenRule[] {
  return Object.entries(endpoint.listed ?? {}).flatMap(([path, list]) => {
    const value = input[path];
    const known: readonly string[] = LISTS[list];
    if (typeof value !== 'string' || known.includes(value) || isListed(list, value)) return [];
    return [{ path, message: `must be one of ${known.join(', ')}` }];
  });
}

/** Returns the rules of the contract that an input breaks, under the field names on the wire. */
export function brokenRules(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  additions: AcceptedAdditions,
): readonly BrokenRule[] {
  return [
    ...brokenContractRules(endpoint, input),
    ...valuesNotListed(endpoint, input, additions),
  ].map(({ path, message }) => {
    const [head = '', ...rest] = path.split('.');
    return { path: [endpoint.wireNames?.[head] ?? head, ...rest].join('.'), message };
  });
}

const JSON_TYPE = /^application\/json *(?:;|$)/i;

/** Whether the headers say that a body is JSON. There may be none, or one that nobody reads. */
export function isSaidToBeJson({ sendsBody }: Endpoint, headers: Headers, body: unknown): boolean {
  if (!sendsBody || body === undefined) return true;
  return JSON_TYPE.test(headers.get('content-type') ?? '');
}

/** The rule that any other body breaks. */
export const JSON_TYPE_RULE: BrokenRule = {
  path: 'Content-Type',
  message: 'must be application/json',
};

/** The messages of the contract for malformed fields. */
const FIELD_MESSAGES: Readonly<Record<string, string>> = {
  'delegation.submitEvmApproval address': 'Invalid EVM address format',
  'delegation.submitSolanaApproval address': 'Invalid Solana address format',
};

/**
 * Returns the response to an invalid input: 400 `{ error, details }` from the consent endpoints, 400
 * `{ message }` from the webhooks, the credit withdrawal and for a malformed recipient, 422
 * `{ message }` from the login and the card order, and otherwise 422 with the fields.
 */
export function invalidInputResponse(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  rules: readonly BrokenRule[],
): MockResponse {
  // The contract documents one message for every malformed recipient.
  if (rules.every(({ path }) => path === 'recipientAddrss')) {
    return { status: 400, body: { message: 'Invalid recipient address format' } };
  }
  const messages = rules.map(({ path, message }) => `${path} ${message}`);
  const isUnread = rules.includes(JSON_TYPE_RULE);
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
  if (endpoint.id === 'card.order') {
    const isMissing = !isUnread && (input['type'] === undefined || input['type'] === '');
    const message = isMissing ? 'type field is required' : messages.join('; ');
    return { status: 422, body: { message } };
  }
  if (endpoint.id === 'wallets.credit.withdraw') {
    const message = isUnread ? messages[0] : 'amount must be a positive number';
    return { status: 400, body: { message } };
  }
  const errors = rules.map(({ path, message }) => ({
    field: path,
    message: FIELD_MESSAGES[`${endpoint.id} ${path}`] ?? message,
  }));
  const [first] = errors;
  const isNamed = first !== undefined && Object.values(FIELD_MESSAGES).includes(first.message);
  const message = isNamed && errors.length === 1 ? first.message : 'Validation failed';
  return { status: 422, body: { message, errors } };
}
