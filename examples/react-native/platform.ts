import { CardPlatformClient, type LoginResult, OtpRequiredError } from 'card-platform-sdk';
import * as SecureStore from 'expo-secure-store';

// Whoever has the app can read these. A secret key must never be here; the client refuses it.
export const platform = new CardPlatformClient({
  baseUrl: 'https://api.example.com',
  clientKey: 'your-client-key',
  clientId: 'your-client-id',
});

const KEY = 'session';
/** Not in backups, and only while the phone is unlocked. */
const OPTIONS = { keychainAccessible: SecureStore.WHEN_UNLOCKED_THIS_DEVICE_ONLY };

/** Returns a client of the user whose session is stored, or `undefined` without one. */
export async function restoreUser(): Promise<CardPlatformClient | undefined> {
  const accessToken = await SecureStore.getItemAsync(KEY, OPTIONS);
  return accessToken === null ? undefined : platform.withAccessToken(accessToken);
}

/** Logs in, with a one-time password where the service asks for one, and stores the session. */
export async function logIn(
  email: string,
  password: string,
  askForCode: () => Promise<string>,
): Promise<CardPlatformClient> {
  const session = await openSession(email, password, askForCode);
  if (session.phase) throw new Error(`Finish onboarding first: ${session.phase}`);
  await SecureStore.setItemAsync(KEY, session.accessToken, OPTIONS);
  return platform.withAccessToken(session.accessToken);
}

async function openSession(
  email: string,
  password: string,
  askForCode: () => Promise<string>,
): Promise<LoginResult> {
  try {
    return await platform.auth.login({ email, password });
  } catch (error) {
    if (!(error instanceof OtpRequiredError)) throw error;
    await platform.auth.sendLoginOtp(error.otpRequest);
    return platform.auth.login({ email, password, otpCode: await askForCode() });
  }
}

/** Forgets the session on this phone. */
export const forgetUser = () => SecureStore.deleteItemAsync(KEY, OPTIONS);
