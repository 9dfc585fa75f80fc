import { expect, it } from 'vitest';
import { createMockPlatform } from '../../src/testing/index.js';

const REASON = new Error('the caller gave up');

/** A route whose handler responds when the test says so, and a request to it. */
async function setUpRoute(isHeld: boolean) {
  const mock = createMockPlatform();
  let respond!: () => void;
  let begin!: () => void;
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const route = mock.serve('GET', '/v1/limits', () => {
    begin();
    return new Promise<{ body: object }>((resolve) => {
      respond = () => resolve({ body: {} });
    });
  });
  if (isHeld) mock.hold(route, { moment: 'after-processing' });
  const caller = new AbortController();
  const { signal } = caller;
  const response = mock.fetch(`${mock.baseUrl}/v1/limits`, { signal });
  await hasBegun;
  return { mock, response, abort: () => caller.abort(REASON), respond: () => respond() };
}

it('a caller that gives up while a handler works gets its reason at once', async () => {
  const { mock, response, abort } = await setUpRoute(false);
  abort();
  await expect(response).rejects.toBe(REASON);
  expect(mock.requests.last?.status).toBeUndefined();
});

it('a caller that gives up before its processed request is held gets its reason', async () => {
  const { response, abort, respond } = await setUpRoute(true);
  abort();
  respond();
  await expect(response).rejects.toBe(REASON);
});
