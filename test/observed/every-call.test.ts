import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, createClient, type Endpoint } from '../../src/endpoints/index.js';
import { observe, observedEndpoints } from '../../src/observed/index.js';
import document from '../fixtures/observed-endpoints.json' with { type: 'json' };
import { CREDENTIALS, clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingServer } from '../support/server.js';
import { RESPONSES, VALID_INPUTS } from './valid-inputs.js';

const CLASSES = { R: 'safe', S: 'idempotent', M: 'issues-token', N: 'never' } as const;
const REQUESTS = { safe: 3, idempotent: 2, 'issues-token': 2, never: 1 } as const;
/** Its class says that another credential is harmless, but section 7.3 that no client retries by itself. */
const CREDENTIAL = 'card.provisioning.google';
/** Each request leaves something that lasts or is billed, so none follows a lost response. */
const LASTING: readonly string[] = ['user.registration.startVerification', CREDENTIAL];
const HEADERS = {
  clientKey: 'x-client-key',
  bearer: 'authorization',
  loginBearer: 'authorization',
} as const;
const BYTES = new TextEncoder().encode('date,amount\n');

const declared: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  Object.values(observedEndpoints).map((one) => [one.id, one as Endpoint]),
);
const rows = document.endpoints.filter(({ auth }) => !auth.includes('none'));
const calls = rows.map((row) => ({ row, endpoint: declared[row.sdk] as Endpoint }));
const inputOf = (id: string) => VALID_INPUTS[id] ?? {};
const isBytes = (id: string) => id === 'card.statement';
const responseTo = (id: string) =>
  isBytes(id)
    ? new Response(BYTES, { headers: { 'content-type': 'text/csv' } })
    : json(RESPONSES[id] ?? {});

/** A call, and its result if a retry is refused because the first request succeeded. */
type Row = { id: string; resultWhenRetried: unknown };

/** When the service acts on a request whose response does not come in time. */
const MOMENTS = ['before', 'after'] as const;

/**
 * A service that does not respond in time to the first few requests. It acts on them if it stalls
 * after processing. Later ones get the usual response; a second revocation is refused with 401.
 */
function stalling(
  moment: (typeof MOMENTS)[number],
  stalled: number,
  { id, resultWhenRetried }: Row,
) {
  const counted = { requests: 0, processed: 0 };
  const fetch = (_url: string, { signal }: RequestInit): Promise<Response> => {
    counted.requests++;
    const isStalled = counted.requests <= stalled;
    const isDone = counted.processed > 0;
    if (!isStalled || moment === 'after') counted.processed++;
    if (!isStalled) {
      const isRefused = isDone && resultWhenRetried !== undefined;
      return Promise.resolve(isRefused ? json({ message: 'no' }, 401) : responseTo(id));
    }
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  };
  const options = { fetch, clock: new FakeClock(), timeout: 1_000, retry: { baseDelay: 0 } };
  return { client: clientFor('https://api.example.com', options), counted };
}

const server = new RecordingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

it('declares every observed call and no other', () => {
  expect(Object.keys(observedEndpoints).sort()).toEqual(rows.map(({ sdk }) => sdk).sort());
  for (const [id, endpoint] of Object.entries(observedEndpoints)) expect(endpoint.id).toBe(id);
});

describe.each(calls)('$row.sdk', ({ row, endpoint }) => {
  const input = inputOf(row.sdk);
  const facts: Row = {
    id: row.sdk,
    resultWhenRetried: endpoint.retryResolutions?.flatMap((one) =>
      one.means === 'done' && one.status === 401 ? [one.result] : [],
    )[0],
  };

  it('sends the observed method, path, credentials and US routing with either client', async () => {
    server.respond = () =>
      isBytes(row.sdk)
        ? { body: 'a,b', headers: { 'content-type': 'text/csv' } }
        : { body: RESPONSES[row.sdk] ?? {} };
    const light = createClient({ baseUrl: server.baseUrl, region: 'us', ...CREDENTIALS });
    for (const client of [light, clientFor(server.baseUrl, { region: 'us' })]) {
      await call(client, endpoint, input);
      const path = row.path.replace(/\{(\w+)\}/g, (_, name) => String(input[name]));
      expect(server.last).toMatchObject({ method: row.method, path });
      const wanted = new Set(row.auth.map((name) => HEADERS[name as keyof typeof HEADERS]));
      const sent = ['x-client-key', 'x-client-id', 'x-secret-key', 'authorization'];
      const given = sent.filter((name) => name in server.last.headers);
      expect(new Set(given)).toEqual(wanted);
      expect(server.last.headers['x-us-env']).toBe(row.us === 'header' ? 'true' : undefined);
      expect(server.last.body !== undefined).toBe(row.body);
    }
  });

  it('is sent by the method of its name', async () => {
    const { fetch, requests } = scriptedFetch(responseTo(row.sdk));
    const client = clientFor('https://api.example.com', { fetch });
    const names = row.sdk.split('.');
    const method = names.pop() ?? '';
    const namespace = names.reduce<object>(
      (node, name) => Reflect.get(node, name),
      observe(client),
    );
    // This call gets its token from the caller, never from the client.
    const token = row.auth.includes('loginBearer') ? { loginToken: CREDENTIALS.accessToken } : {};
    const inputs = row.sdk in VALID_INPUTS ? [{ ...input, ...token }] : [];
    await call(client, endpoint, input);
    await Reflect.get(namespace, method).apply(namespace, inputs);
    const [expected, sent] = requests.map(({ url, init: { signal: _, ...init } }) => [url, init]);
    expect(sent).toEqual(expected);
  });

  it('has its documented retry class and sends no more requests than it allows', async () => {
    const retry = CLASSES[row.repeat as keyof typeof CLASSES];
    expect(endpoint.retry.class).toBe(retry);
    const most = row.sdk === CREDENTIAL ? 1 : isBytes(row.sdk) ? 2 : REQUESTS[retry];
    for (const failure of [json({ message: 'down' }, 503), new Error('socket hang up')]) {
      const { fetch, requests } = scriptedFetch(failure);
      const client = clientFor('https://api.example.com', { fetch, retry: { baseDelay: 0 } });
      const error = await rejection(call(client, endpoint, input));
      const isLost = failure instanceof Error && LASTING.includes(row.sdk);
      expect(requests).toHaveLength(isLost ? 1 : most);
      expect(error).toMatchObject({ operation: row.sdk });
      if (retry === 'never') expect(error).toMatchObject({ outcome: 'unknown' });
    }
  });

  it.each(
    MOMENTS,
  )('follows its retry class when no response comes in time, %s processing', async (moment) => {
    const retry = CLASSES[row.repeat as keyof typeof CLASSES];
    const most = LASTING.includes(row.sdk) ? 1 : isBytes(row.sdk) ? 2 : REQUESTS[retry];
    const { client, counted } = stalling(moment, Number.POSITIVE_INFINITY, facts);
    expect(await rejection(call(client, endpoint, input))).toMatchObject({
      name: 'TimeoutError',
      outcome: 'unknown',
      operation: row.sdk,
      attempts: most,
    });
    expect(counted).toEqual({ requests: most, processed: moment === 'after' ? most : 0 });
  });

  it.each(
    MOMENTS,
  )('sends a call again after one timeout %s processing, unless its class is never', async (moment) => {
    const { client, counted } = stalling(moment, 1, facts);
    const result = call(client, endpoint, input);
    if (row.repeat === 'N' || LASTING.includes(row.sdk)) {
      expect(await rejection(result)).toMatchObject({ name: 'TimeoutError', outcome: 'unknown' });
      expect(counted).toEqual({ requests: 1, processed: moment === 'after' ? 1 : 0 });
      return;
    }
    const resolved = moment === 'after' ? facts.resultWhenRetried : undefined;
    if (resolved === undefined) expect(await result).toBeDefined();
    else expect(await result).toEqual(resolved);
    expect(counted).toEqual({ requests: 2, processed: moment === 'after' ? 2 : 1 });
  });

  it('documents the error statuses that were seen', () => {
    expect([...endpoint.errors].sort()).toEqual([...row.errors].sort());
  });

  it('refuses an unknown field before anything is sent and names it', async () => {
    const { fetch, requests } = scriptedFetch(json({}));
    const client = clientFor('https://api.example.com', { fetch });
    const error = await rejection(call(client, endpoint, { ...input, unknownField: 1 }));
    expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
    expect(error).toMatchObject({ issues: [{ path: 'unknownField' }] });
    expect(requests).toHaveLength(0);
  });

  it('refuses each field of a wrong type before anything is sent and names it', async () => {
    for (const name of Object.keys(input)) {
      const { fetch, requests } = scriptedFetch(json({}));
      const client = clientFor('https://api.example.com', { fetch });
      const error = await rejection(call(client, endpoint, { ...input, [name]: { a: 1 } }));
      expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
      expect(String(error)).toContain(name);
      expect(requests).toHaveLength(0);
    }
  });

  it('shows no secret of its request in an error, a log or a printout', async () => {
    const secrets = JSON.stringify(input).match(/canary[\w@.-]*/gi) ?? [];
    const echo = { message: JSON.stringify(input), ...input };
    const lines: unknown[] = [];
    const log = (...line: unknown[]) => lines.push(line);
    const logger = { debug: log, info: log, warn: log, error: log };
    const { fetch } = scriptedFetch(json(echo, 422));
    const client = clientFor('https://api.example.com', { fetch, logger });
    const error = await rejection(call(client, endpoint, input));
    const shown = [String(error), inspect(error), JSON.stringify(error), inspect(lines)].join();
    for (const secret of secrets) expect(shown).not.toContain(secret);
    for (const value of Object.values(CREDENTIALS)) expect(shown).not.toContain(value);
  });

  it('prints no secret of its response', async () => {
    const { fetch } = scriptedFetch(responseTo(row.sdk));
    const client = clientFor('https://api.example.com', { fetch });
    const result = await call(client, endpoint, input);
    expect(inspect(result, { depth: 9 })).not.toContain('canary-answer');
    if (isBytes(row.sdk)) expect(inspect(result)).toBe('[redacted]');
  });

  it('refuses a response of another kind, and one that says success is false', async () => {
    for (const body of ['<html>', JSON.stringify('text'), JSON.stringify({ success: false })]) {
      const { fetch } = scriptedFetch(json(body));
      const client = clientFor('https://api.example.com', { fetch, retry: false });
      expect(await rejection(call(client, endpoint, input))).toMatchObject({ operation: row.sdk });
    }
  });
});
