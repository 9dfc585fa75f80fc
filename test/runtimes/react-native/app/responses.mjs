// Responses as React Native's own `fetch` returns them: without a stream, after redirects.
import {
  BodyReadError,
  CardPlatformClient,
  isCardPlatformError,
  ProtocolError,
  RedirectError,
  ResponseTooLargeError,
} from 'card-platform-sdk';
import { expectError, expectSame, failureOf } from '../../suite/expect.mjs';

const RETRY = { baseDelay: 1, maxDelay: 2 };

/** Creates a client of the scripted server that gets this behaviour for each request. */
const clientFor = ({ scripted }, behaviour, options = {}) =>
  new CardPlatformClient({
    baseUrl: `${scripted}/${behaviour}`,
    clientKey: 'client-key',
    accessToken: 'access-token',
    retry: RETRY,
    ...options,
  });

/**
 * Returns the requests that the native side got, and those that arrived at the server, with a text
 * in the URL.
 */
export const recordOf = async ({ scripted }, text) =>
  (await fetch(`${scripted}/record/${text}`)).json();

/** Checks of responses without a stream. */
export const responses = {
  'reads a response that has no stream': async (options) => {
    expectSame((await clientFor(options, 'json').card.status()).status, 'ACTIVE');
  },

  'returns status and headers with a response': async (options) => {
    const { status, data } = await clientFor(options, 'json').card.status().withResponse();
    expectSame([status, data.status], [200, 'ACTIVE']);
  },

  'reads a response just below the size limit': async (options) => {
    expectSame((await clientFor(options, 'almost-too-large').card.status()).status, 'ACTIVE');
  },

  'refuses a response over the size limit, also of a read only once': async (options) => {
    for (const behaviour of ['too-large', 'too-large-declared', 'too-large-in-bytes']) {
      const error = await failureOf(clientFor(options, behaviour).card.status());
      expectError(error, ResponseTooLargeError, { status: 200, code: 'response_too_large' });
    }
  },

  'keeps status and outcome of an error response over its size limit': async (options) => {
    const error = await failureOf(clientFor(options, 'too-large-error').card.freeze());
    expectError(error, ResponseTooLargeError, { status: 403, outcome: 'rejected', attempts: 1 });
  },

  'throws a ProtocolError for an empty response and for one that is not JSON': async (options) => {
    for (const behaviour of ['empty', 'not-json']) {
      const error = await failureOf(clientFor(options, behaviour).card.status());
      expectError(error, ProtocolError, { status: 200 });
      if (error instanceof BodyReadError) throw new Error('not a lost response');
    }
  },

  'throws a BodyReadError for a body that is not UTF-8': async (options) => {
    const { wallets } = clientFor(options, 'not-utf-8');
    const error = await failureOf(wallets.credit.withdraw({ amount: '1' }));
    expectError(error, BodyReadError, {
      status: 200,
      attempts: 1,
      outcome: 'unknown',
      probableOutcome: 'executed',
    });
  },

  'reports an unknown outcome when the body of a withdrawal breaks off': async (options) => {
    const { wallets } = clientFor(options, 'breaks-off');
    const error = await failureOf(wallets.credit.withdraw({ amount: '1' }));
    expectSame([error.name, error.outcome, error.attempts], ['ConnectionError', 'unknown', 1]);
  },

  'refuses a response that came after a redirect': async (options) => {
    for (const behaviour of ['redirect-here', 'redirect-elsewhere']) {
      const error = await failureOf(clientFor(options, behaviour).card.status());
      expectError(error, RedirectError, { code: 'redirect_refused', outcome: 'unknown' });
      expectSame([error.attempts, error.message.includes('secret')], [1, false]);
      expectSame(/^http:\/\/127\.0\.0\.1:\d+$/.test(error.locationOrigin), true, 'only the origin');
    }
  },

  'sends a withdrawal once that was redirected': async (options) => {
    const { wallets } = clientFor(options, 'redirect-post');
    const error = await failureOf(wallets.credit.withdraw({ amount: '1' }));
    expectError(error, RedirectError, { outcome: 'unknown', attempts: 1 });
  },

  'accepts a URL that the native side spells in another way': async (options) => {
    const client = clientFor(options, 'history');
    const search = { searchKey: "d'Arc & 100%" };
    const page = await client.card.transactions(search);
    expectSame(page.items ?? page, []);
  },

  'reports an unknown outcome for a lost withdrawal and sends it once': async (options) => {
    const error = await failureOf(
      clientFor(options, 'lost').wallets.credit.withdraw({ amount: '1' }),
    );
    expectSame([error.name, error.outcome, error.attempts], ['ConnectionError', 'unknown', 1]);
    expectSame(isCardPlatformError(error), true);
  },

  'retries a read whose connection was lost': async (options) => {
    const error = await failureOf(clientFor(options, 'lost').card.status());
    expectSame([error.name, error.attempts > 1], ['ConnectionError', true]);
  },
};
