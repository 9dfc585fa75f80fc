import { ProtocolError, RequestValidationError } from '../errors/index.js';
import type { AccessToken } from '../transport/credentials/token-source.js';
import { parseJson } from '../transport/response/json.js';
import { SEND } from '../transport/sender.js';
import type { Operation } from './match-operation.js';
import type { ProxySession, ProxySettings } from './options.js';
import { holdsAny, type PageResponse, textOf } from './responses.js';

/** One request of a page, checked and ready to be sent on. */
export type PageCall = {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  /** `undefined` for an operation that takes no access token. */
  readonly session: ProxySession | undefined;
  /** Aborts the call. Only reads have one. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds. */
  readonly timeout: number;
};

/** Wraps an access token, so that every value that it provides is added to an array. */
function recording(accessToken: AccessToken, seen: string[]): AccessToken {
  if (typeof accessToken !== 'function') {
    seen.push(String(accessToken));
    return accessToken;
  }
  return async (request) => {
    const token = await accessToken(request);
    seen.push(String(token));
    return token;
  };
}

/** Refuses any region but that of the session, because a token belongs to one region. */
function refuseOtherRegion({ operation, input, session }: PageCall): void {
  const { region } = input;
  if (region === undefined || region === session?.region) return;
  const message = 'must be the region of the session';
  throw new RequestValidationError([{ path: 'region', message }], operation.endpoint.id);
}

function withoutSecrets(
  response: PageResponse,
  secrets: readonly string[],
  { id, retry }: Operation['endpoint'],
): PageResponse {
  const shown = `${textOf(response)} ${response.requestId}`;
  if (!holdsAny(shown, secrets)) return response;
  throw new ProtocolError({
    code: 'response_invalid',
    operation: id,
    status: response.status,
    message: 'the response holds a secret of the server, so it was not passed on.',
    outcome: 'executed',
    attempts: 1,
    isRead: retry.class === 'safe',
  });
}

/**
 * Calls the service and returns the response for the page: as the service sent it, checked by the
 * client, parsed and written again.
 *
 * @throws the errors of the client, and ProtocolError for a response with a secret of the server
 */
export async function callService(
  { client, secrets }: ProxySettings,
  call: PageCall,
): Promise<PageResponse> {
  refuseOtherRegion(call);
  const { operation, input, session, signal, timeout } = call;
  const { endpoint } = operation;
  const tokens: string[] = [];
  const sent = client[SEND](endpoint, input, {
    signal,
    totalTimeout: timeout,
    region: session?.region,
    ...(session !== undefined && { accessToken: recording(session.accessToken, tokens) }),
  });
  const { data, status, requestId } = await sent.withResponse();
  const isDocumented = Object.hasOwn(endpoint.responses, status);
  const text = await (await sent.raw()).text();
  // A refusal that proves the success of an earlier attempt has no body to pass on.
  const isSuccess = status >= 200 && status < 300;
  const body = !isSuccess ? data : text.trim() === '' ? undefined : parseJson(text);
  const response = { status: isDocumented ? status : 200, requestId, body };
  return withoutSecrets(response, [...secrets, ...tokens], endpoint);
}
