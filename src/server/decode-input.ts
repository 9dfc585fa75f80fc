import { check, shownPath } from '../contract/check.js';
import { type Endpoint, placeholdersIn } from '../contract/endpoint.js';
import { UNKNOWN_FIELD } from '../contract/field.js';
import { isObject } from '../contract/formats/is-object.js';
import { RequestValidationError } from '../errors/index.js';
import type { Operation } from './match-operation.js';
import { Refusal } from './refusal.js';

type Input = Record<string, unknown>;

/**
 * Returns a function that finds the input field of a name on the wire. `undefined` for the name of a
 * field that has another one there.
 */
function fieldsByWire({ wireNames = {} }: Endpoint): (wire: string) => string | undefined {
  const byWire = new Map(Object.entries(wireNames).map(([name, wire]) => [wire, name]));
  return (wire) => byWire.get(wire) ?? (Object.hasOwn(wireNames, wire) ? undefined : wire);
}

/** The values that the text of a query parameter may stand for. */
function readingsOf(text: string): readonly unknown[] {
  const number = Number(text);
  // Exactly as a client writes a number.
  const isNumber = Number.isFinite(number) && String(number) === text;
  return [
    text,
    ...(isNumber ? [number] : []),
    ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
  ];
}

/** The reading of a text that the schema of the operation accepts, or else the text. */
function queryValue(endpoint: Endpoint, input: Input, name: string, text: string): unknown {
  const fits = (value: unknown) =>
    !check(endpoint.input, { ...input, [name]: value }).some(({ path }) => path === name);
  return readingsOf(text).find(fits) ?? text;
}

/** The most ways to read a query that are tried. */
const MOST_READINGS = 256;

/** The first way to read all values of the query that the whole schema accepts: the issue of a union names no field. */
function fittingValues(
  endpoint: Endpoint,
  input: Input,
  texts: ReadonlyMap<string, string>,
): Input {
  let ways: Input[] = [{}];
  for (const [name, text] of texts) {
    ways = ways.flatMap((way) => readingsOf(text).map((value) => ({ ...way, [name]: value })));
    if (ways.length > MOST_READINGS) return {};
  }
  return ways.find((way) => check(endpoint.input, { ...input, ...way }).length === 0) ?? {};
}

function refuseUnknown({ id }: Endpoint, names: readonly string[]): void {
  const issues = names.map((name) => ({ path: shownPath([name]), message: UNKNOWN_FIELD }));
  if (issues.length > 0) throw new RequestValidationError(issues.slice(0, 50), id);
}

function addBody(endpoint: Endpoint, body: unknown, input: Input): void {
  if (body === undefined) return;
  if (!endpoint.sendsBody) throw new Refusal('request_malformed', 'The operation accepts no body.');
  if (!isObject(body)) throw new Refusal('request_malformed', 'The body must be a JSON object.');
  const { query = [], extraBodyField } = endpoint;
  const fieldOf = fieldsByWire(endpoint);
  const elsewhere = new Set<unknown>([
    undefined,
    ...query,
    ...placeholdersIn(endpoint.path),
    // Its fields would reach the service unchecked.
    extraBodyField,
  ]);
  refuseUnknown(
    endpoint,
    Object.keys(body).filter((wire) => elsewhere.has(fieldOf(wire))),
  );
  for (const [wire, value] of Object.entries(body)) input[fieldOf(wire) ?? wire] = value;
}

function addQuery(endpoint: Endpoint, query: URLSearchParams, input: Input): void {
  const fieldOf = fieldsByWire(endpoint);
  const texts = new Map<string, string>();
  for (const [wire, text] of query) {
    const name = fieldOf(wire) ?? '';
    if (endpoint.query?.includes(name) !== true) refuseUnknown(endpoint, [wire]);
    if (texts.has(name)) {
      throw new Refusal('request_malformed', 'A query parameter is repeated.');
    }
    texts.set(name, text);
    input[name] = text;
  }
  for (const [name, text] of texts) input[name] = queryValue(endpoint, input, name, text);
  if (check(endpoint.input, input).length > 0)
    Object.assign(input, fittingValues(endpoint, input, texts));
}

/**
 * Returns the input of an operation, from the path, query and body of a request. Fields that the
 * operation does not have are refused. The client checks all others before it sends.
 *
 * @throws Refusal, RequestValidationError
 */
export function decodeInput(
  { endpoint, params }: Operation,
  query: URLSearchParams,
  body: unknown,
): Input {
  const input: Input = Object.create(null);
  Object.assign(input, params);
  addBody(endpoint, body, input);
  addQuery(endpoint, query, input);
  return input;
}
