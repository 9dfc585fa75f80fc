import { describe, expect, it } from 'vitest';
import { type CardPlatformClient, ConnectionError, outcomeOf } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import { observe } from '../../src/observed/index.js';
import { memoryStore } from '../../src/stores/index.js';
import { clientFor, json, rejection } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';

const REFUSING = {
  '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'no' }] }) },
} as const;

/** The error of another call that sent nothing: what one AbortController for several calls passes on. */
const ofAnotherCall = () =>
  rejection(clientFor(BASE_URL).wallets.credit.withdraw({ amount: '-1' }));

/** Makes a call whose response never begins, and aborts it with a reason once it was sent. */
async function abortUnderWay(
  call: (client: CardPlatformClient, signal: AbortSignal) => PromiseLike<unknown>,
  reason: unknown,
): Promise<unknown> {
  const controller = new AbortController();
  const client = clientFor(BASE_URL, {
    fetch: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        controller.abort(reason);
      }),
  });
  return rejection(call(client, controller.signal));
}

describe('a call that is aborted with an error of this package', () => {
  it('has an outcome of its own where it may have acted', async () => {
    const reason = await ofAnotherCall();
    expect(outcomeOf(reason)).toBe('not_sent');
    const error = await abortUnderWay(
      (client, signal) => client.wallets.credit.withdraw({ amount: '10' }, { signal }),
      reason,
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1, isRetryable: false });
    expect(String(error)).toContain(
      'wallets.credit.withdraw: the call was ended by an error of this package. Money may have moved',
    );
    expect(Object(error).cause).toMatchObject({ code: 'request_invalid' });
  });

  it('ends with that error where it says the same, or where the call only reads', async () => {
    const unknown = await rejection(
      clientFor(BASE_URL, { fetch: async () => json({}, 500) }).card.order(),
    );
    const order = await abortUnderWay(
      (client, signal) => client.card.order({ type: 'VIRTUAL' }, { signal }),
      unknown,
    );
    expect(order).toBe(unknown);
    const freeze = await abortUnderWay((client, signal) => client.card.freeze({ signal }), unknown);
    expect(freeze).toMatchObject({ operation: 'card.freeze', outcome: 'unknown', cause: unknown });
    const reason = await ofAnotherCall();
    expect(await abortUnderWay((client, signal) => client.card.status({ signal }), reason)).toBe(
      reason,
    );
  });

  it('does not take the outcome of another call before anything was sent', async () => {
    const executed = await rejection(
      clientFor(BASE_URL, {
        fetch: async () => json({ success: true, txHash: `0x${'a'.repeat(64)}` }),
      }).wallets.credit.withdraw({ amount: '10' }, { schema: REFUSING } as never),
    );
    expect(outcomeOf(executed)).toBe('executed');
    const controller = new AbortController();
    const waiting = clientFor(BASE_URL, {
      accessToken: () => {
        setImmediate(() => controller.abort(executed));
        return new Promise<string>(() => {});
      },
    });
    const { signal } = controller;
    const error = await rejection(waiting.wallets.credit.withdraw({ amount: '20' }, { signal }));
    expect(error).toMatchObject({
      ...{ name: 'ConnectionError', operation: 'wallets.credit.withdraw', attempts: 0 },
      ...{ outcome: 'not_sent', isRetryable: true, next: 'retry', cause: executed },
    });
    expect(String(error)).toContain('Nothing reached the service, so no money moved.');
  });

  it.each<['before', number] | ['after', number]>([
    ['before', 0],
    ['after', 1],
  ])('is not in doubt because a login of the token provider was lost, %s a refused token', async (when, attempts) => {
    const { signal } = new AbortController();
    const provider = clientFor(BASE_URL, { fetch: () => Promise.reject(new Error('lost')) });
    const client = clientFor(BASE_URL, {
      fetch: async () => json({ message: 'jwt expired' }, 401),
      accessToken: async ({ reason }) => {
        if (when === 'after' && reason === 'request') return 'old';
        const login = await provider.auth.login({ email: 'ada@example.com', password: 'secret' });
        return String(login.accessToken);
      },
    });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '20' }, { signal }));
    const outcome = when === 'before' ? 'not_sent' : 'rejected';
    expect(error).toMatchObject({
      ...{ operation: 'wallets.credit.withdraw', attempts, outcome },
      ...{ isRetryable: false, next: 'log_in' },
      cause: { operation: 'auth.login', outcome: 'unknown' },
    });
    expect(String(error)).toMatch(/no money moved\. Log in again\.$/);
  });

  it('can be called again if a refresh of the token provider was lost after a refused token', async () => {
    const service = clientFor(BASE_URL, { fetch: () => Promise.reject(new Error('lost')) });
    const client = clientFor(BASE_URL, {
      fetch: async () => json({ message: 'jwt expired' }, 401),
      accessToken: async ({ reason }) => {
        if (reason === 'request') return 'old';
        return (await observe(service).auth.oauth.refresh({ refreshToken: 'once' })).access_token;
      },
    });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '20' }));
    expect(error).toMatchObject({
      ...{ operation: 'wallets.credit.withdraw', outcome: 'rejected' },
      ...{ isRetryable: true, next: 'retry' },
    });
  });

  it('still rejects with the refusal of a login of its token provider', async () => {
    const provider = clientFor(BASE_URL, { fetch: async () => json({ message: 'No' }, 400) });
    const client = clientFor(BASE_URL, {
      accessToken: async () => {
        const login = await provider.auth.login({ email: 'ada@example.com', password: 'secret' });
        return String(login.accessToken);
      },
    });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '20' }));
    expect(error).toMatchObject({ operation: 'auth.login', outcome: 'rejected' });
  });

  it('stays in the journal if its response was read before', async () => {
    const controller = new AbortController();
    const values = new Map<string, string>();
    const client = clientFor(BASE_URL, {
      fetch: async () => json({ success: true, txHash: `0x${'a'.repeat(64)}` }),
      journal: createJournal({ store: memoryStore(values) }),
    });
    const reason = await ofAnotherCall();
    const validate = () => {
      controller.abort(reason);
      return new Promise<never>(() => undefined);
    };
    const schema = { '~standard': { version: 1, vendor: 'test', validate } };
    const options = { signal: controller.signal, schema };
    const call = client.wallets.credit.withdraw({ amount: '10' }, options as never);
    expect(outcomeOf(await rejection(call))).toBe('executed');
    expect(values.get('card-platform.journal.0')).toContain('"state":"executed"');
  });
});
