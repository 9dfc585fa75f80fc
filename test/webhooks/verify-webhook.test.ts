import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { createMockPlatform, signWebhook } from '../../src/testing/index.js';
import { OBSERVED_WEBHOOK_SCHEME } from '../../src/webhooks/scheme.js';
import { type VerifyWebhookInput, verifyWebhook } from '../../src/webhooks/verify-webhook.js';
import { rejection } from '../support/clients.js';

const KEY = 'whk_current_signing_key';
const NOW = Date.UTC(2026, 0, 1, 12);
const SECONDS = String(NOW / 1000);
const BODY = JSON.stringify({ event_id: 'e-1', event_type: 'card.activated', data: { a: 'ä' } });

/** An independent signer: Node's own HMAC. */
function sign(body: string | Uint8Array, timestamp = SECONDS, key = KEY): string {
  return createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
}

function delivery(changes: Partial<VerifyWebhookInput> = {}): VerifyWebhookInput {
  const headers = { 'x-timestamp': SECONDS, 'x-signature': sign(BODY) };
  return { body: BODY, headers, keys: KEY, now: NOW, ...changes };
}

function signedAt(timestamp: string, body = BODY): Partial<VerifyWebhookInput> {
  return { headers: { 'x-timestamp': timestamp, 'x-signature': sign(body, timestamp) }, body };
}

/** The same bytes, in objects of another JavaScript realm. */
function foreign(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return runInNewContext('Uint8Array').from(bytes);
}

async function code(input: VerifyWebhookInput): Promise<unknown> {
  const error = await rejection(verifyWebhook(input));
  expect(inspect(error)).not.toContain(KEY);
  return (error as { code: unknown }).code;
}

describe('verifyWebhook accepts a valid delivery', () => {
  const headers = { 'x-timestamp': SECONDS, 'x-signature': sign(BODY) };
  const bytes = new TextEncoder().encode(BODY);

  it.each([
    ['text', delivery()],
    ['bytes', delivery({ body: bytes })],
    ['a Buffer', delivery({ body: Buffer.from(BODY) })],
    ['an ArrayBuffer', delivery({ body: bytes.slice().buffer })],
    ['bytes of another realm, such as those of a Jest test', delivery({ body: foreign(bytes) })],
    ['an ArrayBuffer of another realm', delivery({ body: foreign(bytes).buffer })],
    ['Headers', delivery({ headers: new Headers(headers) })],
    [
      'header names in any case',
      delivery({ headers: { 'X-Timestamp': SECONDS, 'X-SIGNATURE': sign(BODY) } }),
    ],
    [
      'header values in lists',
      delivery({ headers: { 'x-timestamp': [SECONDS], 'x-signature': [sign(BODY)] } }),
    ],
    [
      'a signature in upper case',
      delivery({ headers: { ...headers, 'x-signature': sign(BODY).toUpperCase() } }),
    ],
    [
      'a header that is absent under another name',
      delivery({ headers: { ...headers, 'X-Signature': undefined } }),
    ],
    ['several keys, the new one first', delivery({ keys: ['whk_new', KEY] })],
    ['several keys, the old one last', delivery({ keys: [KEY, 'whk_old'] })],
    ['sixteen keys', delivery({ keys: [...Array(15).fill('whk_old'), KEY] })],
    ['300 s ago', delivery(signedAt(String(NOW / 1000 - 300)))],
    ['300 s ahead', delivery(signedAt(String(NOW / 1000 + 300)))],
    [
      'an hour ago, with a wider tolerance',
      delivery({ ...signedAt(String(NOW / 1000 - 3600)), toleranceSeconds: 3600 }),
    ],
  ])('as %s', async (_, input) => {
    const event = await verifyWebhook(input);
    const payload = JSON.parse(BODY);
    expect(event).toEqual({
      ...{ eventId: 'e-1', type: 'card.activated', payload },
      data: { a: 'ä' },
    });
  });

  it.each([
    [{ eventId: 'e-2', eventType: 'kyc.status.changed' }, 'e-2', 'kyc.status.changed'],
    [{ event_id: '', eventId: 'e-2', event_type: '', type: 't' }, 'e-2', 't'],
    [{ event_id: '', event_type: '' }, undefined, undefined],
    [{ event_id: 'e-3', type: 'something.new' }, 'e-3', 'something.new'],
    [{ event: 'x' }, undefined, 'x'],
    [{}, undefined, undefined],
    [{ event_id: 5, event_type: null }, undefined, undefined],
  ])('reads the envelope %j', async (payload, eventId, type) => {
    const body = JSON.stringify(payload);
    const event = await verifyWebhook(delivery(signedAt(SECONDS, body)));
    expect(event).toEqual({ eventId, type, payload });
  });

  const facts = { userId: 'u-1', occurredAt: '2026-01-01T12:00:00Z', data: { cardId: 'c-1' } };
  const vendor = {
    ...{ api_version: 'v1', event_category: 'card', user_id: 'u-1' },
    ...{ occurred_at: '2026-01-01T12:00:00Z', event_object: { cardId: 'c-1' } },
    event_object_changes: { before: { status: 'PENDING' } },
  };
  it.each([
    [{ ...vendor, event_id: 'e-1', event_type: 'card.activated' }],
    [{ ...vendor, id: 'e-1', type: 'card.activated' }],
    [
      {
        ...{ eventId: 'e-1', eventType: 'card.activated', apiVersion: 'v1', userId: 'u-1' },
        ...{ occurredAt: '2026-01-01T12:00:00Z', eventObject: { cardId: 'c-1' } },
        eventObjectChanges: { before: { status: 'PENDING' } },
      },
    ],
  ])('reads the envelope of the pages of the vendor: %j', async (payload) => {
    const event = await verifyWebhook(delivery(signedAt(SECONDS, JSON.stringify(payload))));
    const changes = { before: { status: 'PENDING' } };
    expect(event).toEqual({ eventId: 'e-1', type: 'card.activated', ...facts, changes, payload });
  });

  it.each([
    [{ event_id: 'e-1', event_type: 't', created_at: facts.occurredAt, data: facts.data }],
    [{ eventId: 'e-1', eventType: 't', createdAt: facts.occurredAt, data: facts.data }],
  ])('reads the shorter envelope: %j', async (payload) => {
    const event = await verifyWebhook(delivery(signedAt(SECONDS, JSON.stringify(payload))));
    const { userId: _, ...shorter } = facts;
    expect(event).toEqual({ eventId: 'e-1', type: 't', ...shorter, payload });
  });

  it('does not take the id of a card in a flat body for that of the event', async () => {
    const body = JSON.stringify({ type: 'card.activated', id: 'card-1', data: { id: 'card-1' } });
    expect((await verifyWebhook(delivery(signedAt(SECONDS, body)))).eventId).toBeUndefined();
  });

  it('reads no more than a scheme of the caller does', async () => {
    const scheme = {
      ...OBSERVED_WEBHOOK_SCHEME,
      readEnvelope: () => ({ eventId: 'own', type: 'own.type' }),
    };
    const { payload: _, ...event } = await verifyWebhook(delivery({ scheme }));
    expect(event).toEqual({ eventId: 'own', type: 'own.type' });
  });

  it('from the mock platform', async () => {
    const mock = createMockPlatform();
    const { body, headers: signed } = await mock.signWebhook(KEY, { event_id: 'e' });
    const event = await verifyWebhook({ body, headers: signed, keys: KEY, now: mock.now });
    expect(event.eventId).toBe('e');
  });

  it('that the testing kit and Node sign in the same way', async () => {
    const { headers: signed } = await signWebhook(KEY, BODY, NOW);
    expect(signed['x-signature']).toBe(sign(BODY));
  });

  it('and drops keys that would change a prototype', async () => {
    const body = '{"__proto__":{"polluted":true},"event_id":"e"}';
    const { payload } = await verifyWebhook(delivery(signedAt(SECONDS, body)));
    expect(payload).toEqual({ event_id: 'e' });
    expect({}).not.toHaveProperty('polluted');
  });

  it('signed with another scheme', async () => {
    const scheme = {
      ...OBSERVED_WEBHOOK_SCHEME,
      timestampHeader: 'webhook-time',
      signatureHeader: 'webhook-sign',
      signedPrefix: () => '',
      readEnvelope: () => ({ eventId: 'own', type: 'own' }),
    };
    const signature = createHmac('sha256', KEY).update(BODY).digest('hex');
    const own = { 'webhook-time': SECONDS, 'webhook-sign': signature };
    const event = await verifyWebhook(delivery({ headers: own, scheme }));
    expect(event.eventId).toBe('own');
  });
});

it('verifyWebhook explains in its error how to respond while a key is replaced', async () => {
  const error = await rejection(verifyWebhook(delivery({ keys: 'whk_new' })));
  expect(String(error)).toMatch(
    /Respond with 400, or with 503 while you replace a key: .*4xx.*not sent again/,
  );
});

describe('verifyWebhook refuses a delivery that', () => {
  const signature = sign(BODY);
  const flipped = signature.replace(/^./, (first) => (first === '0' ? '1' : '0'));

  it.each([
    ['another key', sign(BODY, SECONDS, 'whk_other')],
    ['another body', sign('{}')],
    ['another time', sign(BODY, '1')],
    ['a flipped digit', flipped],
    ['too short', signature.slice(1)],
    ['too long', `${signature}0`],
    ['a prefix', `sha256=${signature}`],
    ['blanks', ` ${signature}`],
    ['no hex', 'z'.repeat(64)],
    ['zeros', '0'.repeat(64)],
  ])('has a signature of %s', async (_, forged) => {
    const headers = { 'x-timestamp': SECONDS, 'x-signature': forged };
    expect(await code(delivery({ headers }))).toBe('webhook_signature_invalid');
  });

  it.each([
    'z'.repeat(64),
    signature.slice(1),
    `sha256=${signature}`,
  ])('has the signature %j, which is said to be no HMAC in hex', async (forged) => {
    const headers = { 'x-timestamp': SECONDS, 'x-signature': forged };
    const error = await rejection(verifyWebhook(delivery({ headers })));
    expect(String(error)).toContain('the signature is not 64 hex characters');
    expect(String(error)).not.toContain(forged);
  });

  it.each([
    ['changed', BODY.replace('e-1', 'e-2')],
    ['written anew', JSON.stringify(JSON.parse(BODY), null, 2)],
    ['with a blank', `${BODY} `],
    ['empty', ''],
  ])('has a body that was %s', async (_, body) => {
    expect(await code(delivery({ body }))).toBe('webhook_signature_invalid');
  });

  it.each([
    ['301 s ago', NOW / 1000 - 301],
    ['301 s ahead', NOW / 1000 + 301],
    ['a year ahead', NOW / 1000 + 31_536_000],
    ['zero', 0],
    ['far ahead', 999_999_999_999],
  ])('was signed %s: a replay', async (_, seconds) => {
    expect(await code(delivery(signedAt(String(seconds))))).toBe(
      'webhook_timestamp_outside_tolerance',
    );
  });

  it.each([
    ['ago', -300, NOW + 1],
    ['ahead', 300, NOW - 1],
  ])('was signed 300 s and a millisecond %s', async (_, seconds, now) => {
    const signed = signedAt(String(NOW / 1000 + seconds));
    expect(await code(delivery({ ...signed, now }))).toBe('webhook_timestamp_outside_tolerance');
  });

  it.each([
    '',
    '+1',
    '-1',
    '1.5',
    '1e9',
    '0x10',
    `${SECONDS}.9`,
    `${SECONDS}abc`,
    ` ${SECONDS}`,
    '1'.repeat(13),
    '١',
    'now',
  ])('has the timestamp %j', async (timestamp) => {
    expect(await code(delivery(signedAt(timestamp)))).toBe(
      timestamp === '' ? 'webhook_header_missing' : 'webhook_timestamp_invalid',
    );
  });

  it.each([
    ['no headers', {}],
    ['no signature', { 'x-timestamp': SECONDS }],
    ['no timestamp', { 'x-signature': signature }],
    ['two timestamps', { 'x-timestamp': [SECONDS, SECONDS], 'x-signature': signature }],
    [
      'two signatures in one text',
      { 'x-timestamp': SECONDS, 'x-signature': `${signature}, ${signature}` },
    ],
    [
      'two signatures without a blank',
      { 'x-timestamp': SECONDS, 'x-signature': `${signature},${signature}` },
    ],
    [
      'two signatures whose names differ in case',
      { 'x-timestamp': SECONDS, 'x-signature': signature, 'X-Signature': signature },
    ],
    [
      'Headers with two timestamps',
      new Headers([
        ['x-timestamp', SECONDS],
        ['x-timestamp', SECONDS],
        ['x-signature', signature],
      ]),
    ],
    ['empty Headers', new Headers()],
    ['null', null as never],
  ])('has %s', async (_, headers) => {
    expect(await code(delivery({ headers }))).toBe('webhook_header_missing');
  });

  it.each([
    [{ event_id: 'e-1' }],
    [[]],
    [null],
    [undefined],
    [5],
  ])('has the parsed body %j', async (body) => {
    const error = await rejection(verifyWebhook(delivery({ body: body as never })));
    expect(error).toMatchObject({ code: 'webhook_body_not_raw' });
    expect(String(error)).toContain('request.text()');
  });

  it('has a body that is not UTF-8', async () => {
    const body = Uint8Array.from([...Buffer.from('{"event_id":"'), 0xff, ...Buffer.from('"}')]);
    const headers = { 'x-timestamp': SECONDS, 'x-signature': sign(body) };
    expect(await code(delivery({ body, headers }))).toBe('webhook_payload_invalid');
  });

  it.each([
    '[]',
    'null',
    '5',
    '"x"',
    'not json',
    '{"a":',
  ])('is signed but has the body %j, which is not a JSON object', async (body) => {
    expect(await code(delivery(signedAt(SECONDS, body)))).toBe('webhook_payload_invalid');
  });
});

describe('verifyWebhook refuses options that cannot work:', () => {
  it.each([
    [[]],
    [['']],
    [''],
    [[KEY, '']],
    [undefined],
    [Array(17).fill(KEY)],
    [[5]],
  ])('keys %j', async (keys) => {
    const error = await rejection(verifyWebhook(delivery({ keys: keys as never })));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'keys' });
  });

  const NOT_NUMBERS = [Number.NaN, Infinity, -Infinity, -1, '300', null, {}, [5], 5n, true];

  it.each([
    ...[0, ...NOT_NUMBERS].map((value) => ['toleranceSeconds', value] as const),
    ...[new Date(NOW), ...NOT_NUMBERS].map((value) => ['now', value] as const),
    ...[0, 0.5, 2 ** 53, ...NOT_NUMBERS].map((value) => ['maxBodyBytes', value] as const),
  ])('%s: %s', async (option, value) => {
    // The delivery is valid but a year old: only the refused option keeps it out.
    const old = signedAt(String(NOW / 1000 - 31_536_000));
    const error = await rejection(verifyWebhook(delivery({ ...old, [option]: value as never })));
    expect(error).toMatchObject({ name: 'ConfigurationError', option, outcome: 'not_sent' });
  });

  it.each([
    null,
    'observed',
    {},
    { ...OBSERVED_WEBHOOK_SCHEME, timestampHeader: undefined },
    { ...OBSERVED_WEBHOOK_SCHEME, signatureHeader: '' },
    { ...OBSERVED_WEBHOOK_SCHEME, signedPrefix: '.' },
    { ...OBSERVED_WEBHOOK_SCHEME, readEnvelope: undefined },
  ])('scheme: %j', async (scheme) => {
    const error = await rejection(verifyWebhook(delivery({ scheme: scheme as never })));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'scheme' });
  });

  it.each([null, {}, { now: NOW }, NOW, 'system'])('clock: %j', async (clock) => {
    const { now: _, ...rest } = delivery();
    const error = await rejection(verifyWebhook({ ...rest, clock: clock as never }));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'clock' });
  });
});

describe('the time of a delivery', () => {
  const { now: _, ...rest } = delivery();

  it('is compared with the clock, or with now if both are passed', async () => {
    const late = { now: () => NOW + 301_000 };
    await expect(verifyWebhook({ ...rest, clock: { now: () => NOW } })).resolves.toBeDefined();
    await expect(verifyWebhook({ ...rest, clock: late, now: NOW })).resolves.toBeDefined();
    expect(await code({ ...rest, clock: late })).toBe('webhook_timestamp_outside_tolerance');
  });

  it('is compared with the time of the system by default', async () => {
    expect(await code(rest)).toBe('webhook_timestamp_outside_tolerance');
    const now = String(Math.floor(Date.now() / 1000));
    await expect(verifyWebhook({ ...rest, ...signedAt(now) })).resolves.toBeDefined();
  });
});

it('verifyWebhook reads the bytes that it verified, whatever becomes of the buffer', async () => {
  const bytes = new TextEncoder().encode(BODY);
  for (const body of [bytes, bytes.slice().buffer]) {
    const verified = verifyWebhook(delivery({ body }));
    new Uint8Array(body instanceof ArrayBuffer ? body : body.buffer).fill(32);
    expect(await verified).toMatchObject({ type: 'card.activated' });
    bytes.set(new TextEncoder().encode(BODY));
  }
});

describe('a webhook body', () => {
  const LIMIT = 1_048_576;
  const envelope = (bytes: number) => {
    const frame = JSON.stringify({ event_id: 'e', pad: '' });
    return JSON.stringify({ event_id: 'e', pad: 'a'.repeat(bytes - frame.length) });
  };
  const forms = (body: string): VerifyWebhookInput['body'][] => {
    const bytes = new TextEncoder().encode(body);
    return [body, bytes, Buffer.from(body), bytes.buffer];
  };

  it('can have 1 MiB, as text and as bytes', async () => {
    for (const body of forms(envelope(LIMIT))) {
      const input = { ...signedAt(SECONDS, envelope(LIMIT)), body };
      expect((await verifyWebhook(delivery(input))).eventId).toBe('e');
    }
  });

  it('is refused above 1 MiB with its own code, before any header or key is read', async () => {
    for (const body of forms(envelope(LIMIT + 1))) {
      const error = await rejection(verifyWebhook(delivery({ body, headers: {} })));
      expect(error).toMatchObject({
        name: 'WebhookVerificationError',
        code: 'webhook_body_too_large',
        outcome: 'rejected',
      });
      expect(String(error)).toContain('1048576 bytes');
    }
  });

  it('is counted in bytes, not in characters', async () => {
    const body = JSON.stringify({ event_id: 'ä' });
    const size = new TextEncoder().encode(body).length;
    expect(body.length).toBe(size - 1);
    const input = { ...signedAt(SECONDS, body), maxBodyBytes: size };
    expect((await verifyWebhook(delivery(input))).eventId).toBe('ä');
    expect(await code(delivery({ ...input, maxBodyBytes: size - 1 }))).toBe(
      'webhook_body_too_large',
    );
  });

  it('is not hashed when it is too large', async () => {
    const importKey = vi.spyOn(globalThis.crypto.subtle, 'importKey');
    await code(delivery({ maxBodyBytes: 10 }));
    expect(importKey).not.toHaveBeenCalled();
    importKey.mockRestore();
  });

  it('is copied, so that later changes have no effect', async () => {
    const body = Buffer.from(BODY);
    const verified = verifyWebhook(delivery({ body }));
    body.fill(0);
    expect((await verified).eventId).toBe('e-1');
  });
});
