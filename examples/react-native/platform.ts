import { CardPlatformClient, type LoginResult, OtpRequiredError } from 'card-platform-sdk';
import { createQueries } from 'card-platform-sdk/query';
import { createSessions, type Session } from 'card-platform-sdk/sessions';
import { singleProcessStore } from 'card-platform-sdk/stores';
import * as SecureStore from 'expo-secure-store';

// Whoever has the app can read these. A secret key must never be here; the client refuses it.
const client = new CardPlatformClient({
  baseUrl: 'https://api.example.com',
  clientKey: 'your-client-key',
  clientId: 'your-client-id',
});

/** Readable only while the phone is unlocked, and not part of backups. */
const OPTIONS = { keychainAccessible: SecureStore.WHEN_UNLOCKED_THIS_DEVICE_ONLY };

/** The keychain of the phone. */
export const keychain = singleProcessStore({
  get: (key) => SecureStore.getItemAsync(key, OPTIONS),
  set: (key, value) => SecureStore.setItemAsync(key, value, OPTIONS),
  delete: (key) => SecureStore.deleteItemAsync(key, OPTIONS),
});

export const sessions = createSessions({ store: keychain });

/** Logs in, with a one-time password if the service asks for one, and stores the session. */
export async function logIn(
  email: string,
  password: string,
  askForCode: () => Promise<string>,
): Promise<void> {
  const login = await openSession(email, password, askForCode);
  if (login.phase) throw new Error(`Finish onboarding first: ${login.phase}`);
  await sessions.signIn(login, { region: 'global' });
}

async function openSession(
  email: string,
  password: string,
  askForCode: () => Promise<string>,
): Promise<LoginResult> {
  try {
    return await client.auth.login({ email, password });
  } catch (error) {
    if (!(error instanceof OtpRequiredError)) throw error;
    await client.auth.sendLoginOtp(error.otpRequest);
    return client.auth.login({ email, password, otpCode: await askForCode() });
  }
}

/** Creates the objects that the screens need for a signed-in user. */
export function createUser({ accessToken, userId, region }: Session) {
  if (userId === undefined) throw new Error('The login returned no user id.');
  const userClient = client.withAccessToken(accessToken);
  const queries = createQueries({ client: userClient, user: userId, region });
  return { client: userClient, userId, queries };
}

export type User = ReturnType<typeof createUser>;
