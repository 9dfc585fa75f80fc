import { RequestValidationError } from '../errors/index.js';
import { ON_TOKEN } from '../transport/credentials/credentials.js';
import { serviceTime } from '../transport/response/http-response.js';
import { parseJson } from '../transport/response/json.js';
import { regionOf, SEND } from '../transport/send.js';
import { SEND_WITHIN } from '../transport/settings/check-call.js';
import type { Operation } from './match-operation.js';
import type { ProxySession, ProxySettings } from './options.js';
import type { PageResponse } from './responses.js';

/** One request of a page, checked and ready to be sent on. */
export type PageCall = {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  /** `undefined` for an operation that needs no access token. */
  readonly session: ProxySession | undefined;
  /** Whether the page's client has US routing. */
  readonly asksForUs: boolean;
  /** Aborts the call. Only reads have one. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  /** Milliseconds after which nothing may be sent any more. */
  readonly sendWithin: number;
};

/** Refuses any region but that of the session, because a token belongs to one region. */
function refuseOtherRegion(
  client: ProxySettings['client'],
  { operation, input, session, asksForUs }: PageCall,
): void {
  const { id, routing } = operation.endpoint;
  // Not known of a client that only passes calls on: a page that asks for the US is then refused.
  const own = session?.region ?? regionOf(client) ?? 'global';
  // Another endpoint may use `region` for anything.
  const inQuery = routing === 'header-or-query' ? input['region'] : undefined;
  const isOther = (asked: unknown) => asked !== undefined && asked !== own;
  // Without a session there is no token, and the page's region is that of the call.
  const inHeader = asksForUs && session !== undefined ? 'us' : undefined;
  if (!isOther(inQuery) && !isOther(inHeader)) return;
  const message = 'must be the region of the session';
  throw new RequestValidationError([{ path: 'region', message }], id);
}

/**
 * Calls the service and returns the response for the page: as the service sent it, checked by the
 * client, parsed and written again.
 *
 * @param tokens - gets every access token that the call uses
 * @throws the errors of the client
 */
export async function callService(
  { client }: ProxySettings,
  call: PageCall,
  tokens: string[],
): Promise<PageResponse> {
  refuseOtherRegion(client, call);
  const { operation, input, session, asksForUs, signal, timeout, sendWithin } = call;
  const { endpoint } = operation;
  const accessToken = session?.accessToken;
  if (typeof accessToken === 'string') tokens.push(accessToken);
  const sent = client[SEND](endpoint, input, {
    signal,
    totalTimeout: timeout,
    region: session === undefined && asksForUs ? 'us' : session?.region,
    accessToken,
    ...{ [ON_TOKEN]: (token: string) => void tokens.push(token), [SEND_WITHIN]: sendWithin },
  });
  const { data, status, requestId, headers } = await sent.withResponse();
  const shared = { requestId, date: serviceTime(headers, false) };
  const text = await (await sent.raw()).text();
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess) {
    const isKnown =
      endpoint.isOutsideContract === true || Object.hasOwn(endpoint.responses, status);
    const body = text.trim() === '' ? undefined : parseJson(text);
    return { ...shared, status: isKnown ? status : 200, body };
  }
  // A status that the endpoint declares as a result is one for the page too. A refusal that proves the
  // success of an earlier attempt has no body to pass on.
  return Object.hasOwn(endpoint.resultWhen ?? {}, status)
    ? { ...shared, status, body: {} }
    : { ...shared, status: 200, body: data };
}
