import type { CardPlatformClient } from 'card-platform-sdk';
import {
  createRegistration,
  type OAuthError,
  type OAuthSessionTokens,
  observe,
  override,
  refreshOAuth,
  renewOAuth,
  startOAuth2Login,
  startOAuthLogin,
} from 'card-platform-sdk/observed';
import { createSessions } from 'card-platform-sdk/sessions';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';

// The compiler judges these functions (`npm run types`): a line below `@ts-expect-error` must not
// compile, every other line must. Nothing here is called.

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const SIGN_IN = {
  clientId: 'client-1',
  redirectUri: 'https://app.example/in',
  codeChallenge: CHALLENGE,
};

async function oauth(client: CardPlatformClient): Promise<unknown> {
  const { auth } = observe(client);
  const { token, url } = await auth.oauth.initiate({ ...SIGN_IN, state: 'a-random-text' });
  const text: string = token;
  const page: string | null | undefined = url;
  const { code, state } = await auth.oauth.authorize({ token, loginToken: 'the login' });
  const both: [string, string] = [code, state];
  const first = await auth.oauth.refresh({ refreshToken: 'r' });
  const next: string | null | undefined = first.refresh_token;
  const second = await auth.oauth2.refresh({ refreshToken: 'r' });
  const maybe: string | null | undefined = second.refresh_token;
  const link: string = auth.oauth2.authorizeUrl({ ...SIGN_IN, baseUrl: 'https://api.example.com' });
  return [
    [text, page, both, next, maybe, link],
    // @ts-expect-error a response may leave the refresh token out
    second.refresh_token.length,
    // @ts-expect-error the state is required in API mode
    auth.oauth.initiate(SIGN_IN),
    // @ts-expect-error the session of the login is required
    auth.oauth.authorize({ token }),
    // @ts-expect-error the verifier proves who started the login
    auth.oauth.exchangeCode({ code, redirectUri: SIGN_IN.redirectUri }),
    // @ts-expect-error the field has another name on the wire
    auth.oauth.refresh({ refresh_token: 'r' }),
    // @ts-expect-error there are two kinds of token
    auth.oauth2.revoke({ token, tokenHint: 'id_token' }),
    // @ts-expect-error the password is never optional
    auth.passwordReset.confirm({ token }),
    // @ts-expect-error it takes options only
    auth.logout({ refreshToken: 'r' }),
  ];
}

async function registration(client: CardPlatformClient): Promise<unknown> {
  const calls = observe(client).user.registration;
  const { contactVerificationId } = await calls.sendEmailCode({ email: 'ada@example.com' });
  const { accessToken } = await calls.submitMailingAddress({
    onboardingId: 'o',
    addressLine1: '1 Main Street',
    city: 'Springfield',
    zip: '62701',
    usState: 'IL',
  });
  const token: string | null | undefined = accessToken;
  return [
    contactVerificationId,
    token,
    // @ts-expect-error it is a secret that every step needs
    calls.get({}),
    // @ts-expect-error a mailing address is in the US
    calls.submitMailingAddress({ onboardingId: 'o', addressLine1: 'a', city: 'c', zip: 'z' }),
    // @ts-expect-error the code is text: it may begin with 0
    calls.verifyPhone({ onboardingId: 'o', verificationCode: 123_456 }),
    // @ts-expect-error a date is text
    calls.submitPersonalDetails({ onboardingId: 'o', dateOfBirth: new Date() }),
  ];
}

async function walletsAndCard(client: CardPlatformClient): Promise<unknown> {
  const { wallets, card, consent, webhooks } = observe(client);
  const reward = await wallets.reward.get();
  const { txHash } = await wallets.reward.withdraw({ amount: '1.5' });
  const { bytes, fileName } = await card.statement({
    dateFrom: '2026-01-01',
    dateTo: '2026-01-31',
  });
  const file: Uint8Array = bytes;
  const name: string | undefined = fileName;
  const found = await consent.getByOnboarding({ onboardingId: 'o' });
  return [
    [txHash, file, name],
    // @ts-expect-error there may be no reward wallet
    reward.balance,
    // @ts-expect-error there may be no consent
    found.consentSets,
    // @ts-expect-error an amount is decimal text
    wallets.reward.withdraw({ amount: 1.5 }),
    // @ts-expect-error each wallet needs its priority
    wallets.external.setPriority({ wallets: [{ id: 7 }] }),
    // @ts-expect-error a wallet has its number here
    wallets.external.setPriority({ wallets: [{ id: 'wallet-7', priority: 1 }] }),
    // @ts-expect-error a day is text
    card.statement({ dateFrom: new Date(), dateTo: '2026-01-31' }),
    // @ts-expect-error the nonce is missing
    card.provisioning.apple({ leafCertificate: 'a', intermediateCertificate: 'b' }),
    // @ts-expect-error the event is required
    webhooks.events.retry({}),
    // @ts-expect-error there is no such call
    card.freeze(),
  ];
}

async function sessions(client: CardPlatformClient, store: never): Promise<unknown> {
  const login = await startOAuthLogin(client, {
    clientId: 'client-1',
    redirectUri: 'app://in',
    randomBytes: async (length) => new Uint8Array(length),
  });
  const tokens: OAuthSessionTokens = await login.finish({ accessToken: 'a' });
  const family: 'oauth' | 'oauth2' = tokens.kind;
  const held = createSessions({ store, renew: renewOAuth(client) });
  await held.signIn(tokens, { region: 'global' });
  // @ts-expect-error a token cannot be replaced in place
  tokens.accessToken = 'b';
  // @ts-expect-error the store keeps the verifier while the page is open
  await startOAuth2Login(SIGN_IN);
  // @ts-expect-error `Math.random` is no source of secrets
  await startOAuthLogin(client, { ...SIGN_IN, randomBytes: Math.random });
  // @ts-expect-error there is no such family
  renewOAuth(client, { endpoints: { oauth3: refreshOAuth } });
  // @ts-expect-error the endpoint takes another input
  renewOAuth(client, { endpoints: { oauth: override(refreshOAuth, { input: z.object({}) }) } });
  return family;
}

async function flow(client: CardPlatformClient, store: never): Promise<unknown> {
  const progress = await createRegistration(client, { region: 'us', store }).resume();
  // @ts-expect-error only a finished registration has a token
  const early: string = progress.accessToken;
  if (progress.status === 'registered') return [early, progress.accessToken];
  if (progress.status === 'log_in') return progress.reason;
  return progress.step;
}

function overrides(client: CardPlatformClient): unknown {
  const path = override(refreshOAuth, { path: '/v2/auth/oauth/token', bodyEncoding: 'form' });
  const total = override(refreshOAuth, { output: z.object({ total: z.number() }) });
  return [
    observe(client, { endpoints: { 'auth.oauth.refresh': path } }),
    // @ts-expect-error the call returns something else
    observe(client, { endpoints: { 'auth.oauth.refresh': total } }),
    // @ts-expect-error there is no such call
    observe(client, { endpoints: { 'auth.oauth.renew': path } }),
    // @ts-expect-error the retry class is fixed
    override(refreshOAuth, { retry: 'safe' }),
    // @ts-expect-error there is no such credential
    override(refreshOAuth, { credentials: ['password'] }),
  ];
}

function errors(error: OAuthError): unknown {
  const code: `oauth_${string}` = error.code;
  const shown: string | undefined = error.redirectError;
  // @ts-expect-error no error holds a token
  return [code, shown, error.refreshToken];
}

it('types inputs and results of the observed calls, and refuses wrong ones', () => {
  const judged = [oauth, registration, walletsAndCard, sessions, flow, overrides, errors];
  expect(judged).toHaveLength(7);
});
