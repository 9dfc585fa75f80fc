// Checks which requests reach the native side, and how they end.
import { CardPlatformClient, ConfigurationError, TimeoutError } from 'card-platform-sdk';
import { expectAborted, expectError, expectSame, failureOf } from '../../suite/expect.mjs';
import { recordOf } from './responses.mjs';

/** Headers that the client may give to React Native's `fetch`. */
const ALLOWED = /^(accept|authorization|content-type|x-[a-z-]+)$/i;

const clientOf = (url, options = {}) =>
  new CardPlatformClient({
    baseUrl: url,
    clientKey: 'client-key',
    accessToken: 'access-token',
    retry: { baseDelay: 1, maxDelay: 2 },
    ...options,
  });

/** Waits until the server has seen a request, or its end. */
async function untilArrived(options, key, isDone) {
  for (;;) {
    const { arrived } = await recordOf(options, key);
    if (arrived.some(isDone)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Checks of requests and of how they end. */
export const requests = {
  'gives the native side the URL, method, headers and body of the request': async (options) => {
    const client = clientOf(`${options.scripted}/json/plain`);
    await client.card.status();
    await failureOf(client.wallets.credit.withdraw({ amount: '1.50' }));
    const { sent } = await recordOf(options, '/json/plain');
    const [read, withdrawal] = sent;
    expectSame([read.method, withdrawal.method, sent.length], ['GET', 'POST', 2]);
    expectSame([read.url.includes('?'), read.cookies], [false, false], 'query and cookies');
    expectSame(JSON.parse(withdrawal.body.string).amount, '1.50');
    for (const { headers } of sent) {
      const names = headers.map(([name]) => name);
      expectSame(
        names.filter((name) => !ALLOWED.test(name)),
        [],
        'headers',
      );
      expectSame(names.map((name) => name.toLowerCase()).includes('authorization'), true);
    }
  },

  'ends the native request when the caller aborts': async (options) => {
    const client = clientOf(`${options.scripted}/never/abort`);
    const controller = new AbortController();
    const reason = new Error('the user left');
    const call = failureOf(client.card.status({ signal: controller.signal }));
    await untilArrived(options, '/never/abort', () => true);
    controller.abort(reason);
    expectAborted(await call, reason, options);
    await untilArrived(options, '/never/abort', ({ isEnded }) => isEnded);
  },

  'ends the native request after the timeout': async (options) => {
    const client = clientOf(`${options.scripted}/never/timeout`, { retry: false });
    const error = await failureOf(client.card.freeze({ timeout: 50 }));
    expectError(error, TimeoutError, { outcome: 'unknown', attempts: 1 });
    await untilArrived(options, '/never/timeout', ({ isEnded }) => isEnded);
  },

  'does not send with a signal that is already aborted': async (options) => {
    const client = clientOf(`${options.scripted}/json/aborted`);
    const controller = new AbortController();
    const reason = new Error('the user left');
    controller.abort(reason);
    expectAborted(
      await failureOf(client.card.status({ signal: controller.signal })),
      reason,
      options,
    );
    expectSame((await recordOf(options, '/json/aborted')).sent.length, 0);
  },

  'starts no attempt when a timer fires after the time limit': async (options) => {
    // As on a phone that slept during the pause between two attempts.
    const { setTimeout: start } = globalThis;
    const client = clientOf(`${options.scripted}/unavailable/late`, { totalTimeout: 200 });
    globalThis.setTimeout = (callback, ms, ...args) => start(callback, ms + 400, ...args);
    try {
      const error = await failureOf(client.card.status());
      expectSame(error.attempts, 1, 'attempts');
    } finally {
      globalThis.setTimeout = start;
    }
    expectSame((await recordOf(options, '/unavailable/late')).sent.length, 1);
  },

  'refuses a secret key': ({ scripted }) =>
    failureOf(() => clientOf(scripted, { secretKey: 'secret' })).then((error) =>
      expectError(error, ConfigurationError, { option: 'secretKey' }),
    ),
};
