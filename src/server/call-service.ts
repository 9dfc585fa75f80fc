import { RequestValidationError } from '../errors/index.js';
import {
  type AccessToken,
  type AccessTokenProvider,
  COMPARES_TOKENS,
} from '../transport/credentials/credentials.js';
import { serviceTime } from '../transport/response/http-response.js';
import { parseJson } from '../transport/response/json.js';
import { SEND, settingsOf } from '../transport/send.js';
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
};

/** A provider that adds every token to the arrays of the calls that are using it. */
type Recorder = { readonly provider: AccessTokenProvider; readonly calls: Set<string[]> };

/** One for each provider, because calls share a renewal only if they have the same provider. */
const recorders = new WeakMap<AccessTokenProvider, Recorder>();

function recorderOf(accessToken: AccessTokenProvider): Recorder {
  const known = recorders.get(accessToken);
  if (known !== undefined) return known;
  const calls = new Set<string[]>();
  const provide: AccessTokenProvider = async (request) => {
    const token = await accessToken(request);
    for (const seen of calls) seen.push(String(token));
    return token;
  };
  const { onRenewedTokenRejected } = accessToken;
  const properties = COMPARES_TOKENS in accessToken ? { [COMPARES_TOKENS]: true } : {};
  const provider = Object.assign(provide, { onRenewedTokenRejected }, properties);
  const recorder = { provider, calls };
  recorders.set(accessToken, recorder);
  return recorder;
}

/** Runs a call with an access token. Every token that is provided meanwhile is added to an array. */
async function recording<T>(
  accessToken: AccessToken | undefined,
  seen: string[],
  run: (recorded: AccessToken | undefined) => Promise<T>,
): Promise<T> {
  if (typeof accessToken !== 'function') {
    if (accessToken !== undefined) seen.push(String(accessToken));
    return run(accessToken);
  }
  const { provider, calls } = recorderOf(accessToken);
  calls.add(seen);
  try {
    return await run(provider);
  } finally {
    calls.delete(seen);
  }
}

/** Refuses any region but that of the session, because a token belongs to one region. */
function refuseOtherRegion(
  client: ProxySettings['client'],
  { operation, input, session, asksForUs }: PageCall,
): void {
  const { id, routing } = operation.endpoint;
  const own = session?.region ?? settingsOf(client).request.region;
  // Another endpoint may use `region` for anything.
  const inQuery = routing === 'header-or-query' ? input['region'] : undefined;
  const isOther = (asked: unknown) => asked !== undefined && asked !== own;
  // Without a session there is no token, and the page's region is that of the call.
  const inHeader = asksForUs && session !== undefined ? 'us' : undefined;
  if (!isOther(inQuery) && !isOther(inHeader)) return;
  const message = 'must be the region of the session';
  throw new RequestValidationError([{ path: 'region', message }], id);
}

async function sendToService(
  client: ProxySettings['client'],
  { operation, input, session, asksForUs, signal, timeout }: PageCall,
  accessToken: AccessToken | undefined,
): Promise<PageResponse> {
  const { endpoint } = operation;
  const sent = client[SEND](endpoint, input, {
    signal,
    totalTimeout: timeout,
    region: session === undefined && asksForUs ? 'us' : session?.region,
    accessToken,
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
  return recording(call.session?.accessToken, tokens, (accessToken) =>
    sendToService(client, call, accessToken),
  );
}
