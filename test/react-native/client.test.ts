import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CardPlatformClient, outcomeOf } from '../../src/index.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import {
  appClient,
  appResponse,
  BASE_URL,
  Controller,
  enterReactNative,
  signalOf,
  stubFetch,
} from './support.js';

const CARD = '{"id":"c","status":"ACTIVE"}';
const DONE = '{"success":true}';
const STATUS_URL = `${BASE_URL}/v1/card/status`;
const withdraw = (client = appClient(), options = {}) =>
  client.wallets.credit.withdraw({ amount: '1' }, options);

beforeEach(enterReactNative);
afterEach(() => vi.unstubAllGlobals());

describe('a client in React Native', () => {
  it('reads and writes with the fetch of the app', async () => {
    const sent = stubFetch(
      () => appResponse(CARD),
      () => appResponse(DONE),
    );
    expect(await appClient().card.status()).toMatchObject({ status: 'ACTIVE' });
    await appClient().card.freeze();
    expect(sent.map(({ url, init }) => [init.method, url])).toEqual([
      ['GET', STATUS_URL],
      ['POST', `${BASE_URL}/v1/card/freeze`],
    ]);
  });

  it('makes fetch omit cookies and not follow redirects, and sets no cache option, which would change the URL', async () => {
    const sent = stubFetch(() => appResponse(CARD));
    await appClient().card.status();
    const { headers, signal, ...init } = sent[0]?.init ?? {};
    expect(init).toEqual({ method: 'GET', redirect: 'manual', credentials: 'omit' });
    expect(signal).toBeDefined();
    expect(Object.keys(headers ?? {}).sort()).toEqual(['accept', 'authorization', 'x-client-key']);
  });

  it('adds no header that only the network sets to a request that may arrive once', async () => {
    const sent = stubFetch(() => appResponse('{"transactionHash":"0x1"}'));
    await withdraw().safe();
    const headers = Object.keys(sent[0]?.init.headers ?? {}).sort();
    expect(headers).toEqual(['accept', 'authorization', 'content-type', 'x-client-key']);
  });

  it('does the same over a fetch option', async () => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => appResponse(CARD));
    await appClient({ fetch }).card.status();
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ credentials: 'omit', redirect: 'manual' });
    expect(fetch.mock.calls[0]?.[1]).not.toHaveProperty('cache');
  });

  it('refuses a secret key', () => {
    const make = () => new CardPlatformClient({ baseUrl: BASE_URL, secretKey: 'a-secret' });
    expect(make).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option: 'secretKey' }),
    );
    expect(make).toThrow('must not be in an app');
  });

  it.each([
    'not a url',
    'https://',
    'http://api.example.com',
    'https://ada@api.example.com',
    'https://a.example?x',
  ])('refuses the base URL %s, which URL of React Native accepts', (baseUrl) => {
    expect(() => new CardPlatformClient({ baseUrl })).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option: 'baseUrl' }),
    );
  });

  it('reports a lost connection as unknown, and sends a withdrawal only once', async () => {
    const sent = stubFetch();
    expect(await rejection(withdraw())).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
    });
    expect(sent).toHaveLength(1);
  });

  it('retries a read after a lost connection', async () => {
    const sent = stubFetch(
      () => Promise.reject(new TypeError('Network request failed')),
      () => appResponse(CARD),
    );
    const client = appClient({ clock: new FakeClock() });
    expect(await client.card.status()).toMatchObject({ status: 'ACTIVE' });
    expect(sent).toHaveLength(2);
  });
});

describe('an abort without a reason', () => {
  const aborted = expect.objectContaining({ name: 'AbortError' });

  it('before the call sends nothing and rejects with an AbortError', async () => {
    const sent = stubFetch(() => appResponse(CARD));
    const controller = new Controller();
    controller.abort();
    const error = await rejection(withdraw(appClient(), { signal: signalOf(controller) }));
    expect(error).toEqual(aborted);
    expect(error).toBeInstanceOf(Error);
    expect(outcomeOf(error)).toBe('not_sent');
    expect(sent).toHaveLength(0);
  });

  it('during a request aborts the fetch, rejects with an AbortError and removes its listener', async () => {
    const controller = new Controller();
    let request: AbortSignal | null | undefined;
    stubFetch((_, init) => {
      request = init.signal;
      queueMicrotask(() => controller.abort());
      return new Promise(() => {});
    });
    const error = await rejection(withdraw(appClient(), { signal: signalOf(controller) }));
    expect(error).toEqual(aborted);
    expect(outcomeOf(error)).toBe('unknown');
    expect(request?.aborted).toBe(true);
    expect(controller.signal.listeners.size).toBe(0);
  });

  it('during a wait for the card rejects with an AbortError', async () => {
    const controller = new Controller();
    stubFetch(() => appResponse('{"id":"c","status":"PENDING"}'));
    const wait = appClient({ clock: new FakeClock() }).card.waitUntilActive({
      signal: signalOf(controller),
      onProgress: () => controller.abort(),
    });
    expect(await rejection(wait)).toEqual(aborted);
  });

  it('rejects with the reason if the signal has one', async () => {
    const controller = new Controller();
    const reason = new Error('the user left');
    Object.assign(controller.signal, { reason });
    controller.abort();
    expect(await rejection(appClient().card.status({ signal: signalOf(controller) }))).toBe(reason);
  });
});

it('sends nothing more when a phone wakes up after the deadline and its timers fire late', async () => {
  let elapsed = 0;
  const sleeping: (() => void)[] = [];
  const clock = {
    now: () => elapsed,
    elapsed: () => elapsed,
    schedule: (callback: () => void, ms: number) => {
      // The timer of the wait between two attempts: everything later has not fired yet.
      if (ms < 1_000) {
        elapsed += 3_600_000;
        queueMicrotask(callback);
      } else sleeping.push(callback);
      return () => {};
    },
  };
  const sent = stubFetch(() => appResponse('', { status: 503 }));
  const error = await rejection(appClient({ clock }).card.status());
  expect(error).toMatchObject({ name: 'TimeoutError' });
  expect(sent).toHaveLength(1);
});
