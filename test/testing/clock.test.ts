import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCardReveal } from '../../src/card-reveal/index.js';
import { CardPlatformClient, TimeoutError, verifyWebhook } from '../../src/index.js';
import { createJournal } from '../../src/journal/index.js';
import { delegateSolana } from '../../src/solana/index.js';
import { memoryStore } from '../../src/stores/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { createMockWallet } from '../../src/testing/wallets/index.js';
import { rejection } from '../support/clients.js';
import { createWebhook, setUp } from './set-up.js';

const START = Date.UTC(2026, 0, 1);

describe('a client of the mock platform', () => {
  it('is logged in as its user, with the credentials of the tenant and the region', async () => {
    const mock = createMockPlatform();
    const { name } = mock.tenants.add('acme');
    const ada = mock.users.add({ card: 'ACTIVE', tenant: name, environment: 'us' });
    const client = mock.clientFor(ada);
    expect(client).toBeInstanceOf(CardPlatformClient);
    expect((await client.card.status()).status).toBe('ACTIVE');
    expect(mock.requests.last?.headers).toMatchObject({
      'x-client-key': 'acme-client-key',
      'x-us-env': 'true',
    });
    expect(mock.requests.last?.userId).toBe(ada.id);
    expect(() => mock.clientFor({ id: 'nobody' })).toThrow('nobody');
  });

  it('has the secret key on a server only, because a client refuses it elsewhere', async () => {
    const mock = createMockPlatform();
    const ada = mock.users.add();
    const readAudit = () => mock.clientFor(ada).consent.getUserAudit({ userId: ada.id });
    expect((await readAudit()).auditRecords).toEqual([]);
    vi.stubGlobal('navigator', { product: 'ReactNative' });
    try {
      const { id } = await mock.clientFor(ada).user.get();
      expect(id).toBe(ada.id);
      expect(mock.requests.last?.headers).not.toHaveProperty('x-secret-key');
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('has the options that you pass, and refuses unknown ones', async () => {
    const mock = createMockPlatform();
    const ada = mock.users.add({ card: 'ACTIVE' });
    const other = mock.clientFor(ada, { clientKey: 'another-key' });
    expect(await rejection(other.card.status())).toMatchObject({ status: 498 });
    expect(() => mock.clientFor(ada, { clientKye: 'k' } as never)).toThrow('clientKey');
  });
});

describe('the clock of the mock platform', () => {
  afterEach(() => vi.useRealTimers());

  it('moves with the waits of a client, which take no real time', async () => {
    const mock = createMockPlatform();
    const ada = mock.users.add();
    const client = mock.clientFor(ada);
    await client.card.order();
    expect((await client.card.waitUntilActive()).status).toBe('ACTIVE');
    expect(mock.now).toBeGreaterThanOrEqual(START + 3_000);
    mock.fail('card.status', 503, { times: 2 });
    const before = mock.now;
    expect((await client.card.status()).status).toBe('ACTIVE');
    expect(mock.now).toBeGreaterThan(before);
  });

  it('lets a request time out when you advance it, and not before', async () => {
    const mock = createMockPlatform();
    const client = mock.clientFor(mock.users.add({ card: 'ACTIVE' }), { retry: false });
    const held = mock.hold('card.status');
    const call = client.card.status();
    await held.arrived;
    mock.advance('14 seconds');
    mock.advance('1 second');
    expect(await rejection(call)).toBeInstanceOf(TimeoutError);
    expect(mock.now).toBe(START + 15_000);
    held.release();
  });

  it('lets what takes three turns of the event loop end before a wait moves it, and no more', async () => {
    const mock = createMockPlatform();
    const seen: number[] = [];
    const work = async () => {
      for (let turn = 1; turn <= 4; turn++) {
        // Timers of the same length end in the order in which they began, however busy the machine is.
        await new Promise((resolve) => setTimeout(resolve, 0));
        seen.push(mock.now - START);
      }
    };
    await Promise.all([work(), mock.clock.sleep(1_000)]);
    expect(seen).toEqual([0, 0, 0, 1_000]);
  });

  it('ends a time limit when the waits of another call have moved the clock that far', async () => {
    const mock = createMockPlatform();
    const client = mock.clientFor(mock.users.add({ card: 'ACTIVE' }), { retry: false });
    const held = mock.hold('card.status');
    const call = client.card.status().safe();
    await held.arrived;
    await mock.clock.sleep(14_999);
    expect(held.requests).toHaveLength(1);
    held.release();
    expect((await call).error).toBeUndefined();
    const again = mock.hold('card.status');
    const second = client.card.status().safe();
    await again.arrived;
    await mock.clock.sleep(15_000);
    expect((await second).error).toBeInstanceOf(TimeoutError);
  });

  it('lets the journal decide after it was advanced', async () => {
    const mock = createMockPlatform();
    const ada = mock.users.add({ externalWallets: [{}] });
    const client = mock.clientFor(ada, { journal: createJournal({ store: memoryStore() }) });
    mock.drop('wallets.credit.withdraw', 'before-processing');
    await rejection(client.wallets.credit.withdraw({ amount: '5' }));
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('the journal is empty');
    expect((await client.journal.reconcile(entry)).verdict).toBe('undecided');
    mock.advance('10 minutes');
    expect((await client.journal.reconcile(entry)).verdict).toBe('not_executed');
  });

  it('is the clock of a delivery', async () => {
    const mock = createMockPlatform();
    mock.advance('400 days');
    const { body, headers } = await mock.signWebhook('whk_1', { event_id: 'e' });
    const delivery = { body, headers, keys: 'whk_1' };
    await expect(verifyWebhook({ ...delivery, clock: mock.clock })).resolves.toBeDefined();
    expect(
      await rejection(verifyWebhook({ ...delivery, now: START, clock: mock.clock })),
    ).toMatchObject({
      code: 'webhook_timestamp_outside_tolerance',
    });
    for (const clock of [5, {}, null]) {
      const refused = await rejection(verifyWebhook({ ...delivery, clock: clock as never }));
      expect(refused).toMatchObject({ option: 'clock' });
    }
  });

  it('is the clock of a delegation flow', async () => {
    const mock = createMockPlatform();
    const ada = mock.users.add();
    const wallet = await createMockWallet({ platform: mock });
    const { solana } = wallet.chains;
    solana.setAutomaticMining(false);
    const error = await rejection(
      delegateSolana({
        client: mock.clientFor(ada),
        wallet: wallet.solana,
        node: solana,
        currency: 'usdc',
        amount: '5',
        spender: solana.delegate,
        domain: 'app.example',
        runtime: mock.clock,
      }),
    );
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
    expect(mock.now).toBeGreaterThan(START + 10_000);
  });

  it('hides card details again when their time is over, and not before', async () => {
    const mock = createMockPlatform();
    const ada = mock.users.add({ card: 'ACTIVE' });
    const client = mock.clientFor(ada);
    const reveal = createCardReveal({
      load: (options) => client.card.createDetailsToken({}, options),
      clock: mock.clock,
      visibility: false,
    });
    await reveal.show();
    mock.advance('29 seconds');
    expect(reveal.getSnapshot().status).toBe('shown');
    mock.advance('1 second');
    expect(reveal.getSnapshot().status).toBe('gone');
  });

  it('ends a sleep with its signal, and drops what is scheduled with a reset', async () => {
    const mock = createMockPlatform();
    const controller = new AbortController();
    controller.abort();
    await mock.clock.sleep(60_000, controller.signal);
    expect(mock.now).toBe(START);
    const { signal } = new AbortController();
    await mock.clock.sleep(60_000, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(mock.now).toBe(START + 60_000);
    const called: string[] = [];
    mock.clock.schedule(() => called.push('late'), 2_000);
    mock.clock.schedule(() => called.push('early'), 1_000);
    const cancel = mock.clock.schedule(() => called.push('never'), 1_500);
    cancel();
    mock.advance(1_999);
    expect(called).toEqual(['early']);
    mock.advance(1);
    expect(called).toEqual(['early', 'late']);
    mock.clock.schedule(() => called.push('dropped'), 1);
    mock.reset();
    mock.advance('1 day');
    expect(called).toEqual(['early', 'late']);
  });

  describe('after a listener has thrown', () => {
    const problem = new Error('the listener is wrong');
    const fail = () => {
      throw problem;
    };

    /** Collects the errors that nobody catches, in place of the test runner. */
    function collectUncaught(): unknown[] {
      const collected: unknown[] = [];
      const others = process.listeners('unhandledRejection');
      process.removeAllListeners('unhandledRejection');
      process.on('unhandledRejection', (error) => collected.push(error));
      onTestFinished(() => {
        process.removeAllListeners('unhandledRejection');
        for (const other of others) process.on('unhandledRejection', other);
      });
      return collected;
    }

    it('ends all waits, and reports the error to the runtime', async () => {
      const uncaught = collectUncaught();
      const mock = createMockPlatform();
      const stop = mock.onTimeChange(fail);
      await Promise.all([mock.clock.sleep(1_000), mock.clock.sleep(2_000)]);
      stop();
      await mock.clock.sleep(500);
      expect(mock.now).toBe(START + 2_500);
      await expect.poll(() => uncaught).toEqual([problem, problem]);
    });

    it('goes on after a wait beyond the last time that a clock can show', async () => {
      const uncaught = collectUncaught();
      const mock = createMockPlatform();
      void mock.clock.sleep(Number.MAX_SAFE_INTEGER);
      void mock.clock.sleep(Number.NaN);
      await expect.poll(() => uncaught).toEqual([expect.any(TypeError), expect.any(TypeError)]);
      await mock.clock.sleep(500);
      expect(mock.now).toBe(START + 500);
    });

    it('calls every other listener and timer, and does what is due', async () => {
      const mock = createMockPlatform();
      const ada = mock.users.add();
      await mock.clientFor(ada).card.order();
      const called: string[] = [];
      mock.clock.schedule(fail, 1_000);
      mock.clock.schedule(() => called.push('timer'), 1_000);
      mock.onTimeChange(() => called.push('listener'));
      expect(() => mock.advance('3 seconds')).toThrow(problem);
      expect(called).toEqual(['timer', 'listener']);
      expect(ada.card?.status).toBe('ACTIVE');
    });

    it('is reset as a whole', async () => {
      const { mock, client } = setUp({ card: 'ACTIVE' });
      await client.card.status();
      mock.fail('card.status', 503);
      mock.onTimeChange(fail);
      expect(() => mock.reset()).toThrow(problem);
      expect([mock.requests.length, mock.users.size, mock.now]).toEqual([0, 0, START]);
      expect(() => mock.assertFaultsUsed()).not.toThrow();
    });

    it('is restored as a whole', async () => {
      const { mock, client } = setUp({}, { webhookFetch: () => new Promise(() => {}) });
      const url = 'https://hooks.example.com/card';
      await createWebhook(client, { name: 'events', url, eventTypes: ['*'] });
      void mock.deliver({ type: 'card.activated' });
      const snapshot = mock.snapshot();
      mock.users.add();
      mock.advance('1 hour');
      mock.onTimeChange(fail);
      expect(() => mock.restore(snapshot)).toThrow(problem);
      expect([mock.users.size, mock.now]).toEqual([1, START]);
      expect(mock.deliveries).toMatchObject([
        { deliveryStatus: 'pending', nextRetryAt: '2026-01-01T00:00:00.000Z' },
      ]);
      expect(mock.snapshot().ids).toBe(snapshot.ids);
    });
  });

  it.each(['ids', 'now'])('stays as it is when the %s of a snapshot cannot be restored', (name) => {
    const { mock } = setUp();
    const snapshot = mock.snapshot();
    mock.users.add();
    mock.advance('1 hour');
    expect(() => mock.restore({ ...snapshot, [name]: -1 })).toThrow(name);
    expect([mock.users.size, mock.now]).toEqual([2, START + 3_600_000]);
  });

  it('works while a test has replaced the timers', async () => {
    vi.useFakeTimers();
    const mock = createMockPlatform();
    const client = mock.clientFor(mock.users.add());
    await client.card.order();
    expect((await client.card.waitUntilActive()).status).toBe('ACTIVE');
  });
});
