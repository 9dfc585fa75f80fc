import { HttpResponse, http, type RequestHandler } from 'msw';
import type { MockPlatform } from '../platform.js';

/**
 * The platform in memory behind Mock Service Worker, version 2 or 3, in Node (`setupServer`) and in
 * browsers (`setupWorker`): what is sent to `platform.baseUrl` is answered by the platform.
 *
 * A connection that a test broke (`platform.drop`) is a network error to the page. A request that no
 * endpoint takes is answered with 500, whose message names the nearest endpoint.
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
  return [
    http.all(`${platform.baseUrl}/*`, async ({ request }) => {
      try {
        return await platform.fetch(request);
      } catch (error) {
        if (isBrokenConnection(error)) return HttpResponse.error();
        throw error;
      }
    }),
  ];
}

/** What `platform.drop` throws: the error of a `fetch` whose connection broke. */
function isBrokenConnection(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}
