import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import { CALL_OPTIONS } from '../../src/transport/settings/check-call.js';
import { sampleCall } from '../support/calls.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';
const VALUES: Readonly<Record<keyof typeof CALL_OPTIONS, unknown>> = {
  signal: {},
  timeout: 1_000,
  totalTimeout: 1_000,
  headers: { 'x-trace': 'a' },
  region: 'us',
  accessToken: 'another-token',
  retry: false,
  middleware: [],
  schema: {},
};

function setUp(options = {}) {
  const { fetch, requests } = scriptedFetch(json({ token: 't', nonce: 'n', success: true }));
  return { client: clientFor(BASE_URL, { fetch, ...options }), requests };
}

/** The fields that an endpoint itself has, by the name of an option. */
const OWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'delegation.getToken': ['region'],
  'delegation.submitEvmApproval': ['region'],
  'delegation.submitSolanaApproval': ['region'],
};

describe.each(
  ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const),
)('the input of %s', (id, endpoint) => {
  const input = (sampleCall(id).input ?? {}) as object;
  const names = Object.keys(CALL_OPTIONS).filter((name) => !OWN_FIELDS[id]?.includes(name));

  it.each(names)('refuses the option %s of a call and says where it belongs', async (name) => {
    const { client, requests } = setUp();
    const values = { ...input, [name]: VALUES[name as keyof typeof VALUES] };
    const error = await rejection(call(client, endpoint, values));
    expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
    expect(error).toMatchObject({
      issues: [{ path: name, message: expect.stringContaining('pass it in the options') }],
    });
    expect(requests).toEqual([]);
  });

  it('refuses every other field that it does not have', async () => {
    const { client, requests } = setUp();
    const error = await rejection(call(client, endpoint, { ...input, usRegion: true }));
    expect(error).toMatchObject({
      issues: [{ path: 'usRegion', message: 'is not a known field' }],
    });
    expect(requests).toEqual([]);
  });
});

it('a method refuses an option among its fields as well', async () => {
  const { client, requests } = setUp();
  const transactions = client.card.transactions as (input: object) => PromiseLike<unknown>;
  const error = await rejection(transactions.call(client.card, { region: 'us' }));
  expect(error).toMatchObject({ name: 'RequestValidationError', issues: [{ path: 'region' }] });
  expect(requests).toEqual([]);
});

describe('an endpoint of your own', () => {
  const common = { id: 'own.get', method: 'GET', path: '/v9/own', retry: 'safe' } as const;
  it.each([
    ['no input', {}],
    ['a strict schema', { input: z.strictObject({}) }],
    ['a schema that drops unknown fields', { input: z.object({}) }],
    ['a schema that keeps unknown fields', { input: z.looseObject({}) }],
  ])('with %s refuses an option among its fields', async (_, own) => {
    const { client, requests } = setUp();
    const declare = defineEndpoint as (declaration: object) => ReturnType<typeof defineEndpoint>;
    const values = { region: 'us' } as never;
    const error = await rejection(call(client, declare({ ...common, ...own }), values));
    expect(error).toMatchObject({
      issues: [{ path: 'region', message: expect.stringContaining('pass it in the options') }],
    });
    expect(requests).toEqual([]);
  });
});

describe('the region of a call', () => {
  const ownQuery = defineEndpoint({
    id: 'own.get',
    method: 'GET',
    path: '/v9/own',
    retry: 'safe',
    input: z.strictObject({ area: z.string() }),
    query: ['area'],
    wireNames: { area: 'region' },
  });
  const proofOf = (id: string) => sampleCall(id).input as object;
  type Client = ReturnType<typeof setUp>['client'];
  const byId = (id: string) => ENDPOINTS.find((one) => one.id === id) as (typeof ENDPOINTS)[number];
  const withRegion = (id: string) => (client: Client, region: string, options?: object) =>
    call(client, byId(id), { ...proofOf(id), region }, options);
  const CALLS: [
    string,
    (client: Client, region: string, options?: object) => PromiseLike<unknown>,
  ][] = [
    ...Object.keys(OWN_FIELDS).map((id): [string, ReturnType<typeof withRegion>] => [
      id,
      withRegion(id),
    ]),
    [
      'client.request',
      (client, region, options) =>
        client.request('GET', '/v9/own', { query: { region }, ...options }),
    ],
    [
      'an endpoint of your own',
      (client, area, options) => call(client, ownQuery, { area }, options),
    ],
  ];

  it.each(CALLS)('is refused when the input of %s names another one', async (_, send) => {
    const { client, requests } = setUp();
    expect(await rejection(send(client, 'us', { region: 'global' }))).toMatchObject({
      name: 'ConfigurationError',
      option: 'region',
      outcome: 'not_sent',
      message: expect.stringContaining('region'),
    });
    expect(requests).toEqual([]);
  });

  it.each(CALLS)('may be the same as in the input of %s', async (_, send) => {
    const { client, requests } = setUp();
    await send(client, 'us', { region: 'us' });
    expect(requests[0]?.url).toContain('region=us');
  });

  it.each(CALLS)('of the client is overridden by the input of %s', async (_, send) => {
    const { client, requests } = setUp({ region: 'global' });
    await send(client, 'us');
    expect(requests[0]?.url).toContain('region=us');
  });

  it('may be combined with a query field of the same name that is not an environment', async () => {
    const { client, requests } = setUp();
    await client.request('GET', '/v9/own', { query: { region: 'emea' }, region: 'us' });
    expect(requests[0]?.url).toContain('region=emea');
    expect(requests[0]?.init.headers).toMatchObject({ 'x-us-env': 'true' });
  });
});
