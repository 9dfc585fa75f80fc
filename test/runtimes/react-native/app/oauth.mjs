// A login whose session is refreshed, in a runtime without WebCrypto.
import { CardPlatformClient } from 'card-platform-sdk';
import { createPkce, createState, renewOAuth, startOAuthLogin } from 'card-platform-sdk/observed';
import { createSessions } from 'card-platform-sdk/sessions';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { expectSame, failureOf } from '../../suite/expect.mjs';
import { asyncStorage, storeOf } from './stores.mjs';

/** The random bytes of RFC 7636, appendix B, and the values derived from them. */
const RFC_7636 = {
  bytes: [
    116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77,
    105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
  ],
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

/** Stands for `getRandomBytesAsync` of expo-crypto. */
const randomBytes = async (length) => Uint8Array.from(RFC_7636.bytes.slice(0, length));

function setUp() {
  const mock = createMockPlatform({ observed: true, startsAt: Date.now() });
  const user = mock.users.add({ card: 'ACTIVE', email: 'ada@example.com', password: 'pass' });
  const { baseUrl, fetch } = mock;
  const { clientKey } = mock.credentials;
  const client = new CardPlatformClient({ baseUrl, fetch, clientKey });
  return {
    mock,
    user,
    client,
    login: { clientId: clientKey, redirectUri: 'app.example:/signed-in' },
  };
}

/** Checks of PKCE and of a session with refresh tokens. */
export const oauth = {
  'verifier and challenge are those of RFC 7636': async () => {
    const { verifier, challenge } = await createPkce({ randomBytes });
    expectSame([verifier, challenge], [RFC_7636.verifier, RFC_7636.challenge]);
  },

  'without a source of random bytes nothing is sent': async () => {
    const { mock, client, login } = setUp();
    for (const start of [createPkce, createState, () => startOAuthLogin(client, login)]) {
      const { name, option, message } = await failureOf(start());
      expectSame([name, option], ['ConfigurationError', 'randomBytes'], message);
      expectSame(message.includes('expo-crypto'), true, 'names a source');
    }
    expectSame(mock.requests.length, 0, 'requests');
  },

  'a login is refreshed, after a check of the connection': async () => {
    const { mock, user, client, login } = setUp();
    const started = await startOAuthLogin(client, { ...login, randomBytes });
    const tokens = await started.finish(
      await client.auth.login({ email: user.email, password: 'pass' }),
    );
    expectSame(JSON.stringify(tokens).includes(tokens.accessToken), false, 'shows a token');
    const store = storeOf(asyncStorage());
    const sessions = createSessions({ store, renew: renewOAuth(client) });
    const { accessToken, refreshToken, userId, kind } = tokens;
    const session = await sessions.signIn(
      { accessToken, refreshToken, userId, kind, expiresIn: 1 },
      { region: 'global' },
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    const own = client.withAccessToken(session.accessToken);
    expectSame((await own.card.status()).status, 'ACTIVE');
    expectSame(
      Array.from(mock.requests, ({ path }) => path).slice(-3),
      ['/v1/auth/settings', '/v1/auth/oauth/token', '/v1/card/status'],
      'requests',
    );
  },
};
