import { describe, expect, it } from 'vitest';
import { type CardPlatformClient, ConnectionError, outcomeOf } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import { memoryStore } from '../../src/stores/index.js';
import { clientFor, json, rejection } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';

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
      'wallets.credit.withdraw: the call was aborted with an error of this package. Money may have moved',
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
