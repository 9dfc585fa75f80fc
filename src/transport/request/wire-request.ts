import { type Endpoint, PLACEHOLDER, placeholdersIn } from '../../contract/endpoint.js';
import type { Additions } from '../../contract/lists.js';
import { requireExtraHeaders } from '../adapters/header-safety.js';
import type { WireRequest } from '../adapters/http-adapter.js';
import type { CheckedInput } from './validate.js';

/** The environment that receives the traffic. */
export type Region = 'global' | 'us';

/** The client's options for requests. */
export type RequestSettings = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Whether a proxy of `card-platform-sdk/server` receives the requests. */
  readonly isProxied: boolean;
  readonly region: Region;
  readonly additions: Additions;
};

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

function percentEncode(value: unknown): string {
  return encodeURIComponent(String(value));
}

function buildUrl(baseUrl: string, endpoint: Endpoint, input: CheckedInput): string {
  const path = endpoint.path.replace(PLACEHOLDER, (_, name: string) => percentEncode(input[name]));
  const query = (endpoint.query ?? [])
    .filter((name) => input[name] !== undefined)
    .map(
      (name) =>
        `${percentEncode(endpoint.wireNames?.[name] ?? name)}=${percentEncode(input[name])}`,
    );
  return `${baseUrl}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

function buildBody(
  endpoint: Endpoint,
  input: CheckedInput,
  isProxied: boolean,
): string | undefined {
  if (!endpoint.sendsBody) return undefined;
  if (endpoint.wholeBodyField !== undefined) return JSON.stringify(input[endpoint.wholeBodyField]);
  const elsewhere = new Set([
    ...(endpoint.query ?? []),
    ...placeholdersIn(endpoint.path),
    ...Object.keys(endpoint.headerFields ?? {}),
    endpoint.extraBodyField,
    // The proxy checks the input again, so it needs these fields too.
    ...(isProxied ? [] : (endpoint.localFields ?? [])),
  ]);
  const extra = endpoint.extraBodyField === undefined ? {} : input[endpoint.extraBodyField];
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    // The service expects absent fields to be left out, never null. One outside the contract may need null.
    const keepsNull = isProxied || endpoint.isOutsideContract === true;
    if (elsewhere.has(name) || (value === null && !keepsNull)) continue;
    body[endpoint.wireNames?.[name] ?? name] = value;
  }
  return endpoint.bodyEncoding === 'form'
    ? formOf(body)
    : JSON.stringify({ ...(extra as object | undefined), ...body });
}

function formOf(body: Readonly<Record<string, unknown>>): string {
  return Object.entries(body)
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join('&');
}

/**
 * The headers that input fields go into.
 *
 * @throws ConfigurationError for a header that only the client sets
 */
function fieldHeaders({ id, headerFields = {} }: Endpoint, input: CheckedInput) {
  const given = Object.entries(headerFields).filter(([name]) => input[name] !== undefined);
  const headers = given.map(([name, header]) => [header, String(input[name])]);
  return requireExtraHeaders(Object.fromEntries(headers), id);
}

/** Where a call goes. */
type Route = {
  readonly region: Region;
  /** Whether the query says so, and the header does not. */
  readonly isInQuery: boolean;
};

/**
 * Returns where a call goes: to the region in its query, or else to that of its options. The URL, the
 * access token and the entry in the journal are all of this region.
 */
export function routeOf({ routing }: Endpoint, input: CheckedInput, region: Region): Route {
  const asked = routing === 'header-or-query' ? input['region'] : undefined;
  // An endpoint of the caller may accept other values.
  const isRegion = asked === 'us' || asked === 'global';
  return { region: isRegion ? asked : region, isInQuery: asked !== undefined };
}

/**
 * Builds the request that an endpoint declares. US routing goes into the query where the input
 * has a `region`, otherwise into the header: never into both.
 */
export function buildWireRequest(
  { baseUrl, isProxied }: Pick<RequestSettings, 'baseUrl' | 'isProxied'>,
  endpoint: Endpoint,
  input: CheckedInput,
  { region, isInQuery }: Route,
  extraHeaders: Readonly<Record<string, string>>,
): WireRequest {
  const body = buildBody(endpoint, input, isProxied);
  const { response = 'json' } = endpoint;
  const { accept = response === 'json' ? JSON_TYPE : '*/*' } = endpoint;
  const headers: Record<string, string> = {
    accept,
    ...extraHeaders,
    ...fieldHeaders(endpoint, input),
  };
  if (body !== undefined) {
    headers['content-type'] = endpoint.bodyEncoding === 'form' ? FORM_TYPE : JSON_TYPE;
  }
  if (region === 'us' && endpoint.routing !== 'none' && !isInQuery) headers['x-us-env'] = 'true';
  return { method: endpoint.method, url: buildUrl(baseUrl, endpoint, input), headers, body };
}
