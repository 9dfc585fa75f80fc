import { describe, expect, it, vi } from 'vitest';
import type { MockPlatformOptions } from '../../src/testing/index.js';
import { startSilentServer } from '../support/silent-server.js';
import { createWebhook, setUp } from './set-up.js';

// Before the modules are loaded: the platform keeps the timers that it finds then.
vi.hoisted(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

type Send = NonNullable<MockPlatformOptions['webhookFetch']>;

const NO_RESPONSE = {
  status: null,
  responseBody: null,
  errorMessage: 'the receiver did not respond within 30 seconds',
};

async function withReceiver(webhookFetch?: Send, options: MockPlatformOptions = {}) {
  const scene = setUp({ card: 'ACTIVE' }, { webhookFetch, ...options });
  const url = 'https://hooks.example.com/card';
  await createWebhook(scene.client, { name: 'events', url, eventTypes: ['*'] });
  return scene;
}

/** A receiver that responds to nothing until the test does. */
function silentReceiver() {
  const waiting: { respond: (response: Response) => void; signal: AbortSignal | undefined }[] = [];
  const webhookFetch: Send = (_url, { signal }) =>
    new Promise((respond) => waiting.push({ respond, signal }));
  return { waiting, webhookFetch };
}

describe('a receiver that does not respond', () => {
  it('has 30 seconds of real time, and then gets the event again', async () => {
    const { waiting, webhookFetch } = silentReceiver();
    const { mock, ada } = await withReceiver(webhookFetch);
    mock.cards.pay(ada, { amount: '1' });
    vi.advanceTimersByTime(30_000);
    await mock.deliveriesSettled();
    expect(mock.deliveries).toMatchObject([{ ...NO_RESPONSE, deliveryStatus: 'pending' }]);
    expect(waiting[0]?.signal?.aborted).toBe(true);
    mock.advance('1 second');
    waiting[1]?.respond(new Response(null, { status: 204 }));
    await mock.deliveriesSettled();
    expect(mock.deliveries[1]).toMatchObject({ attemptNumber: 2, deliveryStatus: 'success' });
  });

  it('may still respond a millisecond before, however far the clock moves meanwhile', async () => {
    const { waiting, webhookFetch } = silentReceiver();
    const { mock, ada } = await withReceiver(webhookFetch);
    mock.cards.pay(ada, { amount: '1' });
    mock.advance('1 day');
    await vi.advanceTimersByTimeAsync(29_999);
    waiting[0]?.respond(new Response(null, { status: 204 }));
    await mock.deliveriesSettled();
    mock.advance('1 day');
    expect(mock.deliveries).toMatchObject([{ status: 204, deliveryStatus: 'success' }]);
    expect(waiting).toHaveLength(1);
  });

  it('cannot change the result afterwards', async () => {
    const { waiting, webhookFetch } = silentReceiver();
    const { mock } = await withReceiver(webhookFetch);
    const delivering = mock.deliver({ type: 'card.activated' });
    vi.advanceTimersByTime(30_000);
    const [delivery] = await delivering;
    waiting[0]?.respond(new Response(null, { status: 204 }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(delivery).toMatchObject({ ...NO_RESPONSE, deliveryStatus: 'pending' });
  });

  it.each([
    [200, 'success'],
    [503, 'pending'],
  ])('to the end has the result of its status: %i, %s', async (status, deliveryStatus) => {
    const { mock } = await withReceiver(() => new Response(new ReadableStream(), { status }));
    const delivering = mock.deliver({ type: 'card.activated' });
    await vi.advanceTimersByTimeAsync(30_000);
    const entry = { status, deliveryStatus, responseBody: null, errorMessage: null };
    expect(await delivering).toMatchObject([entry]);
  });

  it('does not hold up the next test: a reset ends its delivery', async () => {
    const { waiting, webhookFetch } = silentReceiver();
    const { mock, ada } = await withReceiver(webhookFetch);
    mock.cards.pay(ada, { amount: '1' });
    mock.reset();
    await mock.deliveriesSettled();
    expect(waiting[0]?.signal?.aborted).toBe(true);
    expect(mock.deliveries).toEqual([]);
  });

  it('does not hold up what follows the restoration of a snapshot', async () => {
    const { mock, ada } = await withReceiver(silentReceiver().webhookFetch);
    const snapshot = mock.snapshot();
    mock.cards.pay(ada, { amount: '1' });
    mock.restore(snapshot);
    await mock.deliveriesSettled();
    expect(mock.deliveries).toEqual([]);
  });
});

describe('a receiver outside the process that does not respond', () => {
  it.each([
    ['at the URL of `to`', {}, true],
    ['behind `webhookFetch` with `webhookTime`', { webhookTime: Date.now }, false],
  ])('has 30 seconds of real time %s', async (_title, options: MockPlatformOptions, isTo) => {
    const { url: to, received, open } = await startSilentServer();
    const { mock } = await withReceiver((_url, init) => fetch(to, init), options);
    let result: unknown;
    const delivering = mock.deliver({ type: 'card.activated' }, isTo ? { to } : {});
    void delivering.then((deliveries) => (result = deliveries));
    mock.advance('1 day');
    await vi.advanceTimersByTimeAsync(29_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(result).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(await delivering).toMatchObject([{ ...NO_RESPONSE, deliveryStatus: 'pending' }]);
    expect(received()).toBe(1);
    await expect.poll(open).toBe(0);
  });

  it('leaves no timer behind when it responds', async () => {
    const { mock } = await withReceiver(() => new Response(null, { status: 204 }));
    vi.clearAllTimers();
    await mock.deliver({ type: 'card.activated' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
