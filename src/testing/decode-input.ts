import type { Endpoint } from '../contract/endpoint.js';
import type { Query } from './query.js';
import type { Route } from './routing.js';

const NUMBER_FIELDS = new Set(['page', 'limit', 'offset']);
const BOOLEAN_FIELDS = new Set(['faucet']);
const WHOLE_NUMBER = /^\d{1,9}$/;

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
