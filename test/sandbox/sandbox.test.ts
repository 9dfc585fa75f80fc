import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';

let sandbox: Sandbox;
let time: number;
beforeEach(async () => {
  time = Date.UTC(2026, 0, 1);
  sandbox = await startSandbox(0, 'demo', () => time);
});
afterEach(() => sandbox.stop());

/** A client of a demo user, over real HTTP. */
function clientOf(email: string): CardPlatformClient {
  const { url, platform } = sandbox;
  const accessToken = platform.accessTokenFor(platform.users.get(email));
  return new CardPlatformClient({ baseUrl: url, ...platform.credentials, accessToken });
}

const postAction = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.url}/sandbox/actions`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'application/json', ...headers },
    redirect: 'manual',
  });

/** Sends a request with another `Host` than its address, which `fetch` does not allow. */
const statusForHost = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(sandbox.url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

describe('the sandbox server', () => {
  it('responds to the client as the in-memory platform does', async () => {
    const ada = clientOf('ada@example.com');
    expect((await ada.card.status()).status).toBe('ACTIVE');
    await ada.card.freeze();
    await expect(ada.card.freeze()).rejects.toMatchObject({ code: 'card_already_frozen' });
    const history = await ada.wallets.history.toArray(
      {
        walletId: sandbox.platform.users.get('ada@example.com').creditWallet.id,
        walletType: 'CREDIT',
      },
      { limit: 100 },
    );
    expect(history).toHaveLength(24);
    const dates = history.map(({ date }) => Date.parse(String(date)));
    const hour = 60 * 60 * 1_000;
    expect(dates.map((date) => (time - date) / hour)).toEqual(
      Array.from({ length: 24 }, (_, index) => 72 + 12 * index),
    );
  });

  it('moves its clock with real time', async () => {
    const grace = clientOf('grace@example.com');
    await postAction({
      action: 'verify',
      user: sandbox.platform.users.get('grace@example.com').id,
    });
    await grace.card.order({ type: 'VIRTUAL' });
    expect((await grace.card.status()).status).toBe('PENDING');
    time += 5_000;
    expect((await grace.card.status()).status).toBe('ACTIVE');
  });

  it('breaks a connection when the drop action was posted', async () => {
    await postAction({ action: 'drop', endpoint: 'card.unfreeze' });
    const lost = clientOf('ada@example.com').card.unfreeze();
    await expect(lost).rejects.toMatchObject({ code: 'connection_failed', outcome: 'unknown' });
  });

  it('serves a card image once and responds 410 afterwards', async () => {
    const { imageUrl } = await clientOf('ada@example.com').card.createPinToken();
    const first = await fetch(imageUrl);
    expect(first.headers.get('content-type')).toBe('image/svg+xml');
    expect((await fetch(imageUrl)).status).toBe(410);
  });

  it('names the nearest endpoint in the response to an unknown one, without echoing the request body', async () => {
    const response = await fetch(`${sandbox.url}/v1/card/freezer`, {
      method: 'POST',
      body: 'secret',
    });
    expect(response.status).toBe(501);
    const text = await response.text();
    expect(text).toContain('The nearest is POST /v1/card/freeze');
    expect(text).not.toContain('secret');
  });

  it('accepts a request body of 1 MiB', async () => {
    const response = await fetch(`${sandbox.url}/v1/auth/login`, {
      method: 'POST',
      body: 'x'.repeat(1024 * 1024),
    });
    expect(response.status).toBe(499);
  });

  it('rejects a request body above 1 MiB with 413', async () => {
    const response = await fetch(`${sandbox.url}/v1/auth/login`, {
      method: 'POST',
      body: 'x'.repeat(1024 * 1024 + 1),
    }).catch(() => undefined);
    // The connection may close before the whole body was sent.
    expect(response?.status ?? 413).toBe(413);
    expect(sandbox.platform.requests).toHaveLength(0);
  });

  it('accepts a control request of 16 MiB, such as a snapshot, and none above', async () => {
    const { id } = sandbox.platform.users.get('grace@example.com');
    const input = JSON.stringify({ user: id });
    const verify = (length: number) =>
      fetch(`${sandbox.url}/sandbox/actions/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: input.padEnd(length),
      }).catch(() => undefined);
    const limit = 16 * 1024 * 1024;
    expect((await verify(limit + 1))?.status ?? 413).toBe(413);
    expect(sandbox.platform.users.get(id).verificationState).toBe('UNVERIFIED');
    expect((await verify(limit))?.status).toBe(200);
    expect(sandbox.platform.users.get(id).verificationState).toBe('VERIFIED');
  });
});

describe('the access control of the sandbox', () => {
  it('accepts requests whose Host names this machine, and no others', async () => {
    for (const host of ['127.0.0.1:4010', 'localhost:4010', '[::1]:4010', 'localhost']) {
      expect(await statusForHost(host)).toBe(200);
    }
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io:4010']) {
      expect(await statusForHost(host)).toBe(421);
    }
  });

  it.each([
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
  ])('rejects a request from a page of the origin %s', async (origin) => {
    const response = await postAction({ action: 'advance', minutes: '10' }, { origin });
    expect(response.status).toBe(403);
    expect(sandbox.platform.now).toBe(time);
  });

  it('allows a page of this machine in the CORS preflight', async () => {
    const origin = 'http://localhost:5173';
    const preflight = await fetch(`${sandbox.url}/v1/card/status`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'x-client-key' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-client-key');
  });
});

describe('the start page of the sandbox', () => {
  const page = async () => (await fetch(sandbox.url)).text();

  it('shows users, cards, wallets and the last requests', async () => {
    await clientOf('ada@example.com').card.status();
    const html = await page();
    expect(html).toContain('ada@example.com');
    expect(html).toContain('250.75');
    expect(html).toContain('GET /v1/card/status');
  });

  it('contains no script, access token or page token', async () => {
    const ada = clientOf('ada@example.com');
    await ada.card.createPinToken();
    const response = await fetch(sandbox.url);
    const html = await response.text();
    expect(html).not.toContain('<script');
    expect(html).not.toMatch(/access_[0-9a-f]{10}/);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w+/=]{24}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    const { pages } = sandbox.platform.state;
    for (const { token } of pages) expect(html).not.toContain(token);
  });

  it('escapes HTML in the e-mail address of a user', async () => {
    sandbox.platform.users.add({ email: '<img src=x onerror=alert(1)>@example.com' });
    const html = await page();
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
  });
});

describe('the actions of the sandbox', () => {
  const graceId = () => sandbox.platform.users.get('grace@example.com').id;

  it('run on a click and redirect to the start page', async () => {
    const clicked = await postAction(
      { action: 'verify', user: graceId() },
      { accept: 'text/html' },
    );
    expect(clicked.status).toBe(303);
    expect(clicked.headers.get('location')).toBe('/');
    expect((await clientOf('grace@example.com').user.get()).verificationState).toBe('VERIFIED');
  });

  it('return the new state as JSON to scripts', async () => {
    const response = await postAction({
      action: 'block',
      user: sandbox.platform.users.get('ada@example.com').id,
    });
    const state = (await response.json()) as { users: { card: { status: string } | null }[] };
    expect(state.users[0]?.card?.status).toBe('BLOCKED');
    expect(await (await fetch(`${sandbox.url}/sandbox/state`)).json()).toEqual(state);
  });

  it('fail the next call to an endpoint', async () => {
    await postAction({ action: 'fail', endpoint: 'card.status', status: '500' });
    const ada = clientOf('ada@example.com');
    const failed = await ada.card.status({ retry: false }).safe();
    expect(failed.error).toMatchObject({ status: 500 });
    expect((await ada.card.status()).status).toBe('ACTIVE');
  });

  it('pay with a card, decline a payment with a frozen card, and deposit money', async () => {
    const { id, creditWallet } = sandbox.platform.users.get('ada@example.com');
    const ada = clientOf('ada@example.com');
    await postAction({ action: 'pay', user: id, amount: '3.5', merchant: 'Bakery' });
    await ada.card.freeze();
    await postAction({ action: 'pay', user: id, amount: '3.5' });
    expect((await ada.card.transactions()).map(({ status }) => status)).toEqual([
      'DECLINED',
      'CONFIRMED',
    ]);
    await postAction({ action: 'deposit', user: id, amount: '1.25' });
    expect(creditWallet.balance).toBe('252');
  });

  it('revoke the permission of a user, and restore it', async () => {
    const { id } = sandbox.platform.users.get('ada@example.com');
    await postAction({ action: 'forbid', user: id });
    expect((await clientOf('ada@example.com').card.status().safe()).error).toMatchObject({
      status: 403,
    });
    await postAction({ action: 'permit', user: id });
    expect((await clientOf('ada@example.com').card.status()).status).toBe('ACTIVE');
  });

  it('choose what the contract leaves open, add a tenant, and deliver an event', async () => {
    await postAction({ action: 'choose', name: 'otpRequiredStatus', value: '200' });
    await postAction({ action: 'tenant', name: 'acme' });
    await clientOf('ada@example.com').webhooks.create({
      name: 'n',
      url: 'https://hooks.example.com',
      eventTypes: ['*'],
      isActive: true,
    });
    const delivered = await postAction({ action: 'deliver', type: 'card.activated' });
    expect(delivered.status).toBe(200);
    const state = await delivered.json();
    expect(state).toMatchObject({
      choices: { otpRequiredStatus: 200 },
      tenants: ['mock-tenant', 'acme'],
      deliveries: [{ eventType: 'card.activated', attemptNumber: 1, status: null }],
    });
    expect(JSON.stringify(state)).not.toContain('whk_');
  });

  it.each([
    { action: 'pay', amount: '-1' },
    { action: 'deposit', amount: 'much' },
    { action: 'choose', name: 'otpRequiredStatus', value: '403' },
    { action: 'choose', name: 'constructor', value: '' },
    { action: 'tenant', name: '' },
    { action: 'tenant', name: 'mock-tenant' },
    { action: 'deliver', type: '' },
    { action: 'explode' },
    { action: 'constructor' },
    { action: 'verify', user: 'nobody' },
    { action: 'provision', user: 'grace@example.com' },
    { action: 'fail', endpoint: 'card.melt', status: '500' },
    { action: 'fail', endpoint: 'card.status', status: '200' },
    { action: 'advance', minutes: '-1' },
    { action: 'advance', minutes: 'soon' },
  ])('are rejected with a message when invalid: %j', async (fields) => {
    const { id: user } = sandbox.platform.users.get('ada@example.com');
    const response = await postAction({ user, ...(fields as Record<string, string>) });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error.length).toBeGreaterThan(5);
  });
});

it('a sandbox that cannot start leaves its port free', async () => {
  const port = Number(new URL(sandbox.url).port);
  await sandbox.stop();
  const wrong = [{ publicUrl: 'not a URL' }, { choices: { pendingCard: 'maybe' as 'shown' } }];
  for (const options of wrong) {
    await expect(startSandbox(port, 'demo', () => 0, options)).rejects.toThrow(TypeError);
  }
  await expect(startSandbox(port, { users: [{ id: 1 }] }, () => 0)).rejects.toThrow('users[0].id');
  sandbox = await startSandbox(port, 'demo', () => 0);
});
