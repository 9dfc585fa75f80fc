import { HttpResponse, http, type RequestHandler } from 'msw';
import { isConnectionError } from '../broken-connections.js';
import type { MockPlatform } from '../platform.js';

/**
 * Returns the handlers that serve a mock platform through Mock Service Worker 2 or 3, in Node
 * (`setupServer`) and in browsers (`setupWorker`). The platform responds to every request to
 * `platform.baseUrl`.
 *
 * A connection broken by `platform.drop` is a network error to the page. A request to an unknown
 * endpoint gets the status of the option `onUnhandled`, otherwise 500, and a message that suggests
 * the nearest endpoint.
 *
 * @throws Error in React Native: there, pass `platform.fetch` to the client as its `fetch` option
 *
 * @example
 * ```ts
 * import { createMockPlatform } from 'card-platform-sdk/testing';
 * import { mswHandlers } from 'card-platform-sdk/testing/msw';
 * import { setupServer } from 'msw/node';
 *
 * const platform = createMockPlatform({ baseUrl: 'https://api.example.com' });
 * const server = setupServer(...mswHandlers(platform));
 * server.listen({ onUnhandledRequest: 'error' });
 * ```
 */
export function mswHandlers(platform: MockPlatform): RequestHandler[] {
  const { navigator } = globalThis as { navigator?: { product?: string } };
  if (navigator?.product === 'ReactNative') {
    throw new Error(
      'mswHandlers does not work in React Native: pass platform.fetch to the client as its fetch option',
    );
  }
  return [
    http.all(`${platform.baseUrl}/*`, async ({ request }) => {
      try {
        return await platform.fetch(request);
      } catch (error) {
        if (isConnectionError(error)) return HttpResponse.error();
        throw error;
      }
    }),
  ];
}
