import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { check } from '../../src/contract/check.js';
import {
  OperationRejectedError,
  PaginationError,
  PollingTimeoutError,
  TlsError,
} from '../../src/errors/index.js';
import { isBrowser, isNode } from '../../src/transport/adapters/runtime.js';
import { Deadline } from '../../src/transport/attempts/deadline.js';
import { requestIdOf } from '../../src/transport/response/http-response.js';
import { printWithoutSecrets, SecretValues } from '../../src/transport/response/redact.js';
import { inBrowser } from '../support/adapters.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const BASE_URL = 'https://api.example.com';

describe('the runtime detection', () => {
  const node = { process: { versions: { node: '20' } } };
  it.each([
    ['Node', node, true, false],
    ['Node with a document (jsdom)', { ...node, document: {} }, true, false],
    ['Bun', { process: { versions: { node: '20', bun: '1' } } }, false, false],
    ['Deno', { ...node, Deno: {} }, false, false],
    ['a browser page', { document: {} }, false, true],
    ['a web worker', { importScripts: () => {} }, false, true],
    [
      'a Cloudflare Worker',
      { navigator: { userAgent: 'Cloudflare-Workers' }, importScripts: () => {} },
      false,
      false,
    ],
    ['another edge runtime', {}, false, false],
    ['a browser page with a process shim', { process: {}, document: {} }, false, true],
  ])('recognises %s', (_, globals, onNode, inBrowser) => {
    expect(isNode(globals)).toBe(onNode);
    expect(isBrowser(globals)).toBe(inBrowser);
  });
});

describe('redaction', () => {
  it('replaces longer secrets first and ignores values that are too short to be secrets', () => {
    const secrets = new SecretValues(['Bearer abcd', 'abcdef', 'xy', undefined, 5]);
    expect(secrets.redact('abcdef abcd xy')).toBe('[redacted] [redacted] xy');
    expect(secrets.redactJson({ abcd: ['abcdef', 1, null] })).toEqual({
      '[redacted]': ['[redacted]', 1, null],
    });
  });

  it('replaces a secret that no URL can hold', () => {
    const secrets = new SecretValues(['half a \ud83d pair']);
    expect(secrets.redact('was half a \ud83d pair')).toBe('was [redacted]');
  });

  it('of JSON goes 32 levels deep', () => {
    let deep: unknown = 'secret';
    for (let i = 0; i < 40; i++) deep = [deep];
    expect(JSON.stringify(new SecretValues([]).redactJson(deep))).not.toContain('secret');
  });

  it('of results covers lists, several fields and absent fields', () => {
    const result = printWithoutSecrets({ list: [{ a: 'x', b: null }, 5], plain: 1 }, [
      'list.a',
      'list.b',
      'plain.c',
      'none.d',
    ]);
    expect(inspect(result, { depth: 5 })).toContain("a: '[redacted]', b: null");
    expect(printWithoutSecrets('text', ['a'])).toBe('text');
    expect(printWithoutSecrets(null, ['a'])).toBeNull();
  });
});

describe('requestIdOf', () => {
  it.each([
    [{ 'x-request-id': 'a' }, 'a'],
    [{ 'x-correlation-id': 'b' }, 'b'],
    [{ 'x-amzn-trace-id': 'Root=1-2' }, 'Root=1-2'],
    [{ 'x-request-id': 'a b', 'x-correlation-id': 'c' }, 'c'],
    [{ 'x-request-id': 'x'.repeat(200) }, 'x'.repeat(200)],
    [{ 'x-request-id': 'x'.repeat(201) }, undefined],
    [{}, undefined],
  ])('reads from the headers %j the id %s', (headers, expected) => {
    expect(requestIdOf(new Headers(headers as Record<string, string>))).toBe(expected);
  });
});

describe('rarely used error classes', () => {
  it('have a message and hide the values that they hold', () => {
    const refusal = { message: undefined, evidence: {}, isContradicted: false, data: {} };
    const refused = new OperationRejectedError(200, refusal, {
      ...{ code: 'operation_rejected', outcome: 'rejected' },
    });
    expect(refused.message).toBe('the service responded with success: false.');
    const stuck = new PaginationError('wallets.history.list', 3, 'page 3 repeats.');
    expect(stuck.toJSON()).toMatchObject({ code: 'pagination_stuck', outcome: 'rejected' });
    const late = new PollingTimeoutError(5, 'card.status', { secret: 'x' });
    expect(inspect(late)).not.toContain('secret');
    expect(JSON.parse(JSON.stringify(late))).toMatchObject({ phase: 'polling', timeoutMs: 5 });
    expect(new TlsError({ message: 'm', outcome: 'not_sent' }).cause).toBeUndefined();
  });

  it('serialise the issues of a validation error', async () => {
    const error = await rejection(clientFor(BASE_URL).card.order({ type: 'X' as 'VIRTUAL' }));
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ issues: [{ path: 'type' }] });
    const unusable = await rejection(
      clientFor(BASE_URL, { fetch: scriptedFetch(json([])).fetch }).card.status(),
    );
    expect(JSON.parse(JSON.stringify(unusable))).toMatchObject({
      status: 200,
      issues: [{ path: '' }],
    });
  });
});

describe('a contract schema', () => {
  it('must not be asynchronous', () => {
    const schema = {
      '~standard': { version: 1, vendor: 'x', validate: async () => ({ value: 1 }) },
    } as const;
    expect(() => check(schema, 1)).toThrow(/never async/);
  });

  it('is never async, and its rejection is handled: otherwise it would end the process', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    onTestFinished(() => void process.off('unhandledRejection', listen));
    const validate = () => Promise.reject(new Error('the schema failed'));
    const schema = { '~standard': { version: 1, vendor: 'test', validate } } as never;
    expect(() => check(schema, 1)).toThrow(/never async/);
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });

  it('may report a path of objects and control characters, which are cleaned', () => {
    const issues = [{ message: 'm', path: [{ key: 'a' }, 0, 'b\n'] }, { message: 'n' }];
    const schema = {
      '~standard': { version: 1, vendor: 'x', validate: () => ({ issues }) },
    } as const;
    expect(check(schema, 1)).toEqual([
      { path: 'a.0.b?', message: 'm' },
      { path: '', message: 'n' },
    ]);
  });
});

it('safe() rejects when the call is aborted', async () => {
  const reason = new Error('left');
  const signal = AbortSignal.abort(reason);
  expect(await rejection(clientFor(BASE_URL).card.status({ signal }).safe())).toBe(reason);
});

it.each([204, 205])('raw() returns a response without a body: %i', async (status) => {
  const { fetch } = scriptedFetch(new Response(null, { status }));
  const response = await clientFor(BASE_URL, { fetch }).auth.sendLoginOtp({}).raw();
  expect([response.status, await response.text()]).toEqual([status, '']);
});

it('a call without its input sends an empty object', async () => {
  const { fetch, requests } = scriptedFetch(json({ token: 't', imageUrl: 'https://x.example' }));
  await clientFor(BASE_URL, { fetch }).card.createDetailsToken();
  expect(requests[0]?.init.body).toBe('{}');
});

it('a request from a browser is not cached and carries no cookie or referrer', async () => {
  const { fetch, requests } = scriptedFetch(json({ id: 'c', status: 'ACTIVE' }));
  const client = inBrowser(() => clientFor(BASE_URL, { fetch, secretKey: undefined }));
  await client.card.status();
  expect(requests[0]?.init).toMatchObject({
    cache: 'no-store',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'manual',
  });
});

it('an opaque redirect causes a RedirectError', async () => {
  const opaque = Object.assign(new Response(null), {});
  Object.defineProperty(opaque, 'status', { value: 0 });
  const client = clientFor(BASE_URL, { fetch: async () => opaque });
  expect(await rejection(client.card.status())).toMatchObject({
    name: 'RedirectError',
    status: 0,
    locationOrigin: undefined,
  });
});

it('an endpoint with several required credentials names the first missing option', async () => {
  const client = clientFor(BASE_URL, { clientKey: undefined, secretKey: undefined });
  const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
  expect(await rejection(client.consent.getSet({ id }))).toMatchObject({ option: 'clientKey' });
});

describe('an unusual response', () => {
  const statusOf = async (response: Response) =>
    (await rejection(
      clientFor(BASE_URL, { fetch: async () => response }).card.unfreeze(),
    )) as Error;

  it('of an invalid content type does not have that type quoted', async () => {
    const headers = { 'content-type': 'text/x"y z' };
    expect((await statusOf(new Response('x', { headers }))).message).toContain('of another type');
  });

  it('with a location that is not a URL has no locationOrigin', async () => {
    const headers = { location: 'https://[' };
    const error = await statusOf(new Response(null, { status: 302, headers }));
    expect(error).toMatchObject({ name: 'RedirectError', locationOrigin: undefined });
  });

  it('with a location that has no origin has no locationOrigin', async () => {
    const headers = { location: 'mailto:a@example.com' };
    const error = await statusOf(new Response(null, { status: 302, headers }));
    expect(error).toMatchObject({ name: 'RedirectError', locationOrigin: undefined });
  });

  it('with a message of control characters has no serverMessage', async () => {
    const error = await statusOf(json({ message: '\u0007\u0000' }, 400));
    expect(error).toMatchObject({ serverMessage: undefined });
  });

  it('replaced by a runtime error with an unusual name has a cause named Error', async () => {
    const odd = Object.assign(new Error('x'), { name: 'secret name' });
    const client = clientFor(BASE_URL, { fetch: () => Promise.reject(odd) });
    const error = (await rejection(client.card.unfreeze())) as Error;
    expect((error.cause as Error).name).toBe('Error');
  });

  it('whose body cannot be cancelled still causes the right error', async () => {
    const stubborn = (chunk: Uint8Array | undefined) =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => (chunk === undefined ? undefined : controller.enqueue(chunk)),
        cancel: () => Promise.reject(new Error('no')),
      });
    const redirect = new Response(stubborn(undefined), { status: 302 });
    expect(await statusOf(redirect)).toMatchObject({ name: 'RedirectError' });
    const endless = new Response(stubborn(new Uint8Array(65_536)));
    expect(await statusOf(endless)).toMatchObject({ name: 'ResponseTooLargeError' });
  });

  it.each<[string, ResponseInit, object]>([
    ['is a redirect', { status: 302 }, {}],
    ['comes after a redirect that the fetch has followed', {}, { redirected: true }],
  ])('that %s has its body given up, which would otherwise hold the connection', async (_, init, facts) => {
    let cancelled = 0;
    const endless = new ReadableStream<Uint8Array>({
      cancel: () => {
        cancelled++;
      },
    });
    const response = new Response(endless, init);
    for (const [name, value] of Object.entries(facts)) {
      Object.defineProperty(response, name, { value });
    }
    expect(await statusOf(response)).toMatchObject({ name: 'RedirectError', outcome: 'unknown' });
    expect(cancelled).toBe(1);
  });
});

it('the name of an unknown option is not quoted', async () => {
  const options = { 'secret\noption': 1 };
  const error = await rejection(clientFor(BASE_URL).card.status(options as never));
  expect(inspect(error)).not.toContain('secret');
});

it('a deadline that has passed starts no work', async () => {
  const clock = new FakeClock({ auto: false });
  const deadline = new Deadline(clock, 100, undefined);
  clock.advance(100);
  await expect(deadline.run(50, async () => 'done')).rejects.toMatchObject({
    kind: 'timeout',
    reason: 100,
  });
  await expect(deadline.wait(1)).rejects.toMatchObject({ kind: 'timeout' });
  deadline.release();
});
