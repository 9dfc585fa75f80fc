import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { call, defineEndpoint, openApiPaths } from '../../src/endpoints/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const GET = { id: 'own.get', method: 'GET', path: '/v9/own', retry: 'safe' } as const;
const POST = { ...GET, method: 'POST', retry: 'never' } as const;
const declare = defineEndpoint as (declaration: unknown) => Endpoint;
const fields = z.strictObject({ name: z.string(), list: z.optional(z.unknown()) });

function withResponses(...responses: Parameters<typeof scriptedFetch>) {
  const { fetch, requests } = scriptedFetch(...responses);
  return {
    requests,
    client: clientFor('https://api.example.com', { fetch, retry: { baseDelay: 0 } }),
  };
}

describe('the rarely needed options of defineEndpoint', () => {
  it.each([
    ['mayBeEmpty', { mayBeEmpty: 'yes' }],
    ['renewsToken', { renewsToken: 1 }],
    ['bodyEncoding', { bodyEncoding: 'xml' }],
    ['headerFields', { input: fields, headerFields: [] }],
    ['headerFields', { input: fields, query: ['name'], headerFields: { name: 'x-name' } }],
    ['mediaTypes', { response: 'text', mediaTypes: 'text/csv' }],
    ['resultWhen', { resultWhen: { 200: null } }],
    ['resultWhenRetried', { resultWhenRetried: { 500: null } }],
    ['maxRequests', { maxRequests: 0 }],
    ['maxRequests', { maxRequests: 1.5 }],
    ['retryWithin', { retryWithin: -1 }],
    ['retryAfterNoResponse', { retryAfterNoResponse: 'no' }],
    ['retryAfterStatuses', { retryAfterStatuses: 503 }],
    ['retryAfterStatuses', { retryAfterStatuses: [503, 404] }],
    ['retryAfterConnectFailure', { retryAfterConnectFailure: -1 }],
    ['retryAfterConnectFailure', { retryAfterConnectFailure: 0.5 }],
  ])('refuses a wrong %s when the endpoint is declared', (option, options) => {
    expect(() => declare({ ...GET, ...options })).toThrow(option);
  });

  it('writes a body as the fields of a form, and refuses what a form cannot hold', async () => {
    const endpoint = defineEndpoint({
      ...POST,
      input: fields,
      wireNames: { name: 'full name' },
      bodyEncoding: 'form',
    });
    const { client, requests } = withResponses(json({ id: 1 }));
    await call(client, endpoint, { name: 'a&b=ä' });
    expect(requests[0]?.init).toMatchObject({
      body: 'full%20name=a%26b%3D%C3%A4',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const error = await rejection(call(client, endpoint, { name: 'a', list: ['b'] }));
    expect(error).toMatchObject({ outcome: 'not_sent', issues: [{ path: 'list' }] });
    expect(requests).toHaveLength(1);
  });

  it('sends fields in headers, but never in those that only the client sets', async () => {
    const common = { ...POST, input: fields, secretInputs: ['name'] } as const;
    const endpoint = defineEndpoint({ ...common, headerFields: { name: 'x-name' } });
    const { client, requests } = withResponses(json({ id: 1 }));
    await call(client, endpoint, { name: 'canary-name' });
    expect(requests[0]?.init).toMatchObject({ body: '{}', headers: { 'x-name': 'canary-name' } });
    const broken = await rejection(call(client, endpoint, { name: 'two\r\nlines' }));
    expect(broken).toMatchObject({ outcome: 'not_sent', issues: [{ path: 'name' }] });
    for (const header of ['authorization', 'x-us-env', 'content-length', 'bad name']) {
      const reserved = defineEndpoint({ ...common, headerFields: { name: header } });
      const error = await rejection(call(client, reserved, { name: 'canary-name' }));
      expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not_sent' });
      expect(inspect(error)).not.toContain('canary-name');
    }
    expect(requests).toHaveLength(1);
    const left = defineEndpoint({
      ...common,
      input: z.strictObject({ name: z.optional(z.string()) }),
      headerFields: { name: 'x-name' },
    });
    await call(client, left, {});
    expect(requests[1]?.init.headers).not.toHaveProperty('x-name');
  });

  it('reads an empty body like {} with mayBeEmpty', async () => {
    const output = z.looseObject({ done: z._default(z.boolean(), true) });
    const empty = new Response(null, { status: 200 });
    const { client } = withResponses(empty);
    expect(await call(client, defineEndpoint({ ...GET, output, mayBeEmpty: true }), {})).toEqual({
      done: true,
    });
    expect(await rejection(call(client, defineEndpoint({ ...GET, output }), {}))).toMatchObject({
      outcome: 'unknown',
    });
  });

  it('refuses an empty body with mayBeEmpty: false, even without an output', async () => {
    const { client } = withResponses(new Response(null, { status: 200 }));
    const endpoint = defineEndpoint({ ...GET, mayBeEmpty: false });
    expect(await rejection(call(client, endpoint, {}))).toMatchObject({ name: 'ProtocolError' });
    const open = withResponses(new Response(null, { status: 200 })).client;
    expect(await call(open, defineEndpoint(GET), {})).toBeUndefined();
  });

  it('refuses a text of another media type', async () => {
    const endpoint = defineEndpoint({ ...GET, response: 'text', mediaTypes: ['text/csv'] });
    const csv = new Response('a', { headers: { 'content-type': 'TEXT/CSV; charset=utf-8' } });
    expect(await call(withResponses(csv).client, endpoint, {})).toBe('a');
    for (const response of [json({ error: 'x' }), new Response(new Uint8Array([97]))]) {
      const error = await rejection(call(withResponses(response).client, endpoint, {}));
      expect(error).toMatchObject({ name: 'ProtocolError', status: 200 });
    }
  });

  it('returns the result of an error status with resultWhen, and only after a retry with resultWhenRetried', async () => {
    const output = z.nullable(z.looseObject({ id: z.optional(z.string()) }));
    const found = defineEndpoint({ ...GET, output, resultWhen: { 404: null } });
    expect(await call(withResponses(new Response('', { status: 404 })).client, found, {})).toBe(
      null,
    );
    const brokenBody = () =>
      new Response(
        new ReadableStream({ start: (body) => body.error(new TypeError('terminated')) }),
        { status: 404 },
      );
    const broken = withResponses(brokenBody).client;
    expect(await rejection(call(broken, found, {}))).toMatchObject({ status: 404 });
    const other = withResponses(json({ message: 'no' }, 403)).client;
    expect(await rejection(call(other, found, {}))).toMatchObject({ status: 403 });
    const removed = defineEndpoint({
      ...GET,
      method: 'DELETE',
      retry: 'idempotent',
      output,
      resultWhenRetried: { 404: { id: 'gone' } },
    });
    const lost = withResponses(json({ message: 'down' }, 503), json({ error: 'Not Found' }, 404));
    expect(await call(lost.client, removed, {})).toEqual({ id: 'gone' });
    const first = withResponses(json({ error: 'Not Found' }, 404)).client;
    expect(await rejection(call(first, removed, {}))).toMatchObject({ status: 404 });
  });

  it.each([
    ['<html>not here</html>', false],
    [' \n <!doctype html>', false],
    ['', true],
    ['{"message":"a < b"}', true],
    ['not <here>', true],
  ])('takes an error status with the body %j for a result of resultWhen: %s', async (body, isResult) => {
    const output = z.nullable(z.looseObject({}));
    const found = defineEndpoint({ ...GET, output, resultWhen: { 404: null } });
    const { client } = withResponses(new Response(body, { status: 404 }));
    const { ok, data, error } = await call(client, found, {}).safe();
    expect(ok).toBe(isResult);
    if (isResult) expect(data).toBeNull();
    else expect(error).toMatchObject({ name: 'NotFoundError', status: 404 });
  });

  it('does not ask for another token after a 401 with renewsToken: false', async () => {
    let asked = 0;
    const { fetch, requests } = scriptedFetch(json({ message: 'Unauthorized' }, 401));
    const client = clientFor('https://api.example.com', {
      fetch,
      accessToken: async () => `token-${++asked}`,
    });
    await rejection(call(client, defineEndpoint({ ...GET, renewsToken: false }), {}));
    expect([asked, requests.length]).toEqual([1, 1]);
    await rejection(call(client, defineEndpoint(GET), {}));
    expect([asked, requests.length]).toEqual([3, 3]);
  });

  it('lowers the number of requests and the time for retries, and never raises the number', async () => {
    for (const [retry, maxRequests, expected] of [
      ['safe', 2, 2],
      ['safe', 9, 3],
      ['never', 3, 1],
    ] as const) {
      const { client, requests } = withResponses(json({}, 503));
      await rejection(call(client, defineEndpoint({ ...GET, retry, maxRequests }), {}));
      expect(requests).toHaveLength(expected);
    }
    expect(defineEndpoint({ ...GET, retryWithin: 5_000 }).retry.within).toBe(5_000);
  });

  it('retries only after the listed statuses, and after none that the class does not allow', async () => {
    for (const [retry, status, expected] of [
      ['safe', 503, 3],
      ['safe', 500, 1],
      ['idempotent', 503, 2],
      ['idempotent', 500, 1],
      ['never', 503, 1],
    ] as const) {
      const { client, requests } = withResponses(json({}, status));
      const endpoint = defineEndpoint({ ...GET, retry, retryAfterStatuses: [503, 599] });
      await rejection(call(client, endpoint, {}));
      expect([retry, status, requests.length]).toEqual([retry, status, expected]);
    }
  });

  it('does not retry after a lost response with retryAfterNoResponse: false', async () => {
    const lost = () => json({}, 408);
    for (const [retry, retryAfterNoResponse, expected] of [
      ['safe', undefined, 3],
      ['safe', false, 1],
      ['idempotent', true, 2],
      ['idempotent', false, 1],
      ['never', true, 1],
    ] as const) {
      const { client, requests } = withResponses(lost());
      await rejection(call(client, defineEndpoint({ ...GET, retry, retryAfterNoResponse }), {}));
      expect([retry, retryAfterNoResponse, requests.length]).toEqual([
        retry,
        retryAfterNoResponse,
        expected,
      ]);
    }
  });

  it('lowers how often a failed connection is tried again', async () => {
    for (const [retry, retryAfterConnectFailure, expected] of [
      ['never', undefined, 3],
      ['never', 1, 2],
      ['never', 0, 1],
      ['safe', 9, 3],
    ] as const) {
      let requests = 0;
      const fetch = async () => {
        requests++;
        const cause = { code: 'ECONNREFUSED', syscall: 'connect' };
        const refused = Object.assign(new Error('refused'), cause);
        throw new TypeError('fetch failed', { cause: refused });
      };
      const client = clientFor('https://api.example.com', {
        fetch,
        retry: { baseDelay: 0 },
      });
      const declared = { ...POST, retry, retryAfterConnectFailure };
      expect(await rejection(call(client, defineEndpoint(declared), {}))).toMatchObject({
        outcome: 'not_sent',
      });
      expect([retry, retryAfterConnectFailure, requests]).toEqual([
        retry,
        retryAfterConnectFailure,
        expected,
      ]);
    }
  });

  it('redacts every field below a path that ends in a star, and bytes as a whole', async () => {
    const body = {
      user: { name: 'canary', home: { city: 'canary' } },
      list: [{ a: 'canary' }],
      b: 1,
    };
    const { client } = withResponses(json(body));
    const endpoint = defineEndpoint({ ...GET, secrets: ['user.*', 'list.*'] });
    const result = await call(client, endpoint, {});
    expect(result).toEqual(body);
    expect(inspect(result, { depth: 9 })).not.toContain('canary');
    expect(inspect(result)).toContain('b: 1');
    const bytes = withResponses(new Response('canary')).client;
    const file = defineEndpoint({ ...GET, response: 'bytes', secrets: ['*'] });
    expect(inspect(await call(bytes, file, {}))).toBe('[redacted]');
    const open = defineEndpoint({ ...GET, response: 'bytes' });
    expect(inspect(await call(bytes, open, {}))).toContain('Uint8Array');
    const fieldsOnly = defineEndpoint({ ...GET, response: 'bytes', secrets: ['user.name'] });
    expect(inspect(await call(bytes, fieldsOnly, {}))).toContain('Uint8Array');
    const refused = withResponses(json({ message: 'x', user: { name: 'canary' } }, 422)).client;
    expect(inspect(await rejection(call(refused, endpoint, {})))).not.toContain('canary');
  });

  it('describes form bodies and header fields in OpenAPI', () => {
    const input = z.strictObject({ name: z.string(), key: z.string() });
    const endpoint = defineEndpoint({
      ...POST,
      input,
      bodyEncoding: 'form',
      headerFields: { key: 'x-key' },
      output: z.looseObject({}),
      mayBeEmpty: true,
    });
    const paths = openApiPaths([endpoint], (schema) => z.toJSONSchema(schema as typeof input));
    expect(paths['/v9/own']?.['post']).toMatchObject({
      parameters: [{ name: 'x-key', in: 'header' }, { name: 'x-us-env' }],
      requestBody: {
        content: { 'application/x-www-form-urlencoded': { schema: { required: ['name'] } } },
      },
      responses: { '2XX': {} },
    });
    expect(JSON.stringify(paths)).not.toContain('"200"');
  });
});
