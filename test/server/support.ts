import { CardPlatformClient } from '../../src/client.js';
import {
  type CardProxy,
  type CardProxyOptions,
  createCardProxy,
  type ProxyFailure,
} from '../../src/server/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { CREDENTIALS, scriptedFetch } from '../support/clients.js';

/** The page and the proxy have this origin. */
export const ORIGIN = 'https://app.example';
export const BASE_PATH = '/api/card';
/** A token that occurs in no other text. */
export const SESSION_TOKEN = 'canary-session-token';

/** The headers that a browser adds to each request of a page to its own server. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin', origin: ORIGIN } as const;

/**
 * Creates a proxy whose service sends these responses, and records the requests and responses of
 * each side.
 */
export function scriptedProxy(
  responses: Parameters<typeof scriptedFetch>,
  options: Partial<CardProxyOptions> = {},
  clientOptions: Partial<ClientOptions> = {},
) {
  const { fetch, requests } = scriptedFetch(...responses);
  const failures: ProxyFailure[] = [];
  const { accessToken: _, ...keys } = CREDENTIALS;
  const client = new CardPlatformClient({
    baseUrl: 'https://api.example.com',
    random: () => 0,
    fetch,
    retry: { baseDelay: 0 },
    ...keys,
    ...clientOptions,
  });
  const proxy = createCardProxy({
    client,
    session: () => ({ accessToken: SESSION_TOKEN }),
    basePath: BASE_PATH,
    onFailure: (failure) => failures.push(failure),
    ...options,
  });
  return { proxy, requests, failures, page: pageClient(proxy) };
}

/** Creates the client of a page whose requests go to a proxy, with the headers of a browser. */
export function pageClient(
  proxy: CardProxy,
  options: Partial<ClientOptions> = {},
  headers: Record<string, string> = OWN_PAGE,
): CardPlatformClient {
  return new CardPlatformClient({
    baseUrl: `${ORIGIN}${BASE_PATH}`,
    throughProxy: true,
    random: () => 0,
    retry: { baseDelay: 0 },
    fetch: (url, init) =>
      proxy(new Request(url, { ...init, headers: { ...Object(init.headers), ...headers } })),
    ...options,
  });
}

/** Sends a request of a page to a proxy. */
export function sendTo(proxy: CardProxy, method: string, path: string, init: RequestInit = {}) {
  const headers = { ...OWN_PAGE, ...Object(init.headers) };
  return proxy(new Request(`${ORIGIN}${BASE_PATH}${path}`, { ...init, method, headers }));
}

/** Creates a mock platform with a user who has a card, and a proxy for this user. */
export function mockProxy(options: Partial<CardProxyOptions> = {}) {
  const mock = createMockPlatform();
  const user = mock.users.add({ card: 'ACTIVE' });
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    retry: { baseDelay: 0 },
    ...mock.credentials,
  });
  const accessToken = mock.accessTokenFor(user);
  const failures: ProxyFailure[] = [];
  const proxy = createCardProxy({
    client,
    session: () => ({ accessToken }),
    basePath: BASE_PATH,
    onFailure: (failure) => failures.push(failure),
    ...options,
  });
  const direct = client.withAccessToken(accessToken);
  return { mock, user, client, proxy, failures, direct, page: pageClient(proxy) };
}
