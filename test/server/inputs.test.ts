import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import { json, rejection } from '../support/clients.js';
import { OWN_PAGE, pageClient, scriptedProxy, sendTo } from './support.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const WITHDRAW = '/v1/wallet/credit/withdraw';
const UNKNOWN = 'is not a known field';

/** An endpoint with a placeholder, values of several types in its query, and a name of its own on the wire. */
const limits = defineEndpoint({
  id: 'limits.set',
  method: 'POST',
  path: '/v1/limits/{kind}',
  retry: 'never',
  pageAccess: 'allowed',
  input: z.strictObject({
    kind: z.string(),
    page: z.optional(z.number()),
    isNew: z.optional(z.boolean()),
    label: z.optional(z.string()),
    note: z.optional(z.string()),
    most: z.optional(z.string()),
    low: z.optional(z.string()),
    high: z.optional(z.string()),
  }),
  query: ['page', 'isNew', 'label', 'note'],
  // Two of them have each other's names.
  wireNames: { most: 'maximum', label: 'tag', low: 'high', high: 'low' },
});

/** Sends a request for the endpoint, and returns the response and what the service received. */
async function setLimits(kind: string, query: string, body?: object) {
  const { proxy, requests } = scriptedProxy([json({ success: true })], { endpoints: [limits] });
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_TYPE };
  const response = await sendTo(proxy, 'POST', `/v1/limits/${kind}${query}`, init);
  const [sent] = requests;
  return {
    status: response.status,
    response: (await response.json()) as { message?: string; errors?: unknown },
    path: sent && new URL(sent.url).pathname + new URL(sent.url).search,
    body: sent?.init.body === undefined ? undefined : JSON.parse(String(sent.init.body)),
  };
}

describe('a value of the query', () => {
  it.each([
    ['?page=0', '?page=0'],
    ['?page=12', '?page=12'],
    ['?page=-3', '?page=-3'],
    ['?page=1.5', '?page=1.5'],
    ['?page=-0.25', '?page=-0.25'],
    ['?page=1234567890123456', '?page=1234567890123456'],
    ['?isNew=true', '?isNew=true'],
    ['?isNew=false', '?isNew=false'],
    // A text stays one, whatever it looks like.
    ['?tag=007', '?tag=007'],
    ['?tag=7', '?tag=7'],
    ['?tag=true', '?tag=true'],
    ['?note=', '?note='],
  ])('%s has the type that the operation asks for', async (query, sent) => {
    const { status, path } = await setLimits('daily', query);
    expect([status, path]).toEqual([200, `/v1/limits/daily${sent}`]);
  });

  it.each([
    ['?page=1e3', 'page'],
    ['?page=01', 'page'],
    ['?page=-0', 'page'],
    ['?page=%2B1', 'page'],
    ['?page=%201', 'page'],
    ['?page=1%20', 'page'],
    ['?page=0x10', 'page'],
    ['?page=1.5.2', 'page'],
    ['?page=1.50', 'page'],
    ['?page=NaN', 'page'],
    ['?page=Infinity', 'page'],
    ['?page=12345678901234567890', 'page'],
    ['?page=', 'page'],
    ['?page=one', 'page'],
    ['?isNew=TRUE', 'isNew'],
    ['?isNew=1', 'isNew'],
    ['?isNew=', 'isNew'],
    ['?isNew=yes', 'isNew'],
  ])('%s is refused: no client writes it so', async (query, field) => {
    const { status, response, path } = await setLimits('daily', query);
    expect(status).toBe(422);
    expect(response.errors).toMatchObject([{ field }]);
    expect(path).toBeUndefined();
  });

  it('that is repeated is refused, and one that the operation does not have', async () => {
    const repeated = await setLimits('daily', '?page=1&page=1');
    expect([repeated.status, repeated.response.message]).toEqual([
      400,
      'A query parameter is repeated.',
    ]);
    const unknown = await setLimits('daily', '?x=1');
    expect([unknown.status, unknown.response.errors]).toEqual([
      422,
      [{ field: 'x', message: UNKNOWN }],
    ]);
    // A field of the body, and the name of one that is not its name on the wire.
    for (const name of ['most', 'maximum', 'label']) {
      expect((await setLimits('daily', `?${name}=1`)).response.errors).toEqual([
        { field: name, message: UNKNOWN },
      ]);
    }
  });

  it('of an operation without a query is refused', async () => {
    const { proxy, requests } = scriptedProxy([json({ success: true })]);
    const response = await sendTo(proxy, 'POST', '/v1/card/freeze?x=1');
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ field: 'x', message: UNKNOWN }] });
    expect(requests).toEqual([]);
  });
});

describe('a field of the body', () => {
  it('has its name on the wire', async () => {
    const { status, body } = await setLimits('daily', '', { maximum: '5', low: '9', high: '1' });
    expect([status, body]).toEqual([200, { maximum: '5', low: '9', high: '1' }]);
  });

  it.each([
    ['the path has', { kind: 'weekly' }, 'kind'],
    ['the query has', { page: 1 }, 'page'],
    ['the query has, by its name on the wire', { tag: 'x' }, 'tag'],
    ['has another name on the wire', { most: '5' }, 'most'],
    ['the operation does not have', { other: 1 }, 'other'],
  ])('that %s is refused', async (_, given, field) => {
    const { status, response, path } = await setLimits('daily', '', given);
    expect([status, path]).toEqual([422, undefined]);
    expect(response.errors).toMatchObject([{ field }]);
  });

  it('is reported, also if there are others: at most 50', async () => {
    const { response } = await setLimits('daily', '', { kind: 'a', page: 1, most: '1' });
    expect(response.errors).toEqual([
      { field: 'kind', message: UNKNOWN },
      { field: 'page', message: UNKNOWN },
      { field: 'most', message: UNKNOWN },
    ]);
    const names = Array.from({ length: 60 }, (_, index) => `field${index}`);
    const many = defineEndpoint({
      id: 'many.read',
      method: 'POST',
      path: '/v1/many',
      retry: 'never',
      pageAccess: 'allowed',
      input: z.record(z.string(), z.string()),
      query: names,
    });
    const { proxy } = scriptedProxy([json({})], { endpoints: [many] });
    const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, '1'])));
    const refused = await sendTo(proxy, 'POST', '/v1/many', { body, headers: JSON_TYPE });
    expect(((await refused.json()) as { errors: unknown[] }).errors).toHaveLength(50);
  });

  it.each([
    ['/v1/card/freeze', { a: 1 }, 'The operation accepts no body.'],
    [WITHDRAW, [], 'The body must be a JSON object.'],
    [WITHDRAW, 'text', 'The body must be a JSON object.'],
    [WITHDRAW, null, 'The body must be a JSON object.'],
  ])('of %s: %j is refused', async (path, given, message) => {
    const { proxy } = scriptedProxy([json({})]);
    const init = { body: JSON.stringify(given), headers: JSON_TYPE };
    const response = await sendTo(proxy, 'POST', path, init);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message, code: 'request_malformed' });
  });
});

describe('a value of the path', () => {
  it.each(['daily', 'a.b', '..a', 'A-1_~'])('%s arrives as it is', async (kind) => {
    const { status, path } = await setLimits(kind, '');
    expect([status, path]).toEqual([200, `/v1/limits/${kind}`]);
  });

  it.each([
    'a%20b',
    'a%2Fb',
    'caf%C3%A9',
    "it's",
  ])('%s is refused by the client: it could change the path', async (kind) => {
    const { status, response, path } = await setLimits(kind, '');
    expect([status, path]).toEqual([422, undefined]);
    expect(response.errors).toMatchObject([{ field: 'kind' }]);
  });

  it.each([
    '',
    'dail%79',
    'a%2fb',
    '%E0%A4%A',
    '%',
    'a;b',
    'a@b',
    'daily/',
    'daily/x',
  ])('%j is none: no value has two spellings', async (kind) => {
    const { status, path } = await setLimits(kind, '');
    expect([status, path]).toEqual([403, undefined]);
  });

  it('gives way to a path that is written out, in whichever order they are listed', async () => {
    const read = { method: 'GET', retry: 'safe', pageAccess: 'allowed' } as const;
    const one = defineEndpoint({
      ...{ ...read, id: 'own.one', path: '/v1/own/{name}' },
      input: z.strictObject({ name: z.string() }),
    });
    const all = defineEndpoint({ ...read, id: 'own.all', path: '/v1/own/all' });
    for (const endpoints of [
      [one, all],
      [all, one],
    ]) {
      const { proxy, failures } = scriptedProxy([json({}, 500)], { endpoints }, { retry: false });
      await sendTo(proxy, 'GET', '/v1/own/all');
      await sendTo(proxy, 'GET', '/v1/own/other');
      expect(failures.map(({ operation }) => operation)).toEqual(['own.all', 'own.one']);
    }
  });
});

describe('the type of a body', () => {
  const BODY = '{"amount":"1"}';
  const send = async (headers: Record<string, string>, body: BodyInit = BODY) => {
    const { proxy, requests } = scriptedProxy([json({ txHash: `0x${'1'.repeat(64)}` })]);
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    };
    const response = await sendTo(proxy, 'POST', WITHDRAW, init);
    const text = (await response.json()) as { message?: string };
    return {
      status: response.status,
      message: text.message,
      sent: requests[0]?.init.body,
      response,
    };
  };

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json;  charset="utf-8" ',
  ])('may be %s', async (type) => {
    expect(await send({ 'content-type': type })).toMatchObject({ status: 200, sent: BODY });
  });

  it.each([
    'x-application/json',
    'text/plain, application/json',
    'application/json; charset=utf-8x',
    'application/json; charset=utf-8; boundary=x',
    'application/json; charset=latin1',
    'application/json;charset',
    'application/json+x',
  ])('may not be %s', async (type) => {
    expect(await send({ 'content-type': type })).toMatchObject({
      status: 415,
      message: 'The body must be application/json in UTF-8.',
      sent: undefined,
    });
  });

  it('may say that nothing encodes it', async () => {
    for (const encoding of ['identity', 'IDENTITY']) {
      const headers = { ...JSON_TYPE, 'content-encoding': encoding };
      expect((await send(headers)).status).toBe(200);
    }
    const packed = await send({ ...JSON_TYPE, 'content-encoding': 'br' });
    expect(packed).toMatchObject({ status: 415, message: 'The body must not be compressed.' });
  });

  it('is looked at before its text, which must be UTF-8 and JSON', async () => {
    const bytes = (...codes: number[]) => new Uint8Array([...codes]);
    const text = new TextEncoder().encode('{"amount":"1","x":"?"}');
    text[text.indexOf(0x3f)] = 0xff;
    for (const body of [text, bytes(0x7b), bytes(0xc3)]) {
      expect(await send(JSON_TYPE, body)).toMatchObject({
        status: 400,
        message: 'The body could not be read as JSON.',
      });
    }
  });

  it('does not matter to how many parts it arrives in', async () => {
    const parts = ['{"am', 'ount"', ':"1', '"}'].map((part) => new TextEncoder().encode(part));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    expect(await send(JSON_TYPE, body)).toMatchObject({ status: 200, sent: BODY });
  });

  it('does not matter to a body that is too long, after which the connection is closed', async () => {
    const headers = { ...JSON_TYPE, 'content-length': '70000' };
    const { status, message, response } = await send(headers);
    expect([status, message]).toEqual([413, 'The body is longer than 65536 bytes.']);
    expect(response.headers.get('connection')).toBe('close');
    const wrong = await send({ ...JSON_TYPE, 'content-length': '1e3' });
    expect([wrong.status, wrong.message]).toEqual([400, 'The length of the body is not a number.']);
  });
});

it('numbers in one form of a union have the type of that form', async () => {
  const read = defineEndpoint({
    id: 'rates.read',
    method: 'GET',
    path: '/v1/rates',
    retry: 'safe',
    pageAccess: 'allowed',
    input: z.union([
      z.strictObject({ page: z.number(), size: z.number() }),
      z.strictObject({ name: z.string() }),
    ]),
    query: ['page', 'size', 'name'],
  });
  const { page, requests } = scriptedProxy([json({})], { endpoints: [read] });
  await call(page, read, { page: 7, size: 10 });
  await call(page, read, { name: '7' });
  expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?page=7&size=10', '?name=7']);
});

it.each([
  [8, 1],
  [9, 0],
])('a query of %i numbers in a union, each of which could be a text, is sent %i times', async (count, sent) => {
  const names = Array.from({ length: count }, (_, index) => `n${index}`);
  const shape = Object.fromEntries(names.map((name) => [name, z.number()]));
  const read = defineEndpoint({
    id: 'rates.read',
    method: 'GET',
    path: '/v1/rates',
    retry: 'safe',
    pageAccess: 'allowed',
    input: z.union([z.strictObject(shape), z.strictObject({ name: z.string() })]),
    query: [...names, 'name'],
  });
  const { page, requests } = scriptedProxy([json({})], { endpoints: [read] });
  const values = Object.fromEntries(names.map((name) => [name, 1]));
  const failed = await Promise.resolve(call(page, read, values as never)).catch((error) => error);
  // 256 ways to read it are tried, and not 512.
  expect(requests).toHaveLength(sent);
  if (sent === 0) expect(failed).toMatchObject({ code: 'request_invalid', outcome: 'not_sent' });
});

it('an operation without a session is called in the region that the page asks for', async () => {
  const { page, requests } = scriptedProxy([json({ success: true })], {
    allow: ['auth.sendLoginOtp'],
  });
  await page.auth.sendLoginOtp({ userId: 'ada' }, { region: 'us' });
  await page.auth.sendLoginOtp({ userId: 'ada' });
  expect(requests.map(({ init }) => new Headers(init.headers).get('x-us-env'))).toEqual([
    'true',
    null,
  ]);
});

it('a withdrawal that a page wants in the US is not made in another region', async () => {
  const { page, requests } = scriptedProxy([json({ txHash: '0x1' })]);
  const withdrawal = page.wallets.credit.withdraw({ amount: '1' }, { region: 'us' });
  expect(await rejection(withdrawal)).toMatchObject({
    code: 'request_invalid',
    outcome: 'not_sent',
    issues: [{ path: 'region', message: 'must be the region of the session' }],
  });
  expect(requests).toEqual([]);
});

it('a call that a page wants in the global region is made in that of the session', async () => {
  const session = () => ({ accessToken: 'token', region: 'us' as const });
  const { page, requests } = scriptedProxy([json({ id: 'c', status: 'ACTIVE' })], { session });
  await page.card.status({ region: 'global' });
  expect(requests[0]?.init.headers).toMatchObject({ 'x-us-env': 'true' });
});

it('a field of an own endpoint may be a region of any kind', async () => {
  const save = defineEndpoint({
    id: 'addresses.save',
    method: 'POST',
    path: '/v1/addresses',
    retry: 'idempotent',
    pageAccess: 'allowed',
    input: z.strictObject({ region: z.string() }),
  });
  const { page, requests } = scriptedProxy([json({})], { endpoints: [save] });
  await call(page, save, { region: 'Bavaria' });
  expect(requests[0]?.init.body).toBe('{"region":"Bavaria"}');
});

it('a region that is not that of the session is an error of this field', async () => {
  const { proxy } = scriptedProxy([json({})]);
  const response = await sendTo(proxy, 'GET', '/v1/delegation/token?region=us', {
    headers: OWN_PAGE,
  });
  expect(await response.json()).toMatchObject({
    errors: [{ field: 'region', message: 'must be the region of the session' }],
  });
});

describe('the proof of a delegation on a network beyond the contract', () => {
  const additions = { evmNetworks: ['base'] };
  const submit = (ofServer: object) => {
    const { proxy, requests } = scriptedProxy([json({ success: true })], {}, ofServer);
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const sent = pageClient(proxy, { additions }).delegation.submitEvmApproval({
      ...{ address, network: 'base', currency: 'usdc', amount: '5', token: 'a-token' },
      ...{ txHash: `0x${'a'.repeat(64)}`, sigHash: `0x${'b'.repeat(130)}` },
      ...{ sigMessage: 'signed', checkMessage: false },
    });
    return { sent, requests };
  };

  it('is refused by a proxy whose client lacks the additions of the page', async () => {
    const { sent, requests } = submit({});
    expect(await rejection(sent)).toMatchObject({
      code: 'request_invalid',
      outcome: 'not_sent',
      issues: [{ path: 'network' }],
    });
    expect(requests).toEqual([]);
  });

  it('is passed on by a proxy whose client has the same additions', async () => {
    expect(await submit({ additions }).sent).toEqual({ success: true });
  });
});
