import { randomBytes } from 'node:crypto';
import { ACCESS_TOKEN_LIFETIME_MS, CardPlatformClient } from 'card-platform-sdk';

let client: CardPlatformClient | undefined;

/** Returns the client with the keys. Only route handlers import this file. */
export function platform(): CardPlatformClient {
  client ??= new CardPlatformClient({
    baseUrl: process.env.CARD_PLATFORM_URL ?? '',
    clientKey: process.env.CARD_PLATFORM_CLIENT_KEY,
  });
  return client;
}

type Session = { accessToken: string; expiresAt: number };

// Route handlers are built into separate files, so the state that they share is a global. In
// production, use a store that all servers share.
const shared = globalThis as { cardSessions?: Map<string, Session> };
shared.cardSessions ??= new Map();
const sessions = shared.cardSessions;

const COOKIE = 'card-session';

/** Starts a session and returns its cookie. */
export function openSession(accessToken: string): string {
  const id = randomBytes(32).toString('base64url');
  sessions.set(id, { accessToken, expiresAt: Date.now() + ACCESS_TOKEN_LIFETIME_MS });
  return `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Strict${process.env.INSECURE_COOKIES ? '' : '; Secure'}`;
}

/** Returns the session of a request. */
export function sessionOf(request: Request): { accessToken: string } | undefined {
  const cookies = request.headers.get('cookie') ?? '';
  const [, id = ''] = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(cookies) ?? [];
  const session = sessions.get(id);
  return session !== undefined && session.expiresAt > Date.now() ? session : undefined;
}
