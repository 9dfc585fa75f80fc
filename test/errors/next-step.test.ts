import { describe, expect, it } from 'vitest';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import {
  CardPlatformClient,
  CardPlatformError,
  isCardPlatformError,
  nextStepOf,
  outcomeOf,
} from '../../src/index.js';
import { observe } from '../../src/observed/index.js';
import { settled, setUp } from '../query/set-up.js';
import { sampleCall } from '../support/calls.js';
import { clientFor, fetchFailure, json } from '../support/clients.js';

const withdraw = ({ client }: ReturnType<typeof setUp>, amount = '25') =>
  settled(client.wallets.credit.withdraw({ amount }));

describe('nextStepOf()', () => {
  it.each([
    ['not_sent', 'show_user'],
    ['rejected', 'show_user'],
    ['unknown', 'look_up'],
    ['executed', 'done'],
  ] as const)('of an error with outcome %s is %s', (outcome, next) => {
    const error = new CardPlatformError({ message: 'failed', code: 'timeout', outcome });
    expect(nextStepOf(error)).toBe(next);
  });

  it('is show_user when the service refuses a withdrawal', async () => {
    expect(nextStepOf(await withdraw(setUp(), '5000'))).toBe('show_user');
  });

  it('is look_up when the response of a withdrawal is lost', async () => {
    const scene = setUp();
    scene.mock.drop('wallets.credit.withdraw', 'after-processing');
    expect(nextStepOf(await withdraw(scene))).toBe('look_up');
  });

  it('is show_user for an invalid input, which the user can correct', async () => {
    expect(nextStepOf(await withdraw(setUp(), 'ten'))).toBe('show_user');
  });

  it('is retry for a read that failed, because reading again is safe', async () => {
    const { client, mock } = setUp();
    mock.fail('card.status', 503, { times: 10 });
    expect(nextStepOf(await settled(client.card.status()))).toBe('retry');
  });

  it('is known for the reason of an abort before and after the request left', async () => {
    const early = new Error('left the page');
    const late = new Error('left the page');
    const controller = new AbortController();
    const client = new CardPlatformClient({
      baseUrl: 'https://api.example.com',
      clientKey: 'client-key',
      accessToken: 'access-token',
      // The request is in flight when the user leaves.
      fetch: () => {
        controller.abort(late);
        return new Promise(() => {});
      },
    });
    const leave = (signal: AbortSignal) =>
      settled(client.wallets.credit.withdraw({ amount: '1' }, { signal }));
    expect(nextStepOf(await leave(AbortSignal.abort(early)))).toBe('retry');
    expect(nextStepOf(await leave(controller.signal))).toBe('look_up');
  });

  it('is retry for an aborted read, and log_in for an aborted login', async () => {
    const reasons = [
      new Error('of a read'),
      new Error('of a login'),
      new Error('of both'),
    ] as const;
    const abortable = (reason: Error) => {
      const controller = new AbortController();
      const client = clientFor('https://api.example.com', {
        // The request is in flight when the user leaves.
        fetch: () => {
          controller.abort(reason);
          return new Promise(() => {});
        },
      });
      return { client, signal: controller.signal };
    };
    const read = async (reason: Error) => {
      const { client, signal } = abortable(reason);
      expect(await settled(client.card.status({ signal }))).toBe(reason);
    };
    const logIn = async (reason: Error) => {
      const { client, signal } = abortable(reason);
      const login = { email: 'ada@example.com', password: 'secret-password' };
      expect(await settled(client.auth.login(login, { signal }))).toBe(reason);
    };
    await read(reasons[0]);
    await logIn(reasons[1]);
    await read(reasons[2]);
    await logIn(reasons[2]);
    expect(reasons.map(nextStepOf)).toEqual(['retry', 'log_in', 'look_up']);
    expect(reasons.map(outcomeOf)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('is retry for an aborted wait, which only reads', async () => {
    const early = new Error('before');
    const late = new Error('meanwhile');
    const controller = new AbortController();
    const client = clientFor('https://api.example.com', {
      fetch: () => {
        controller.abort(late);
        return new Promise(() => {});
      },
    });
    const wait = (signal: AbortSignal) => settled(client.card.waitUntilActive({ signal }));
    expect(await wait(AbortSignal.abort(early))).toBe(early);
    expect(await wait(controller.signal)).toBe(late);
    expect([early, late].map(nextStepOf)).toEqual(['retry', 'retry']);
    expect([early, late].map(outcomeOf)).toEqual(['not_sent', 'unknown']);
  });

  it('is contact for a read whose response cannot be used: nothing was done', async () => {
    const client = clientFor('https://api.example.com', {
      fetch: async () => json({ id: 'c', status: 'ACTIVE', more: 1 }),
      responseValidation: 'strict',
    });
    const error = await settled(client.card.status());
    expect(error).toMatchObject({ outcome: 'executed', next: 'contact' });
    expect(String(error)).toContain('Nothing was changed: the call only reads.');
  });

  it.each([
    undefined,
    null,
    'text',
    0,
    {},
    new Error('foreign'),
    Symbol('odd'),
  ])('is look_up for a value that no call rejected with (%#)', (value) => {
    expect(nextStepOf(value)).toBe('look_up');
  });
});

describe('error.next', () => {
  const after = async (status: number, message: string, operation: 'read' | 'withdraw') => {
    const client = new CardPlatformClient({
      baseUrl: 'https://api.example.com',
      clientKey: 'client-key',
      accessToken: 'access-token',
      retry: false,
      fetch: async () => Response.json({ message }, { status }),
    });
    const { card, wallets } = client;
    const call = operation === 'read' ? card.status() : wallets.credit.withdraw({ amount: '1' });
    const error = await settled(call);
    return isCardPlatformError(error) && { next: error.next, isRetryable: error.isRetryable };
  };

  it.each([
    ['read', 401, 'Not authenticated', 'log_in'],
    ['read', 403, 'Not authorized', 'contact'],
    ['read', 404, 'Card not found', 'show_user'],
    ['read', 429, 'Too many requests', 'retry'],
    ['read', 498, 'Invalid client key', 'contact'],
    ['read', 499, 'Missing client key', 'contact'],
    ['read', 408, 'Request timeout', 'retry'],
    ['read', 500, 'down', 'retry'],
    ['read', 503, 'down', 'retry'],
    ['read', 599, 'down', 'retry'],
    ['read', 200, 'something else', 'contact'],
    ['withdraw', 400, 'Insufficient balance', 'show_user'],
    ['withdraw', 401, 'Not authenticated', 'log_in'],
    ['withdraw', 200, 'something else', 'look_up'],
    ['withdraw', 503, 'down', 'look_up'],
    ['withdraw', 408, 'Request timeout', 'look_up'],
  ] as const)('of a %s that is answered with %i "%s" is %s', async (operation, status, words, next) => {
    expect(await after(status, words, operation)).toEqual({ next, isRetryable: next === 'retry' });
  });

  it.each([
    // Each retry leaves a live session or URL.
    ['user.startVerification', 'lost', false],
    ['user.startVerification', 408, false],
    ['user.startVerification', 500, false],
    ['user.startVerification', 520, false],
    ['user.startVerification', 502, true],
    ['user.startVerification', 429, true],
    ['user.startVerification', 'refused', true],
    ['card.createPinToken', 'lost', false],
    ['card.createPinToken', 502, false],
    ['card.createPinToken', 503, true],
    // The first request may have taken effect unseen, and the next one may be refused as a conflict.
    ['consent.createOnboarding', 500, false],
    ['consent.createOnboarding', 502, true],
    ['consent.createOnboarding', 'lost', true],
    ['consent.linkUser', 500, false],
    // Their declarations lower nothing.
    ['card.freeze', 'lost', true],
    ['card.freeze', 500, true],
    ['card.freeze', 520, true],
    ['card.status', 'lost', true],
    ['card.status', 520, true],
  ] as const)('of %s that ended with %s is retry only if its declaration allows one: %s', async (id, end, isRetryable) => {
    const fetch = async () => {
      if (end === 'lost') throw new TypeError('fetch failed');
      if (end === 'refused') throw fetchFailure('ECONNREFUSED', 'connect');
      return json({ message: 'down' }, end);
    };
    const client = clientFor('https://api.example.com', { fetch, retry: { baseDelay: 0 } });
    const error = await settled(Promise.resolve(sampleCall(id).invoke(client)));
    expect(error).toMatchObject({ isRetryable, next: isRetryable ? 'retry' : 'look_up' });
  });

  it.each([
    ['lost', false],
    [503, false],
    ['refused', true],
  ] as const)('of an endpoint that declares a single request, which ended with %s, is retry: %s', async (end, isRetryable) => {
    const fetch = async () => {
      if (end === 'lost') throw new TypeError('fetch failed');
      if (end === 'refused') throw fetchFailure('ECONNREFUSED', 'connect');
      return json({ message: 'down' }, end);
    };
    const client = clientFor('https://api.example.com', { fetch, retry: { baseDelay: 0 } });
    const own = { id: 'limits.set', method: 'PUT', path: '/v1/limits' } as const;
    const endOf = (request: PromiseLike<unknown>) => settled(Promise.resolve(request));
    const endOfOwn = (retry: 'safe' | 'idempotent', maxRequests: number) =>
      endOf(call(client, defineEndpoint({ ...own, retry, maxRequests }), {}));
    const expected = { isRetryable, next: isRetryable ? 'retry' : 'look_up' };
    expect(await endOf(observe(client).card.provisioning.google())).toMatchObject(expected);
    expect(await endOfOwn('idempotent', 1)).toMatchObject(expected);
    // A second request is allowed, or changes nothing.
    expect(await endOfOwn('idempotent', 2)).toMatchObject({ isRetryable: true, next: 'retry' });
    expect(await endOfOwn('safe', 1)).toMatchObject({ isRetryable: true, next: 'retry' });
  });

  it('is contact where only the operator of the service can help', async () => {
    const client = (status: number, message: string) =>
      new CardPlatformClient({
        baseUrl: 'https://api.example.com',
        clientKey: 'client-key',
        accessToken: 'access-token',
        retry: false,
        fetch: async () => Response.json({ message }, { status }),
      });
    const unset = client(404, 'Notification service is not configured for this environment');
    const other = client(400, 'Only available for custodial platforms');
    const wallets = [{ network: 'solana', currency: 'usdc' }] as const;
    for (const call of [unset.webhooks.list(), other.wallets.internal.create({ wallets })]) {
      expect(await settled(call)).toMatchObject({ next: 'contact', isRetryable: false });
    }
  });

  it('is done where the service acted and its response cannot be used', () => {
    const facts = { message: 'x', code: 'response_invalid', outcome: 'executed' } as const;
    expect(new CardPlatformError(facts).next).toBe('done');
  });

  it('is part of what a log shows', () => {
    const facts = { message: 'x', code: 'timeout', outcome: 'unknown' } as const;
    expect(JSON.parse(JSON.stringify(new CardPlatformError(facts)))).toMatchObject({
      next: 'look_up',
    });
  });
});
