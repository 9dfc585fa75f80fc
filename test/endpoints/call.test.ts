import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import * as entry from '../../src/endpoints/index.js';
import { isApiError } from '../../src/errors/index.js';
import { SAMPLE_CALLS } from '../support/calls.js';
import { CREDENTIALS, clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { RecordingServer } from '../support/server.js';

const { call, createClient } = entry;
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value;
const exported: readonly Endpoint[] = Object.values<unknown>(entry).filter(isEndpoint);

const server = new RecordingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

it('exports every endpoint from /endpoints', () => {
  expect(exported.map(({ id }) => id).sort()).toEqual(ENDPOINTS.map(({ id }) => id).sort());
});

describe.each(SAMPLE_CALLS)('$id', ({ id, invoke, input = {}, response }) => {
  const endpoint = exported.find((one) => one.id === id) as Endpoint;

  it('sends the same request and returns the same result as its method, with either client', async () => {
    server.respond = () => response;
    const whole = clientFor(server.baseUrl);
    const expected = await invoke(whole);
    const light = createClient({ baseUrl: server.baseUrl, ...CREDENTIALS });
    expect(await call(light, endpoint, input)).toEqual(expected);
    expect(await call(whole, endpoint, input)).toEqual(expected);
    const [byMethod, ...byCall] = server.requests;
    expect(byCall).toEqual([byMethod, byMethod]);
  });

  it('rejects with the same error as its method', async () => {
    // A scripted response, because those of the server contain the time.
    const { fetch } = scriptedFetch(json({ message: 'no', errors: [] }, 422));
    const byMethod = await rejection(invoke(clientFor(server.baseUrl, { fetch })));
    const light = createClient({ baseUrl: server.baseUrl, ...CREDENTIALS, fetch });
    const byCall = await rejection(call(light, endpoint, input));
    expect(isApiError(byCall)).toBe(true);
    expect(byCall).toEqual(byMethod);
  });
});

describe('a client without methods', () => {
  const { cardStatus, cardTransactions, createOrder, login } = entry;
  const options = { baseUrl: 'https://api.example.com', clientKey: CREDENTIALS.clientKey };

  it('refuses an invalid input before anything is sent', async () => {
    const { fetch, requests } = scriptedFetch(json({}));
    const client = createClient({ ...options, ...CREDENTIALS, fetch });
    const error = await rejection(call(client, createOrder, { productId: '', paymentMethod: 'x' }));
    expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
    expect(requests).toEqual([]);
  });

  it('names a missing credential', async () => {
    const error = await rejection(call(createClient(options), cardStatus, {}));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'accessToken' });
  });

  it.each([
    undefined,
    null,
    {},
    'client',
  ])('cannot be replaced by %o, which call refuses', (wrong) => {
    expect(() => call(wrong as never, cardStatus, {})).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option: 'client' }),
    );
  });

  it('refuses options that cannot work', () => {
    expect(() => createClient({ baseUrl: 'http://api.example.com' })).toThrow('must be https');
  });

  it('returns a client for one user', async () => {
    const { fetch, requests } = scriptedFetch(json({ id: 'card-1', status: 'ACTIVE' }));
    const platform = createClient({ ...options, fetch });
    const user = platform.withAccessToken('token-of-ada');
    expect(await call(user, cardStatus, {})).toMatchObject({ status: 'ACTIVE' });
    expect(requests[0]?.init.headers).toMatchObject({ authorization: 'Bearer token-of-ada' });
    expect(() => platform.withAccessToken('')).toThrow('accessToken is missing');
  });

  it('accepts the options of a call, including a schema', async () => {
    const { fetch } = scriptedFetch(json([{ id: 't' }]));
    const client = createClient({ ...options, ...CREDENTIALS, fetch });
    const schema = z.array(z.object({ id: z.string() }));
    const [first] = await call(client, cardTransactions, {}, { schema, timeout: 1_000 });
    const id: string | undefined = first?.id;
    expect(id).toBe('t');
  });

  it('returns a promise with safe()', async () => {
    const { fetch } = scriptedFetch(json({ message: 'no' }, 400));
    const client = createClient({ ...options, fetch });
    const input = { email: 'ada@example.com', password: 'a secret' };
    expect(await call(client, login, input).safe()).toMatchObject({ ok: false });
  });

  it('shows no credential', () => {
    const client = createClient({ ...options, ...CREDENTIALS });
    const shown = `${inspect(client, { depth: 9, showHidden: true })} ${JSON.stringify(client)}`;
    for (const secret of Object.values(CREDENTIALS)) expect(shown).not.toContain(secret);
  });
});
