import { describe, expect, it } from 'vitest';
import type { Credential } from '../../src/contract/endpoint.js';
import { ENDPOINTS, type EndpointId } from '../../src/contract/endpoints.js';
import { call, createClient, defineEndpoint } from '../../src/endpoints/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { inBrowser } from '../support/adapters.js';
import { sampleCall } from '../support/calls.js';
import { CREDENTIALS, clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';
const HEADERS: Readonly<Record<Credential, string>> = {
  clientKey: 'x-client-key',
  clientId: 'x-client-id',
  secretKey: 'x-secret-key',
  accessToken: 'authorization',
};
const ALL = Object.keys(HEADERS) as Credential[];

/** The credentials that a call sends. */
async function sentBy(id: string, options: Partial<ClientOptions> = {}) {
  const { fetch, requests } = scriptedFetch(json({}, 404));
  await rejection(sampleCall(id).invoke(clientFor(BASE_URL, { fetch, ...options })));
  const sent = requests[0]?.init.headers ?? {};
  return ALL.filter((name) => HEADERS[name] in sent);
}

describe.each(
  ENDPOINTS.map(({ id, credentials }) => [id as EndpointId, credentials] as const),
)('endpointCredentials for %s', (id, credentials) => {
  it('replaces the credentials of the contract, and nothing else', async () => {
    const others = ALL.filter((name) => !credentials.includes(name));
    const endpointCredentials = { [id]: others };
    expect(await sentBy(id, { endpointCredentials })).toEqual(others);
    const elsewhere = id === 'card.status' ? 'user.get' : 'card.status';
    expect(await sentBy(elsewhere, { endpointCredentials })).toEqual(['clientKey', 'accessToken']);
    expect(await sentBy(id, { endpointCredentials: { [elsewhere]: ALL } })).toEqual(
      ALL.filter((name) => credentials.includes(name)),
    );
  });
});

describe('endpointCredentials', () => {
  it('may be empty, and undefined leaves those of the contract', async () => {
    expect(await sentBy('card.status', { endpointCredentials: { 'card.status': [] } })).toEqual([]);
    const none = { 'card.status': undefined };
    expect(await sentBy('card.status', { endpointCredentials: none })).toHaveLength(2);
  });

  it('decides which missing credential the error names', async () => {
    const { fetch, requests } = scriptedFetch(json({}));
    const options = { fetch, secretKey: undefined, clientId: undefined };
    const consent = sampleCall('consent.createOnboarding');
    expect(await rejection(consent.invoke(clientFor(BASE_URL, options)))).toMatchObject({
      option: 'secretKey',
    });
    const endpointCredentials = { 'card.status': ['clientId'] } as const;
    const client = clientFor(BASE_URL, { ...options, endpointCredentials });
    expect(await rejection(client.card.status())).toMatchObject({
      name: 'ConfigurationError',
      option: 'clientId',
    });
    expect(requests).toEqual([]);
  });

  it('is read once, and applies to the clients of users and to createClient', async () => {
    const list: Credential[] = ['clientKey'];
    const { fetch, requests } = scriptedFetch(json({ id: 'c', status: 'ACTIVE' }));
    const options = { baseUrl: BASE_URL, ...CREDENTIALS, fetch };
    const client = createClient({ ...options, endpointCredentials: { 'card.status': list } });
    list.push('secretKey');
    const cardStatus = ENDPOINTS.find(
      ({ id }) => id === 'card.status',
    ) as (typeof ENDPOINTS)[number];
    await call(client.withAccessToken('token-of-ada'), cardStatus, {});
    const sent = Object.keys(requests[0]?.init.headers ?? {});
    expect(sent).toContain('x-client-key');
    expect(sent).not.toContain('x-secret-key');
    expect(sent).not.toContain('authorization');
  });

  it('does not apply to an endpoint of your own, which declares its own credentials', async () => {
    const { fetch, requests } = scriptedFetch(json({}));
    const client = clientFor(BASE_URL, { fetch, endpointCredentials: { 'card.status': ALL } });
    const own = { id: 'card.status', method: 'GET', path: '/v9/own', retry: 'safe' } as const;
    await call(client, defineEndpoint(own), {});
    expect(requests[0]?.init.headers).not.toHaveProperty('x-secret-key');
  });

  it.each([
    ['endpointCredentials.card.statuss', { 'card.statuss': ['clientKey'] }],
    ['endpointCredentials.constructor', { constructor: ['clientKey'] }],
    ['endpointCredentials.card.status', { 'card.status': ['password'] }],
    ['endpointCredentials.card.status', { 'card.status': 'clientKey' }],
    ['endpointCredentials.card.status', { 'card.status': null }],
    ['options', 'card.status'],
  ])('is refused with an error that names %s', (option, endpointCredentials) => {
    const options = { endpointCredentials } as unknown as Partial<ClientOptions>;
    expect(() => clientFor(BASE_URL, options)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option }),
    );
  });

  it('does not allow a secret key in a browser', () => {
    const endpointCredentials = { 'card.status': ['secretKey'] } as const;
    expect(() => inBrowser(() => clientFor(BASE_URL, { endpointCredentials }))).toThrow(
      expect.objectContaining({ option: 'secretKey' }),
    );
  });
});

describe('endpointCredentials of the mock platform', () => {
  const endpointCredentials = {
    'orders.create': ['clientKey', 'accessToken'],
    'consent.createOnboarding': ['clientKey'],
  } as const;

  it('makes it expect the same credentials as the client sends', async () => {
    const mock = createMockPlatform({ endpointCredentials });
    const options = { baseUrl: mock.baseUrl, fetch: mock.fetch, ...mock.credentials };
    const accessToken = mock.accessTokenFor(mock.users.add({}));
    const asContract = clientFor(mock.baseUrl, { ...options, accessToken });
    const { paymentMethod } = sampleCall('orders.create').input as { paymentMethod: string };
    const order = { productId: 'metal-card', paymentMethod };
    expect(await rejection(asContract.orders.create(order))).toMatchObject({ status: 499 });
    const client = clientFor(mock.baseUrl, { ...options, accessToken, endpointCredentials });
    expect(await client.orders.create(order)).toHaveProperty('orderId');
    await sampleCall('consent.createOnboarding').invoke(client);
    expect(mock.requests.at(-1)?.headers).not.toHaveProperty('x-secret-key');
  });

  it.each([
    ['"card.statuss" is not an endpoint id', { 'card.statuss': [] }],
    ['card.status must be a list', { 'card.status': ['password'] }],
    ['card.status must be a list', { 'card.status': 'clientKey' }],
  ])('is refused: %s', (message, wrong) => {
    expect(() => createMockPlatform({ endpointCredentials: wrong as never })).toThrow(message);
  });
});
