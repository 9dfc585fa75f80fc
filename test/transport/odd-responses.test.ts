import { describe, expect, it } from 'vitest';
import { sampleCall } from '../support/calls.js';
import { clientReceiving, json, rejection } from '../support/clients.js';

const clientReceivingBody = (body: string | Uint8Array<ArrayBuffer>, status = 200) =>
  clientReceiving(new Response(body, { status, headers: { 'content-type': 'application/json' } }));
const BOM = '\ufeff';
const card = '{"id":"c","status":"ACTIVE"}';

describe('a response body', () => {
  it('may start with one byte order mark, which is dropped', async () => {
    expect(await clientReceivingBody(BOM + card).card.status()).toEqual({
      id: 'c',
      status: 'ACTIVE',
    });
  });

  it.each([
    ['two byte order marks', BOM + BOM + card],
    ['UTF-16', new Uint8Array(Buffer.from(card, 'utf16le'))],
    ['a byte order mark and nothing else', BOM],
  ])('of %s is not JSON', async (_, body) => {
    const error = await rejection(clientReceivingBody(body).card.status());
    expect(error).toMatchObject({ name: 'ProtocolError', outcome: 'unknown' });
  });

  it.each([
    ['a lone continuation', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a character that breaks off', [0xe2, 0x82]],
    ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
  ])('that is not UTF-8 causes a BodyReadError: %s', async (_, bytes) => {
    const body = new Uint8Array([...Buffer.from('{"id":"'), ...bytes, ...Buffer.from('"}')]);
    for (const [status, ofRead, probableOutcome] of [
      [200, 'unknown', 'executed'],
      [404, 'rejected', 'rejected'],
      [500, 'unknown', undefined],
    ] as const) {
      const read = await rejection(clientReceivingBody(body, status).card.status());
      expect(read).toMatchObject({ name: 'BodyReadError', status, outcome: ofRead });
      const order = await rejection(clientReceivingBody(body, status).card.unfreeze());
      expect(order).toMatchObject({ name: 'BodyReadError', status, outcome: 'unknown' });
      expect(order).toHaveProperty('probableOutcome', probableOutcome);
    }
  });
});

describe('a key that would change a prototype', () => {
  const KEYS = ['__proto__', 'constructor', 'prototype', '\\u005f_proto__'];

  it.each(KEYS)('is dropped from a success response at any depth: %s', async (key) => {
    const evil = `{"${key}":{"polluted":true}}`;
    const body = `{"success":true,"data":{"id":"w","metadata":${evil},"${key}":{"polluted":true}},"${key}":{"success":false}}`;
    const { invoke } = sampleCall('webhooks.update');
    const result = (await invoke(clientReceivingBody(body))) as { data: { metadata: object } };
    expect(result).toEqual({ success: true, data: { id: 'w', metadata: {} } });
    expect(Object.getPrototypeOf(result.data.metadata)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it.each(KEYS)('is dropped from the body of an error: %s', async (key) => {
    const body = `{"message":"no","${key}":{"isOtpRequired":true,"errors":[]}}`;
    const error = await rejection(clientReceivingBody(body, 400).card.unfreeze());
    expect(error).toMatchObject({ name: 'BadRequestError', body: { message: 'no' } });
    expect(Object.keys((error as { body: object }).body)).toEqual(['message']);
  });
});

it.each([
  200, 201,
])('a user of %i characters who needs a code is shown with at most 200', async (length) => {
  const [userId, phoneNumber] = ['u'.repeat(length), '1'.repeat(length)];
  const body = JSON.stringify({
    message: 'OTP required',
    isOtpRequired: true,
    userId,
    phoneNumber,
  });
  const login = clientReceivingBody(body, 400).auth.login({ email: 'a@b.example', password: 'p' });
  expect(await rejection(login)).toMatchObject({
    ...{ name: 'OtpRequiredError', userId: 'u'.repeat(200), phoneNumber: '1'.repeat(200) },
  });
});

describe('a deeply nested body', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  it.each([
    100, 10_000, 100_000,
  ])('of %d levels does not fail a call that needs none of them', async (depth) => {
    const body = `{"id":"c","status":"ACTIVE","extra":${deep(depth)}}`;
    const result = await clientReceivingBody(body).card.status().safe();
    if (result.ok) expect(result.data.status).toBe('ACTIVE');
    else expect(result.error).toMatchObject({ name: 'ProtocolError', outcome: 'unknown' });
  });

  it('of an error is cut after 32 levels', async () => {
    const error = await rejection(clientReceivingBody(deep(5_000), 400).card.unfreeze());
    expect(JSON.stringify((error as { body: unknown }).body).length).toBeLessThan(300);
  });
});

describe('the amount to pay in a response', () => {
  const order = (amount: string) =>
    clientReceivingBody(
      `{"orderId":"o","paymentConfig":{"paymentAmount":${amount}}}`,
    ).orders.create({
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
  ])('must not be %s', async (amount) => {
    expect(await rejection(order(amount))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      probableOutcome: 'executed',
      issues: [{ path: 'paymentConfig.paymentAmount' }],
    });
  });

  it.each([
    'NaN',
    'Infinity',
    '0x10',
    '01',
    '.5',
    '1.',
    '+1',
  ])('cannot be %s, which is not JSON', async (amount) => {
    expect(await rejection(order(amount))).toMatchObject({ name: 'ProtocolError' });
  });

  it.each(['0.000001', '10', '9007199254740993'])('may be %s', async (amount) => {
    const { paymentConfig } = await order(amount);
    expect(paymentConfig?.paymentAmount).toBe(Number(amount));
  });
});

describe('the field success', () => {
  it.each(['"true"', '1', 'null', '{}', '[]'])('must be a boolean, not %s', async (value) => {
    expect(
      await rejection(clientReceivingBody(`{"success":${value}}`).card.unfreeze()),
    ).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
    });
  });

  it('counts with its last value when it occurs twice', async () => {
    const error = await rejection(
      clientReceivingBody('{"success":true,"success":false}').card.unfreeze(),
    );
    expect(error).toMatchObject({ name: 'OperationRejectedError', outcome: 'rejected' });
  });
});

describe('a URL that a browser will open', () => {
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

  it.each(cells)('is rejected by $id when it is $url', async ({ id, field, url }) => {
    const client = clientReceiving(json({ token: 't', [field]: url }));
    const error = await rejection(sampleCall(id).invoke(client));
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'unknown' });
    expect(error).toMatchObject({ issues: [{ path: field }] });
    if (url.length > 5) expect((error as Error).message).not.toContain(url.trim());
  });
});
