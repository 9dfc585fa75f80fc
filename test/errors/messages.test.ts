import { describe, expect, it } from 'vitest';
import {
  CardPlatformClient,
  CardPlatformError,
  ConfigurationError,
  isApiError,
  isCardPlatformError,
} from '../../src/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';
const answering = (body: unknown, status: number) =>
  clientFor(BASE_URL, { fetch: scriptedFetch(json(body, status)).fetch, retry: false });

async function messageOf(call: PromiseLike<unknown>): Promise<string> {
  const error = await rejection(call);
  if (!(error instanceof Error)) throw new Error('it did not fail');
  return error.message;
}

describe('what an error says', () => {
  it('of a refusal: who, what, and that nothing was done', async () => {
    const call = answering({ message: 'Card is already frozen' }, 400).card.freeze();
    expect(await messageOf(call)).toBe(
      'card.freeze: the service responded with 400: "Card is already frozen". The service refused it, so nothing was done.',
    );
  });

  it('of a failure without words: that it may have been acted on', async () => {
    const call = answering({}, 500).wallets.credit.withdraw({ amount: '1' });
    expect(await messageOf(call)).toBe(
      'wallets.credit.withdraw: the service responded with 500. The service may have acted on it: check the current state before you try again.',
    );
  });

  it('of an answer that cannot be read: not to repeat it', async () => {
    const call = answering([], 200).wallets.credit.withdraw({ amount: '1' });
    expect(await messageOf(call)).toMatch(
      /^wallets\.credit\.withdraw: .* The service acted on it: do not send it again\.$/,
    );
  });

  it('of a read: that reading again is safe, whatever failed', async () => {
    const advice = / It only reads, so reading again is safe\.$/;
    expect(await messageOf(answering({}, 500).card.status())).toMatch(advice);
    expect(await messageOf(answering([], 200).card.status())).toMatch(advice);
    expect(await messageOf(answering('<html>', 200).card.status())).toMatch(advice);
    expect(await messageOf(answering({ message: 'no' }, 404).card.status())).toMatch(advice);
    const lost = clientFor(BASE_URL, { fetch: () => Promise.reject('x'), retry: false });
    expect(await messageOf(lost.card.status())).toMatch(advice);
  });

  it('of an input: that nothing reached the service', async () => {
    const call = answering({}, 200).wallets.credit.withdraw({ amount: '-1' });
    expect(await messageOf(call)).toMatch(
      /^wallets\.credit\.withdraw: .*amount.* Nothing reached the service, so nothing was done\.$/,
    );
  });

  it('outside a call: what happened, and no more', () => {
    const make = () => new CardPlatformClient({ baseUrl: 'nowhere' });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(
      expect.objectContaining({ code: 'configuration_invalid', operation: undefined, attempts: 0 }),
    );
    expect(make).not.toThrow(/Nothing reached the service/);
  });
});

describe('an error', () => {
  const plain = new CardPlatformError({
    message: 'it broke.',
    code: 'api_error',
    outcome: 'unknown',
  });

  it('has the name of its class, and no cause unless there is one', async () => {
    expect(plain.name).toBe('CardPlatformError');
    expect(plain.message).toBe('it broke.');
    expect('cause' in plain).toBe(false);
    const { name } = (await rejection(answering({}, 404).card.status())) as Error;
    expect(name).toBe('NotFoundError');
  });

  it('says where the documentation explains it, and its facts as plain data', () => {
    expect(plain.docsUrl).toMatch(/^https:\/\/.*\/error-catalogue\.md#api_error$/);
    expect(plain.toJSON()).toEqual({
      name: 'CardPlatformError',
      code: 'api_error',
      message: 'it broke.',
      operation: undefined,
      outcome: 'unknown',
      attempts: 0,
      isRetryable: false,
      docsUrl: plain.docsUrl,
    });
  });

  it('says as plain data what is likelier, and how long to wait, where that is known', async () => {
    const facts = { message: 'it broke.', code: 'api_error', outcome: 'unknown' } as const;
    const likely = new CardPlatformError({ ...facts, probableOutcome: 'executed' });
    expect(likely.toJSON()).toMatchObject({ outcome: 'unknown', probableOutcome: 'executed' });
    expect(plain.toJSON()).not.toHaveProperty('probableOutcome');
    const failing = (headers: Record<string, string>) =>
      rejection(
        clientFor(BASE_URL, {
          fetch: scriptedFetch(json({ message: 'slow down' }, 429, headers)).fetch,
          retry: false,
        }).card.status(),
      );
    const limited = (await failing({ 'retry-after': '7' })) as CardPlatformError;
    expect(limited.toJSON()).toMatchObject({ status: 429, retryAfterMs: 7_000 });
    const plainly = (await failing({})) as CardPlatformError;
    expect(plainly.toJSON()).not.toHaveProperty('retryAfterMs');
  });

  it('is known by its mark, which cannot be seen or changed', () => {
    const mark = Symbol.for('card-platform-sdk.error');
    expect(isCardPlatformError(plain)).toBe(true);
    expect(Object.getOwnPropertyDescriptor(plain, mark)).toMatchObject({
      value: true,
      enumerable: false,
      writable: false,
    });
    for (const other of [new Error('x'), null, undefined, 'x', {}]) {
      expect(isCardPlatformError(other)).toBe(false);
      expect(isApiError(other)).toBe(false);
    }
    expect(isApiError(plain)).toBe(false);
    const hostile = new Proxy(
      {},
      {
        has: () => {
          throw new Error('no');
        },
      },
    );
    expect([isCardPlatformError(hostile), isApiError(hostile)]).toEqual([false, false]);
  });
});
