import { describe, expect, it } from 'vitest';
import { clientOver, inBrowser } from '../support/adapters.js';
import {
  CREDENTIALS,
  clientFor,
  clientReceiving,
  json,
  rejection,
  scriptedFetch,
} from '../support/clients.js';
import { RecordingServer } from '../support/server.js';

const BASE_URL = 'https://api.example.com';
const CARD = { id: 'c', status: 'ACTIVE' };

const typed = (type: string, body = JSON.stringify(CARD)) =>
  new Response(body, { headers: { 'content-type': type } });

describe('the header connection: close', () => {
  const { fetch, requests } = scriptedFetch(json({ success: true }));
  const options = { fetch, secretKey: undefined };
  const connection = () => new Headers(requests.at(-1)?.init.headers).get('connection');

  it('is sent with a fetch for a request of class never, except in a browser and on Node', async () => {
    const client = clientFor(BASE_URL, options);
    Object.defineProperty(process.versions, 'bun', { value: '1.0.0', configurable: true });
    try {
      await client.card.unfreeze();
      expect(connection()).toBe('close');
      await client.card.freeze();
      expect(connection()).toBeNull();
    } finally {
      Reflect.deleteProperty(process.versions, 'bun');
    }
    await client.card.unfreeze();
    expect(connection()).toBeNull();
    await inBrowser(() => clientFor(BASE_URL, options)).card.unfreeze();
    expect(connection()).toBeNull();
  });

  it('reaches the server over node:http', async () => {
    const server = new RecordingServer();
    await server.start();
    try {
      server.respond = () => ({ body: { success: true } });
      const client = clientOver('node-http', { baseUrl: server.baseUrl, ...CREDENTIALS });
      await client.card.unfreeze();
      expect(server.last.headers.connection).toBe('close');
      await client.card.freeze();
      expect(server.last.headers.connection).toBe('keep-alive');
    } finally {
      await server.stop();
    }
  });
});

describe('the content type of a response', () => {
  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    ' application/problem+json ',
    'text/json',
    'text/plain',
    '',
  ])('may be "%s"', async (type) => {
    expect(await clientReceiving(typed(type)).card.status()).toEqual(CARD);
  });

  it.each([
    [
      'text/html',
      'the response is text/html and not JSON, as from a captive portal or a wrong baseUrl.',
    ],
    ['application/jsonp', 'the response is application/jsonp and not JSON.'],
    ['application/json-seq', 'the response is application/json-seq and not JSON.'],
    ['ab', 'the response is ab and not JSON.'],
    ['text/h"t"ml', 'the response is of another type and not JSON.'],
    [`x/${'y'.repeat(80)}`, 'the response is of another type and not JSON.'],
  ])('is named in the error when it is "%s"', async (type, expectedMessage) => {
    const error = await rejection(clientReceiving(typed(type)).card.status());
    expect(error).toMatchObject({ name: 'ProtocolError', outcome: 'unknown' });
    expect((error as Error).message).toContain(expectedMessage);
  });
});

describe('a response', () => {
  it.each([
    [typed('application/json', ''), 'the response is empty.'],
    [typed('application/json', ' \n'), 'the response is empty.'],
    [typed('application/json', '{"id":'), 'the response is not valid JSON.'],
  ])('that cannot be parsed causes an error that says why', async (response, expectedMessage) => {
    const error = await rejection(clientReceiving(response).card.status());
    expect((error as Error).message).toContain(`card.status: ${expectedMessage}`);
  });

  it('with success: false is a refusal', async () => {
    const error = await rejection(clientReceiving(json({ success: false })).card.freeze());
    expect(error).toMatchObject({ code: 'operation_rejected', outcome: 'rejected', attempts: 1 });
    const known = json({ success: false, message: 'Card is already frozen' });
    expect(await rejection(clientReceiving(known).card.freeze())).toMatchObject({
      code: 'card_already_frozen',
    });
  });

  it.each([
    300, 301, 302, 303, 307, 308, 399,
  ])('with status %d is a redirect and not a result', async (status) => {
    const response = new Response(null, {
      status,
      headers: { location: 'https://other.example/x' },
    });
    const error = await rejection(clientReceiving(response).card.status());
    expect(error).toMatchObject({
      name: 'RedirectError',
      status,
      locationOrigin: 'https://other.example',
    });
  });

  it.each([201, 202, 299])('with status %d is a success', async (status) => {
    expect(await clientReceiving(json(CARD, status)).card.status()).toEqual(CARD);
  });
});

describe('a body that breaks off', () => {
  const withBody = (chunks: (Uint8Array | Error)[]) =>
    new Response(
      new ReadableStream({
        pull(controller) {
          const next = chunks.shift();
          if (next instanceof Error) controller.error(next);
          else if (next === undefined) controller.close();
          else controller.enqueue(next);
        },
      }),
      { headers: { 'content-type': 'application/json' } },
    );
  const read = (chunks: (Uint8Array | Error)[]) => {
    const fetch = async () => withBody(chunks);
    return rejection(clientFor(BASE_URL, { fetch, retry: false }).card.unfreeze());
  };

  it('has another error code than a body that is too long', async () => {
    const half = new TextEncoder().encode('{"success"');
    expect(await read([half, new Error('reset')])).toMatchObject({ code: 'body_unreadable' });
    expect(await read([new Uint8Array([0xff, 0xfe])])).toMatchObject({ code: 'body_unreadable' });
    const long = new Uint8Array(1024 * 1024 + 1);
    expect(await read([long])).toMatchObject({ code: 'response_too_large', outcome: 'unknown' });
  });
});
