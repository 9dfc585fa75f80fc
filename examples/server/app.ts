import {
  AuthenticationError,
  CardPlatformClient,
  type ClientOptions,
  isCardPlatformError,
  OtpRequiredError,
  REQUIRED_CONSENTS,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from 'card-platform-sdk';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import type { CookieOptions } from 'hono/utils/cookie';
import { errorResponseFor } from './error-responses.js';
import { type Session, Sessions } from './sessions.js';

/** Options of the server. Keys come from your secret store and stay in this process. */
export type ServerOptions = {
  platform: ClientOptions;
  tenantId: string;
  /** Accepted signing keys. While a key is being replaced, deliveries that fit none get 503. */
  webhookKeys: () => { accepted: string[]; isChanging: boolean };
  /** Called once for each event. */
  onEvent: (event: WebhookEvent) => void;
};

const COOKIE = 'session';
const COOKIE_OPTIONS = {
  prefix: 'host',
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'Strict',
} satisfies CookieOptions;

/** Creates the server between a front end and the platform. */
export function createApp({ platform: options, tenantId, webhookKeys, onEvent }: ServerOptions) {
  const client = new CardPlatformClient(options);
  const sessions = new Sessions();
  // In production, use a unique column in the table that stores the events.
  const seenEvents = new Set<string>();
  const app = new Hono();

  const idOf = (c: Context) => getCookie(c, COOKIE, 'host');
  const sessionOf = (c: Context) => sessions.read(idOf(c));

  function beginSession(c: Context, session: Session): void {
    sessions.end(idOf(c));
    setCookie(c, COOKIE, sessions.begin(session), COOKIE_OPTIONS);
  }

  function endSession(c: Context): void {
    sessions.end(idOf(c));
    deleteCookie(c, COOKIE, COOKIE_OPTIONS);
  }

  /** Returns the client of the current user, or `undefined` without a session. */
  function userOf(c: Context): CardPlatformClient | undefined {
    const accessToken = sessionOf(c)?.accessToken;
    return accessToken === undefined ? undefined : client.withAccessToken(accessToken);
  }

  const notLoggedIn = (c: Context) => c.json({ error: 'not_logged_in', outcome: 'not_sent' }, 401);

  app.use(bodyLimit({ maxSize: 64 * 1024 }));
  app.use('/api/*', csrf());
  app.use('/api/*', async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
  });

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    if (!isCardPlatformError(error)) {
      console.error('unexpected error', error);
      return c.json({ error: 'internal' }, 500);
    }
    // The access token has expired. Logins carry no token, so a 401 there does not end a session.
    if (error instanceof AuthenticationError && !error.operation?.startsWith('auth.')) {
      endSession(c);
    }
    const { status, headers, body } = errorResponseFor(error);
    console.error('platform call failed', error.toJSON());
    return c.json(body, status, headers);
  });

  /** Records the consents of a person who is not a user yet, with the secret key. */
  app.post('/api/consents', async (c) => {
    const { onboardingId, agreed } = await fieldsOf(c);
    const granted = new Set(Array.isArray(agreed) ? agreed : []);
    const { consentSetId } = await client.consent.createOnboarding({
      onboardingId: String(onboardingId ?? ''),
      tenantId,
      policyType: 'global',
      consents: REQUIRED_CONSENTS.global.map((consentType) => ({
        consentType,
        consentStatus: granted.has(consentType) ? 'granted' : 'denied',
      })),
    });
    beginSession(c, { consentSetId });
    return c.json({ recorded: true }, 201);
  });

  /** The password is never stored: the page sends it again with the code. */
  app.post('/api/login', async (c) => {
    const { email, password, otpCode } = await fieldsOf(c);
    const login = { email: String(email ?? ''), password: String(password ?? '') };
    const code = typeof otpCode === 'string' ? { otpCode } : {};
    const { data, error } = await client.auth.login({ ...login, ...code }).safe();
    if (error instanceof OtpRequiredError) return askForCode(c, error, 'otpCode' in code);
    if (error !== undefined) throw error;
    if (data.phase) return c.json({ error: 'onboarding_unfinished', phase: data.phase }, 409);
    const { accessToken, userId } = data;
    const consentSetId = await linkConsents(sessionOf(c)?.consentSetId, userId);
    beginSession(c, { accessToken, consentSetId });
    return c.json({ loggedIn: true });
  });

  async function askForCode(c: Context, error: OtpRequiredError, hadCode: boolean) {
    if (hadCode) return c.json({ error: error.code, outcome: error.outcome }, 401);
    await client.auth.sendLoginOtp(error.otpRequest);
    return c.json({ otpRequired: true, phoneNumber: error.phoneNumber }, 202);
  }

  /** Links a consent set. Returns its id when linking failed, so that the next login tries again. */
  async function linkConsents(consentSetId?: string, userId?: string | null) {
    if (consentSetId === undefined || !userId) return consentSetId;
    const { ok, error } = await client.consent.linkUser({ consentSetId, userId }).safe();
    if (!ok) console.error('consents not linked', error.toJSON());
    return ok ? undefined : consentSetId;
  }

  app.post('/api/logout', (c) => {
    endSession(c);
    return c.body(null, 204);
  });

  app.get('/api/card', async (c) => {
    const userClient = userOf(c);
    if (userClient === undefined) return notLoggedIn(c);
    const { status, panLast4, type } = await userClient.card.status();
    return c.json({ status, panLast4, type });
  });

  /** Returns the URL of a short-lived image. The browser loads the image directly from the platform. */
  app.post('/api/card/image', async (c) => {
    const userClient = userOf(c);
    if (userClient === undefined) return notLoggedIn(c);
    const { imageUrl } = await userClient.card.createDetailsToken();
    return c.json({ imageUrl });
  });

  app.post('/api/card/freeze', async (c) => {
    const userClient = userOf(c);
    if (userClient === undefined) return notLoggedIn(c);
    const { ok, error } = await userClient.card.freeze().safe();
    if (!ok && error.code !== 'card_already_frozen') throw error;
    return c.json({ status: 'FROZEN' });
  });

  app.post('/hooks', async (c) => {
    const { accepted, isChanging } = webhookKeys();
    try {
      const body = await c.req.arrayBuffer();
      const event = await verifyWebhook({ body, headers: c.req.raw.headers, keys: accepted });
      if (event.eventId === undefined || !seenEvents.has(event.eventId)) onEvent(event);
      if (event.eventId !== undefined) seenEvents.add(event.eventId);
      return c.body(null, 204);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return c.body(null, isChanging ? 503 : 400);
    }
  });

  return app;
}

async function fieldsOf(c: Context): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
