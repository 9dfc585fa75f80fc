import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessTokenProvider,
  type CardPlatformClient,
  nextStepOf,
  outcomeOf,
} from '../../src/index.js';
import { type Clock, systemClock } from '../../src/transport/attempts/clock.js';
import { FaultServer } from '../faults/fault-server.js';
import { ADAPTERS, clientOver } from '../support/adapters.js';
import { arrivalOfWrittenData } from '../support/arrival.js';
import {
  CREDENTIALS,
  clientFor,
  fetchFailure,
  json,
  rejection,
  scriptedFetch,
} from '../support/clients.js';

const BASE_URL = 'https://api.example.com';
const server = new FaultServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const endless = () => new Promise<Response>(() => {});

describe.each(ADAPTERS)('the outcome of an abort over %s', (adapter) => {
  const client = () => clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS });

  it.each([
    ['stall', 'unknown', 'unknown'],
    ['body stalls', 'unknown', 'unknown'],
    ['error body stalls', 'unknown', 'unknown'],
  ] as const)('after %s is %s for a withdrawal and %s for a read', async (fault, ofWithdrawal, ofRead) => {
    for (const [call, expected] of [
      ['withdraw', ofWithdrawal],
      ['status', ofRead],
    ] as const) {
      const controller = new AbortController();
      const reason = new Error(`the user left after ${fault}`);
      const { signal } = controller;
      const name = `${adapter} ${fault} ${call}`;
      const options = { signal, headers: { 'x-case': name, 'x-fault': fault } };
      const hit = server.nextHit(name);
      const userClient = client();
      const calling = rejection(
        call === 'status'
          ? userClient.card.status(options)
          : userClient.wallets.credit.withdraw({ amount: '1' }, options),
      );
      await hit;
      await arrivalOfWrittenData();
      controller.abort(reason);
      expect(await calling).toBe(reason);
      expect(outcomeOf(reason)).toBe(expected);
      expect(server.hits(name)).toBe(1);
    }
  });

  it('is not_sent before the request was sent', async () => {
    const reason = new Error('left before');
    const signal = AbortSignal.abort(reason);
    expect(await rejection(client().wallets.credit.withdraw({ amount: '1' }, { signal }))).toBe(
      reason,
    );
    expect(outcomeOf(reason)).toBe('not_sent');
  });

  it('is unknown for AbortSignal.timeout() around a withdrawal', async () => {
    const name = `${adapter} timeout`;
    const headers = { 'x-case': name, 'x-fault': 'stall' };
    let error: unknown;
    // A busy machine may take longer than the first limits to send the request.
    for (const limit of [150, 1_500, 15_000]) {
      const signal = AbortSignal.timeout(limit);
      const options = { signal, headers };
      error = await rejection(client().wallets.credit.withdraw({ amount: '1' }, options));
      if (server.hits(name) > 0) break;
    }
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(outcomeOf(error)).toBe('unknown');
  });
});

describe('outcomeOf', () => {
  it("returns not_sent for an error of the caller's own code before the request was sent", async () => {
    const veto = new Error('not today');
    const middleware = [async () => Promise.reject(veto)];
    const accessToken = async () => Promise.reject(lost);
    const lost = new Error('no session');
    await rejection(clientFor(BASE_URL, { fetch: endless, middleware }).card.freeze());
    await rejection(clientFor(BASE_URL, { fetch: endless, accessToken }).card.freeze());
    expect([veto, lost].map(outcomeOf)).toEqual(['not_sent', 'not_sent']);
  });

  it('considers an earlier attempt that the service may have acted on', async () => {
    const reason = new Error('left while waiting');
    const controller = new AbortController();
    const fetch = async () => json({}, 503);
    const delay = 9_000;
    const options = { fetch, random: () => 1, retry: { baseDelay: delay, maxDelay: delay } };
    const clock: Clock = {
      ...systemClock,
      schedule(callback, ms) {
        // The wait before the second attempt.
        if (ms === delay) setImmediate(() => controller.abort(reason));
        return systemClock.schedule(callback, ms);
      },
    };
    const client = clientFor(BASE_URL, { ...options, clock, totalTimeout: 100_000 });
    const calling = rejection(client.card.freeze({ signal: controller.signal }));
    expect(await calling).toBe(reason);
    expect(outcomeOf(reason)).toBe('unknown');
  });

  it('returns unknown when calls share a reason and end differently', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const reason = new Error('shared');
    const sent = rejection(clientFor(BASE_URL, { fetch: endless }).card.unfreeze({ signal }));
    const accessToken = () => new Promise<string>(() => {});
    const held = rejection(
      clientFor(BASE_URL, { fetch: endless, accessToken }).card.unfreeze({ signal }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    await Promise.all([sent, held]);
    expect(outcomeOf(reason)).toBe('unknown');
  });

  it('returns the outcome of an error of this package', async () => {
    const client = clientFor(BASE_URL, { fetch: async () => json({ message: 'No' }, 400) });
    expect(outcomeOf(await rejection(client.card.unfreeze()))).toBe('rejected');
    expect(outcomeOf(await rejection(client.card.order({ type: 'X' } as never)))).toBe('not_sent');
  });

  it.each([
    undefined,
    null,
    'a reason',
    5,
    {},
    new Error('unrelated'),
  ])('returns unknown for %s', (value) => {
    expect(outcomeOf(value)).toBe('unknown');
  });
});

describe('the next step after an abort', () => {
  const stepAfter = async (
    method: 'freeze' | 'status',
    fetch: () => Promise<Response>,
    isFirst = false,
  ) => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const sending = () => {
      if (!isFirst) setImmediate(() => controller.abort(reason));
      return fetch();
    };
    if (isFirst) controller.abort(reason);
    const { signal } = controller;
    const call = clientFor(BASE_URL, { fetch: sending }).card[method]({ signal });
    expect(await rejection(call)).toBe(reason);
    return [outcomeOf(reason), nextStepOf(reason)];
  };
  const slowDown = async () => json({ message: 'slow down' }, 429, { 'retry-after': '5' });

  it('follows from the outcome', async () => {
    expect(await stepAfter('freeze', endless, true)).toEqual(['not_sent', 'retry']);
    expect(await stepAfter('freeze', slowDown)).toEqual(['rejected', 'show_user']);
    expect(await stepAfter('freeze', endless)).toEqual(['unknown', 'look_up']);
  });

  it('is retry for a read, however far it came', async () => {
    expect(await stepAfter('status', endless, true)).toEqual(['not_sent', 'retry']);
    expect(await stepAfter('status', slowDown)).toEqual(['rejected', 'retry']);
    expect(await stepAfter('status', endless)).toEqual(['unknown', 'retry']);
  });
});

describe('a call of which one request arrived is not reported as not_sent:', () => {
  const noConnection = () => fetchFailure('ECONNREFUSED', 'connect');
  const retry = { baseDelay: 0, maxRetries: 1 };

  it.each([
    ['a refusal', json({ message: 'slow down' }, 429), 'rejected'],
    ['a server error', json({}, 503), 'unknown'],
  ])('%s, and then no connection', async (_, response, outcome) => {
    const { fetch, requests } = scriptedFetch(response, noConnection());
    const client = clientFor(BASE_URL, { fetch, retry });
    const error = await rejection(client.card.status());
    expect(error).toMatchObject({ name: 'ConnectionError', outcome, attempts: 2, next: 'retry' });
    expect(requests).toHaveLength(2);
  });

  it('a refused token, and then a token provider that fails', async () => {
    for (const send of [
      (client: CardPlatformClient) => client.card.status(),
      (client: CardPlatformClient) => client.wallets.credit.withdraw({ amount: '1' }),
    ]) {
      const own = new Error('the login server is down');
      const accessToken: AccessTokenProvider = async ({ reason }) => {
        if (reason === 'rejected') throw own;
        return 'token';
      };
      const { fetch, requests } = scriptedFetch(json({ message: 'expired' }, 401));
      expect(await rejection(send(clientFor(BASE_URL, { fetch, accessToken })))).toBe(own);
      expect(outcomeOf(own)).toBe('rejected');
      expect(requests).toHaveLength(1);
    }
  });

  it('a refused token, and then no connection', async () => {
    const accessToken: AccessTokenProvider = async ({ reason }) => reason;
    const { fetch } = scriptedFetch(json({ message: 'expired' }, 401), noConnection());
    const client = clientFor(BASE_URL, { fetch, accessToken, retry: false });
    expect(await rejection(client.wallets.credit.withdraw({ amount: '1' }))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'rejected',
      attempts: 2,
      isRetryable: true,
    });
  });
});
