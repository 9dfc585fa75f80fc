import { CardPlatformClient } from '../../src/client.js';
import { loadPipe } from '../../src/transport/load-pipe.js';
import type { ClientOptions, FetchFunction } from '../../src/transport/settings/options.js';

// A file that loads takes real time, which a clock that jumps does not wait for.
await loadPipe();

/** Credentials that no other text contains, so that each can be looked for. */
export const CREDENTIALS = {
  clientKey: 'canary-client-key',
  clientId: 'canary-client-id',
  secretKey: 'canary-secret-key',
  accessToken: 'canary-access-token',
} as const;

/** A client with all credentials and without waits between attempts. */
export function clientFor(
  baseUrl: string,
  options: Partial<ClientOptions> = {},
): CardPlatformClient {
  return new CardPlatformClient({ baseUrl, random: () => 0, ...CREDENTIALS, ...options });
}

/** A fetch that answers each request with the next of the given responses, and counts. */
export function scriptedFetch(
  ...responses: (Response | Error | (() => Response | Promise<Response>))[]
) {
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch: FetchFunction = async (url, init) => {
    requests.push({ url, init });
    const response = responses[Math.min(requests.length, responses.length) - 1];
    if (response === undefined) throw new Error('no answer is scripted');
    if (response instanceof Error) throw response;
    return response instanceof Response ? response.clone() : response();
  };
  return { fetch, requests };
}

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** What a promise rejects with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the promise was expected to reject');
}
