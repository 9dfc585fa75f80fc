import { CardPlatformClient } from '../../src/client.js';
import type { FetchFunction } from '../../src/transport/adapters/choose-adapter.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';

/** Credentials that occur in no other text, so that a test can search for each of them. */
export const CREDENTIALS = {
  clientKey: 'canary-client-key',
  clientId: 'canary-client-id',
  secretKey: 'canary-secret-key',
  accessToken: 'canary-access-token',
} as const;

/** Creates a client with all credentials and without waits between attempts. */
export function clientFor(
  baseUrl: string,
  options: Partial<ClientOptions> = {},
): CardPlatformClient {
  return new CardPlatformClient({ baseUrl, random: () => 0, ...CREDENTIALS, ...options });
}

/**
 * Creates a fetch that returns the given responses in turn, then the last one again, and records
 * the requests.
 */
export function scriptedFetch(
  ...responses: (Response | Error | (() => Response | Promise<Response>))[]
) {
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch: FetchFunction = async (url, init) => {
    requests.push({ url, init });
    const response = responses[Math.min(requests.length, responses.length) - 1];
    if (response === undefined) throw new Error('scriptedFetch() needs at least one response');
    if (response instanceof Error) throw response;
    return response instanceof Response ? response.clone() : response();
  };
  return { fetch, requests };
}

/** Creates a client that receives this response to every request and does not retry. */
export function clientReceiving(
  response: Response,
  options: Partial<ClientOptions> = {},
): CardPlatformClient {
  const { fetch } = scriptedFetch(response);
  return clientFor('https://api.example.com', { fetch, retry: false, ...options });
}

/** Creates a JSON response. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Returns what a promise rejects with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the promise was expected to reject');
}

/** What `fetch` of Node rejects with after a failure of the system, which it keeps as the cause. */
export function fetchFailure(code: string, syscall?: string): TypeError {
  const failure = Object.assign(new Error('of the runtime'), { code, ...(syscall && { syscall }) });
  return new TypeError('fetch failed', { cause: failure });
}
