import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import { CardPlatformClient } from '../../src/index.js';
import { clientReceiving, json, rejection, scriptedFetch } from '../support/clients.js';

const COMMAND = { id: 'own.do', method: 'POST', path: '/v1/own', retry: 'never' } as const;
const READ = { id: 'own.get', method: 'GET', path: '/v1/own', retry: 'safe' } as const;

const NOT_CONFIRMED = [{ path: '', message: 'does not say in a documented form that it was done' }];

const run = (endpoint: Parameters<typeof call>[1], body: unknown) =>
  call(clientReceiving(json(body)), endpoint, {});

describe('words about a request, from a command of the caller', () => {
  it.each([
    'never',
    'issues-token',
    'idempotent',
  ] as const)('prove nothing without an output: %s', async (retry) => {
    const error = await rejection(run(defineEndpoint({ ...COMMAND, retry }), { status: 'queued' }));
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      issues: NOT_CONFIRMED,
      outcome: 'unknown',
      data: { status: 'queued' },
    });
  });

  it('prove nothing where the output accepts an empty object too', async () => {
    const output = z.looseObject({ status: z.optional(z.string()) });
    const error = await rejection(
      run(defineEndpoint({ ...COMMAND, output }), { status: 'queued' }),
    );
    expect(error).toMatchObject({ issues: NOT_CONFIRMED, outcome: 'unknown' });
  });

  it.each<[string, unknown, object]>([
    ['the output asks for them', z.object({ status: z.literal('queued') }), { status: 'queued' }],
    ['one of them is success: true', z.looseObject({}), { success: true, message: 'queued' }],
    ['there is something else beside them', z.looseObject({}), { status: 'queued', place: 7 }],
  ])('are a result where %s', async (_, output, body) => {
    const endpoint = defineEndpoint({ ...COMMAND, output: output as z.ZodMiniType });
    expect(await run(endpoint, body)).toEqual(body);
  });

  it('are a result of a read, with and without an output', async () => {
    const body = { status: 'queued', message: 'wait' };
    expect(await run(defineEndpoint(READ), body)).toEqual(body);
    const output = z.looseObject({ status: z.optional(z.string()) });
    expect(await run(defineEndpoint({ ...READ, output }), body)).toEqual(body);
    const search = { ...COMMAND, retry: 'safe' } as const;
    expect(await run(defineEndpoint(search), body)).toEqual(body);
  });

  it('are a result of a read of the caller, with the statusCode of what it lists', async () => {
    const logged = { statusCode: 404, message: 'Not found' };
    expect(await run(defineEndpoint(READ), logged)).toEqual(logged);
    const command = await rejection(run(defineEndpoint(COMMAND), logged));
    expect(command).toMatchObject({ name: 'OperationRejectedError', outcome: 'rejected' });
    const documented = await rejection(clientReceiving(json(logged)).user.get());
    expect(documented).toMatchObject({ name: 'OperationRejectedError' });
  });

  it('are no result of a read of the contract that documents no form, if they state an error', async () => {
    for (const body of [{ message: 'down' }, { error: 'down' }, { errors: ['down'] }]) {
      const error = await rejection(clientReceiving(json(body)).user.get());
      expect(error, JSON.stringify(body)).toMatchObject({ name: 'ResponseValidationError' });
    }
    expect(await clientReceiving(json({ status: 'new' })).user.get()).toEqual({ status: 'new' });
  });
});

it('a transaction hash in a body of another form makes it likely that a command was done', async () => {
  const output = z.object({ done: z.literal(true) });
  const endpoint = defineEndpoint({ ...COMMAND, output });
  const likely = async (body: object) => {
    const error = await rejection(run(endpoint, body));
    return Object(error).probableOutcome;
  };
  expect(await likely({ state: 'failed', note: { txHash: `0x${'ab'.repeat(32)}` } })).toBe(
    'executed',
  );
  expect(await likely({ state: 'failed', note: {} })).toBe('rejected');
});

describe('a body that is not JSON', () => {
  const empty = () => clientReceiving(new Response(''));

  it('is named with its type and the types that the endpoint has', async () => {
    const mediaTypes = ['application/pdf', 'image/png'];
    const endpoint = defineEndpoint({ ...READ, response: 'bytes', mediaTypes });
    const page = new Response('<p>', { headers: { 'content-type': 'text/html' } });
    const error = await rejection(call(clientReceiving(page), endpoint, {}));
    expect(error).toMatchObject({ name: 'ProtocolError' });
    expect(String(error)).toContain(
      'the response is text/html and not application/pdf or image/png.',
    );
  });

  it('proves nothing if it is empty and a second request could do harm', async () => {
    const error = await rejection(
      call(empty(), defineEndpoint({ ...COMMAND, response: 'text' }), {}),
    );
    expect(error).toMatchObject({ name: 'ProtocolError', outcome: 'unknown' });
    expect(String(error)).toContain('the response is empty.');
  });

  it.each<[string, object]>([
    ['a second request does no harm', { ...COMMAND, retry: 'idempotent' }],
    ['it is a GET', { ...COMMAND, method: 'GET' }],
    ['the endpoint allows it', { ...COMMAND, mayBeEmpty: true }],
  ])('may be empty where %s', async (_, declaration) => {
    const endpoint = defineEndpoint({ ...(declaration as typeof COMMAND), response: 'text' });
    expect(await call(empty(), endpoint, {})).toBe('');
  });

  it('is a result as it is, with no issue, for a command with something in it', async () => {
    const endpoint = defineEndpoint({ ...COMMAND, response: 'text' });
    expect(await call(clientReceiving(new Response('done')), endpoint, {})).toBe('done');
  });
});

describe('a schema of the caller that refuses the response to an order', () => {
  const orderId = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
  const schema = z.object({ mine: z.string() });
  const body = { productId: 'p', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' };
  const refused = (answer: object) =>
    rejection(clientReceiving(json(answer)).request('POST', '/v1/order', { body, schema }));

  it('does not hide that the documented form says it was made', async () => {
    const documented = { orderId, requestId: 'r' };
    expect(await refused(documented)).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'executed',
    });
    expect(await refused({ orderId: 7 })).toMatchObject({ outcome: 'unknown' });
  });
});

describe('resolvedByRetry', () => {
  const body = { resolvedByRetry: true };
  const order = { productId: 'p', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' } as const;
  const page = (answer: unknown) =>
    new CardPlatformClient({
      baseUrl: 'https://app.example/api/card',
      throughProxy: true,
      fetch: scriptedFetch(json(answer)).fetch,
    });

  it('is a word of a proxy only: from the service itself it proves nothing', async () => {
    const error = await rejection(clientReceiving(json(body)).card.freeze());
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'unknown' });
    expect(await page(body).card.freeze()).toEqual(body);
  });

  it.each([
    { resolvedByRetry: 'true' },
    { resolvedByRetry: 1 },
    { resolvedByRetry: false },
  ])('counts for nothing in another form: %j', async (other) => {
    expect(await rejection(page(other).card.freeze())).toMatchObject({
      name: 'ResponseValidationError',
    });
  });

  it('is not needed for the form of a result to be required through a proxy too', async () => {
    expect(await rejection(page({ note: 'x' }).orders.create(order))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
    });
  });
});

it('strict validation names the place and the rule of each difference', async () => {
  const client = clientReceiving(json({ success: true, extra: 1 }), {
    responseValidation: 'strict',
  });
  const error = await rejection(client.card.freeze());
  expect(Object(error).issues).toEqual([{ path: 'extra', message: expect.stringMatching(/\w/) }]);
});

describe('a body that says nothing', () => {
  it.each([
    '',
    ' \r\n',
    'null',
  ])('such as %j is an empty object to a command that may be empty', async (text) => {
    const output = z.looseObject({ done: z._default(z.boolean(), true) });
    const endpoint = defineEndpoint({ ...COMMAND, output, mayBeEmpty: true });
    expect(await call(clientReceiving(new Response(text)), endpoint, {})).toEqual({ done: true });
  });

  it.each(['', ' \r\n'])('such as %j is no result at all without an output', async (text) => {
    for (const declaration of [READ, { ...COMMAND, retry: 'idempotent' } as const]) {
      const endpoint = defineEndpoint(declaration);
      expect(await call(clientReceiving(new Response(text)), endpoint, {})).toBeUndefined();
    }
  });

  it('stays null to a read that may be empty', async () => {
    const endpoint = defineEndpoint({
      ...READ,
      output: z.nullable(z.object({})),
      mayBeEmpty: true,
    });
    expect(await call(clientReceiving(new Response('null')), endpoint, {})).toBeNull();
  });

  it('is no result of a command that could do harm a second time', async () => {
    for (const body of [{}, null]) {
      expect(await rejection(run(defineEndpoint(COMMAND), body))).toMatchObject({
        issues: NOT_CONFIRMED,
      });
      const idempotent = defineEndpoint({ ...COMMAND, retry: 'idempotent' });
      expect(await run(idempotent, body)).toEqual(body);
    }
  });
});
