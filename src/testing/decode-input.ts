import type { Route } from './routing.js';

/** Query values that are not texts. */
const NUMBERS = new Set(['page', 'limit', 'offset']);
const FLAGS = new Set(['faucet']);
const WHOLE_NUMBER = /^\d{1,9}$/;

function queryValue(name: string, text: string): unknown {
  // The contract: a page that is invalid counts as left out.
  if (NUMBERS.has(name)) return WHOLE_NUMBER.test(text) ? Number(text) : undefined;
  if (FLAGS.has(name) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/**
 * What a request says, in the names of the contract's declaration: path, query and body together.
 * Fields that the contract does not name are left out, as a server that does not know them does.
 */
export function decodeInput(
  { endpoint, params }: Route,
  query: URLSearchParams,
  body: unknown,
): Record<string, unknown> {
  const ours = new Map(
    Object.entries(endpoint.wireNames ?? {}).map(([name, wire]) => [wire, name]),
  );
  const input: Record<string, unknown> = Object.create(null);
  if (endpoint.sendsBody && typeof body === 'object' && body !== null) {
    for (const [wire, value] of Object.entries(body)) input[ours.get(wire) ?? wire] = value;
  }
  for (const name of endpoint.query ?? []) {
    const text = query.get(endpoint.wireNames?.[name] ?? name);
    if (text !== null) input[name] = queryValue(name, text);
  }
  return { ...input, ...params };
}
