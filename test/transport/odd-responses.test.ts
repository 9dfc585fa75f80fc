import { describe, expect, it } from 'vitest';
import { sampleCall } from '../support/calls.js';
import { clientFor, json, rejection } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';
const answering = (body: string | Uint8Array<ArrayBuffer>, status = 200) =>
  clientFor(BASE_URL, {
    retry: false,
    fetch: async () =>
      new Response(body, { status, headers: { 'content-type': 'application/json' } }),
  });
const BOM = '\ufeff';
const card = '{"id":"c","status":"ACTIVE"}';

describe('bytes', () => {
  it('of one byte order mark at the front are dropped', async () => {
    expect(await answering(BOM + card).card.status()).toEqual({ id: 'c', status: 'ACTIVE' });
  });

  it.each([
    ['two byte order marks', BOM + BOM + card],
    ['UTF-16', new Uint8Array(Buffer.from(card, 'utf16le'))],
    ['a byte order mark and nothing else', BOM],
  ])('of %s are no JSON', async (_, body) => {
    const error = await rejection(answering(body).card.status());
    expect(error).toMatchObject({ name: 'ProtocolError', outcome: 'executed' });
  });

  it.each([
    ['a lone continuation', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a character that breaks off', [0xe2, 0x82]],
    ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
  ])('that are no UTF-8 are not read: %s', async (_, bytes) => {
    const body = new Uint8Array([...Buffer.from('{"id":"'), ...bytes, ...Buffer.from('"}')]);
    for (const [status, ofRead, ofOrder] of [
      [200, 'unknown', 'executed'],
      [404, 'rejected', 'unknown'],
      [500, 'unknown', 'unknown'],
    ] as const) {
      const read = await rejection(answering(body, status).card.status());
      expect(read).toMatchObject({ name: 'BodyReadError', status, outcome: ofRead });
      const order = await rejection(answering(body, status).card.unfreeze());
      expect(order).toMatchObject({ name: 'BodyReadError', status, outcome: ofOrder });
    }
  });
});

describe('keys that change a prototype', () => {
  const KEYS = ['__proto__', 'constructor', 'prototype', '\\u005f_proto__'];

  it.each(KEYS)('%s is dropped from an answer, at any depth', async (key) => {
    const evil = `{"${key}":{"polluted":true}}`;
    const body = `{"success":true,"data":{"id":"w","metadata":${evil},"${key}":{"polluted":true}},"${key}":{"success":false}}`;
    const { invoke } = sampleCall('webhooks.update');
    const result = (await invoke(answering(body))) as { data: { metadata: object } };
    expect(result).toEqual({ success: true, data: { id: 'w', metadata: {} } });
    expect(Object.getPrototypeOf(result.data.metadata)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it.each(KEYS)('%s is dropped from the body of an error', async (key) => {
    const body = `{"message":"no","${key}":{"isOtpRequired":true,"errors":[]}}`;
    const error = await rejection(answering(body, 400).card.unfreeze());
    expect(error).toMatchObject({ name: 'BadRequestError', body: { message: 'no' } });
    expect(Object.keys((error as { body: object }).body)).toEqual(['message']);
  });
});

describe('nesting', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  it.each([100, 10_000, 100_000])('%d deep fails no call that does not need it', async (depth) => {
    const body = `{"id":"c","status":"ACTIVE","extra":${deep(depth)}}`;
    const result = await answering(body).card.status().safe();
    if (result.ok) expect(result.data.status).toBe('ACTIVE');
    else expect(result.error).toMatchObject({ name: 'ProtocolError', outcome: 'executed' });
  });

  it('of an error is cut at 32', async () => {
    const error = await rejection(answering(deep(5_000), 400).card.unfreeze());
    expect(JSON.stringify((error as { body: unknown }).body).length).toBeLessThan(300);
  });
});

describe('numbers', () => {
  const order = (amount: string) =>
    answering(`{"orderId":"o","paymentConfig":{"paymentAmount":${amount}}}`).orders.create({
      productId: 'p',
      paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY',
    });

  it.each([
    '1e400',
    '-1e400',
    '0',
    '-1',
    '-0',
    '"10"',
    'true',
    '[]',
    '{}',
  ])('an amount to pay is not %s', async (amount) => {
    expect(await rejection(order(amount))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'executed',
      issues: [{ path: 'paymentConfig.paymentAmount' }],
    });
  });

  it.each(['NaN', 'Infinity', '0x10', '01', '.5', '1.', '+1'])('%s is no JSON', async (amount) => {
    expect(await rejection(order(amount))).toMatchObject({ name: 'ProtocolError' });
  });

  it.each(['0.000001', '10', '9007199254740993'])('%s is one', async (amount) => {
    const { paymentConfig } = await order(amount);
    expect(paymentConfig?.paymentAmount).toBe(Number(amount));
  });
});

describe('success', () => {
  it.each(['"true"', '1', 'null', '{}', '[]'])('that is %s is not believed', async (value) => {
    expect(await rejection(answering(`{"success":${value}}`).card.unfreeze())).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'executed',
    });
  });

  it('said twice counts as said last', async () => {
    const error = await rejection(answering('{"success":true,"success":false}').card.unfreeze());
    expect(error).toMatchObject({ name: 'OperationRejectedError', outcome: 'rejected' });
  });
});

describe('a URL that a browser will be sent to', () => {
  const URLS = [
    ...['javascript:alert(1)', 'data:text/html,x', 'http://img.example.com/x', '//img.example.com'],
    ...['file:///etc/passwd', 'https://user:pass@img.example.com', ' https://img.example.com', ''],
    ...['https:\\\\img.example.com', 'https://img.example.com/\\n', 'ftp://x.example', 'x'],
  ];
  const ENDPOINTS = [
    ['card.createDetailsToken', 'imageUrl'],
    ['card.createPinToken', 'imageUrl'],
    ['card.createSetPinToken', 'hostedPageUrl'],
    ['user.startVerification', 'sessionUrl'],
  ] as const;
  const cells = ENDPOINTS.flatMap(([id, field]) => URLS.map((url) => ({ id, field, url })));

  it.each(cells)('$id refuses $url', async ({ id, field, url }) => {
    const fetch = async () => json({ token: 't', [field]: url });
    const client = clientFor(BASE_URL, { fetch });
    const error = await rejection(sampleCall(id).invoke(client));
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'executed' });
    expect(error).toMatchObject({ issues: [{ path: field }] });
    if (url.length > 5) expect((error as Error).message).not.toContain(url.trim());
  });
});
