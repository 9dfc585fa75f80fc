import {
  CardPlatformClient,
  InvalidClientKeyError,
  isApiError,
  OtpRequiredError,
  ServerError,
} from 'card-platform-sdk';
import { failureOf, isError, same } from './expect.mjs';

const PASSWORD = 'correct horse battery staple';

/** The client of the sandbox, on the runtime's own way to the network. */
const clientOf = ({ url, clientKey, clientId }, options = {}) =>
  new CardPlatformClient({ baseUrl: url, clientKey, clientId, ...options });

async function act({ url }, form) {
  const body = new URLSearchParams(form);
  const headers = { accept: 'application/json' };
  const answer = await fetch(`${url}/sandbox/actions`, { method: 'POST', body, headers });
  return answer.json();
}

const stateOf = async ({ url }) => (await fetch(`${url}/sandbox/state`)).json();

/** How many withdrawals the service has seen. */
async function withdrawals(sandbox) {
  const { requests } = await stateOf(sandbox);
  return requests.filter(({ operation }) => operation === 'wallets.credit.withdraw').length;
}

/** The demo user who has a card, logged in with the code that the sandbox "sent". */
async function logIn(sandbox, options) {
  const client = clientOf(sandbox, options);
  const credentials = { email: 'ada@example.com', password: PASSWORD };
  const asked = await failureOf(client.auth.login(credentials));
  isError(asked, OtpRequiredError, { status: 400 });
  await client.auth.sendLoginOtp(asked.otpRequest);
  const { users } = await stateOf(sandbox);
  const { otp } = users.find(({ email }) => email === credentials.email);
  const session = await client.auth.login({ ...credentials, otpCode: otp });
  return client.withAccessToken(session.accessToken);
}

/** The client against a server of another process, over a real connection. */
export const overLoopback = {
  'logs in with a code, reads the card, freezes it': async ({ sandbox }) => {
    const own = await logIn(sandbox);
    same((await own.card.status()).status, 'ACTIVE');
    await own.card.freeze();
    same((await own.card.status()).status, 'FROZEN');
    const again = await failureOf(own.card.freeze());
    same(isApiError(again, 'card_already_frozen'), true);
    await own.card.unfreeze();
  },

  'reads 498 and its body': async ({ sandbox }) => {
    const client = clientOf({ ...sandbox, clientKey: 'another-key' });
    const login = client.auth.login({ email: 'ada@example.com', password: PASSWORD });
    isError(await failureOf(login), InvalidClientKeyError, { status: 498 });
  },

  'repeats a read after 503, and not a withdrawal': async ({ sandbox }) => {
    const own = await logIn(sandbox, { retry: { baseDelay: 1, maxDelay: 2 } });
    await act(sandbox, { action: 'fail', endpoint: 'card.status', status: '503' });
    same((await own.card.status()).status, 'ACTIVE');
    await act(sandbox, { action: 'fail', endpoint: 'wallets.credit.withdraw', status: '503' });
    const error = await failureOf(own.wallets.credit.withdraw({ amount: '1' }));
    isError(error, ServerError, { status: 503, attempts: 1, outcome: 'unknown' });
  },

  'is aborted while it runs': async ({ sandbox }) => {
    const own = await logIn(sandbox);
    const controller = new AbortController();
    const reason = new Error('the user left');
    const call = own.card.status({ signal: controller.signal });
    controller.abort(reason);
    if ((await failureOf(call)) !== reason) throw new Error('it ended with something else');
  },

  // Last, because a connection that is still to break would break another check's.
  'does not know what a withdrawal did whose connection broke': async ({ sandbox, resends }) => {
    const own = await logIn(sandbox);
    const drop = { action: 'drop', endpoint: 'wallets.credit.withdraw' };
    // More than the connections that a runtime may have kept and try in turn.
    for (let i = 0; i < 5; i++) await act(sandbox, drop);
    const before = await withdrawals(sandbox);
    const error = await failureOf(own.wallets.credit.withdraw({ amount: '1' }));
    same([error.outcome, error.attempts], ['unknown', 1]);
    // Some runtimes send a POST again by themselves; the client sent one.
    const arrived = (await withdrawals(sandbox)) - before;
    if (resends ? arrived < 2 : arrived !== 1) {
      const known = resends ? 'sends again by itself' : 'sends once';
      throw new Error(
        `${arrived} withdrawals arrived, where the runtime was known as one that ${known}`,
      );
    }
  },
};
