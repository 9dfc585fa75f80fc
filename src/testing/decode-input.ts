import type { Query } from './query.js';
import type { Route } from './routing.js';

const NUMBER_FIELDS = new Set(['page', 'limit', 'offset']);
const BOOLEAN_FIELDS = new Set(['faucet']);
const WHOLE_NUMBER = /^\d{1,9}$/;

function queryValue(name: string, text: string): unknown {
  // The contract ignores an invalid page.
  if (NUMBER_FIELDS.has(name)) return WHOLE_NUMBER.test(text) ? Number(text) : undefined;
  if (BOOLEAN_FIELDS.has(name) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/**
 * Returns the input of a request under the field names of its declaration: path, query and body
 * together. Query parameters that the declaration does not name are ignored.
 */
export function decodeInput(
  { endpoint, params }: Route,
  query: Query,
  body: unknown,
): Record<string, unknown> {
  const nameByWireName = new Map(
    Object.entries(endpoint.wireNames ?? {}).map(([name, wire]) => [wire, name]),
  );
  const input: Record<string, unknown> = Object.create(null);
  if (endpoint.sendsBody && typeof body === 'object' && body !== null) {
    for (const [wire, value] of Object.entries(body))
      input[nameByWireName.get(wire) ?? wire] = value;
  }
  for (const name of endpoint.query ?? []) {
    const text = query.get(endpoint.wireNames?.[name] ?? name);
    if (text !== null) input[name] = queryValue(name, text);
  }
  return { ...input, ...params };
}
