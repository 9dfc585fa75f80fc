import {
  CardPlatformClient,
  InvalidClientKeyError,
  isApiError,
  OtpRequiredError,
  ServerError,
} from 'card-platform-sdk';
import { expectAborted, expectError, expectSame, failureOf } from './expect.mjs';

const PASSWORD = 'correct horse battery staple';

/** Creates a client of the sandbox that uses the network of the runtime. */
const clientOf = ({ url, clientKey, clientId }, options = {}) =>
  new CardPlatformClient({ baseUrl: url, clientKey, clientId, ...options });

async function postAction({ url }, form) {
  // Not URLSearchParams, which React Native has in part only.
  const body = Object.entries(form)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
  const contentType = 'application/x-www-form-urlencoded';
  const headers = { accept: 'application/json', 'content-type': contentType };
  const response = await fetch(`${url}/sandbox/actions`, { method: 'POST', body, headers });
  return response.json();
}

const stateOf = async ({ url }) => (await fetch(`${url}/sandbox/state`)).json();

/** Returns how many withdrawals the sandbox has received. */
async function countWithdrawals(sandbox) {
  const { requests } = await stateOf(sandbox);
  return requests.filter(({ operation }) => operation === 'wallets.credit.withdraw').length;
}

/** Logs in the demo user with a card, with the one-time password that the sandbox shows. */
async function logIn(sandbox, options) {
  const client = clientOf(sandbox, options);
  const credentials = { email: 'ada@example.com', password: PASSWORD };
  const otpError = await failureOf(client.auth.login(credentials));
  expectError(otpError, OtpRequiredError, { status: 400 });
  await client.auth.sendLoginOtp(otpError.otpRequest);
  const { users } = await stateOf(sandbox);
  const { otp } = users.find(({ email }) => email === credentials.email);
  const session = await client.auth.login({ ...credentials, otpCode: otp });
  return client.withAccessToken(session.accessToken);
}

/** Checks of the client with a server in another process, over a real connection. */
export const overLoopback = {
  'logs in with a code, reads the card and freezes it': async ({ sandbox }) => {
    const own = await logIn(sandbox);
    expectSame((await own.card.status()).status, 'ACTIVE');
    await own.card.freeze();
    expectSame((await own.card.status()).status, 'FROZEN');
    const again = await failureOf(own.card.freeze());
    expectSame(isApiError(again, 'card_already_frozen'), true);
    await own.card.unfreeze();
  },

  'withdraws once': async ({ sandbox }) => {
    const own = await logIn(sandbox);
    const before = await countWithdrawals(sandbox);
    const { txHash } = await own.wallets.credit.withdraw({ amount: '1' });
    expectSame(/^0x[0-9a-f]{64}$/.test(txHash), true, 'a transaction hash');
    expectSame((await countWithdrawals(sandbox)) - before, 1, 'withdrawals');
  },

  'reads 498 and its body': async ({ sandbox }) => {
    const client = clientOf({ ...sandbox, clientKey: 'another-key' });
    const login = client.auth.login({ email: 'ada@example.com', password: PASSWORD });
    expectError(await failureOf(login), InvalidClientKeyError, { status: 498 });
  },

  'retries a read after 503, but not a withdrawal': async ({ sandbox }) => {
    const own = await logIn(sandbox, { retry: { baseDelay: 1, maxDelay: 2 } });
    await postAction(sandbox, { action: 'fail', endpoint: 'card.status', status: '503' });
    expectSame((await own.card.status()).status, 'ACTIVE');
    await postAction(sandbox, {
      action: 'fail',
      endpoint: 'wallets.credit.withdraw',
      status: '503',
    });
    const error = await failureOf(own.wallets.credit.withdraw({ amount: '1' }));
    expectError(error, ServerError, { status: 503, attempts: 1, outcome: 'unknown' });
  },

  'rejects with the reason of a signal aborted during a call': async (options) => {
    const own = await logIn(options.sandbox);
    const controller = new AbortController();
    const reason = new Error('the user left');
    const call = own.card.status({ signal: controller.signal });
    controller.abort(reason);
    expectAborted(await failureOf(call), reason, options);
  },

  // Last, because a remaining planned drop would break the connection of another check.
  'reports an unknown outcome when the connection of a withdrawal breaks': async ({
    sandbox,
    resends,
  }) => {
    const own = await logIn(sandbox);
    const drop = { action: 'drop', endpoint: 'wallets.credit.withdraw' };
    // More drops than the idle connections that a runtime may try in turn.
    for (let i = 0; i < 5; i++) await postAction(sandbox, drop);
    const before = await countWithdrawals(sandbox);
    const error = await failureOf(own.wallets.credit.withdraw({ amount: '1' }));
    expectSame([error.outcome, error.attempts], ['unknown', 1]);
    // Some runtimes resend a POST on their own; the client sent one.
    const arrived = (await countWithdrawals(sandbox)) - before;
    if (resends ? arrived < 2 : arrived !== 1) {
      throw new Error(`${arrived} withdrawals arrived, expected ${resends ? 'several' : 'one'}`);
    }
  },
};
