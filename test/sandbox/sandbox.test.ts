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

const act = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.url}/sandbox/actions`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'application/json', ...headers },
    redirect: 'manual',
  });

/** A request whose `Host` is not its address, which `fetch` does not allow. */
const statusFor = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(sandbox.url, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });

describe('over HTTP, the platform', () => {
  it('answers the client as it does without a server', async () => {
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
  });

  it('lives in real time', async () => {
    const grace = clientOf('grace@example.com');
    await act({ action: 'verify', user: sandbox.platform.users.get('grace@example.com').id });
    await grace.card.order({ type: 'VIRTUAL' });
    expect((await grace.card.status()).status).toBe('PENDING');
    time += 5_000;
    expect((await grace.card.status()).status).toBe('ACTIVE');
  });

  it('breaks connections on demand', async () => {
    await act({ action: 'drop', endpoint: 'card.unfreeze' });
    const lost = clientOf('ada@example.com').card.unfreeze();
    await expect(lost).rejects.toMatchObject({ code: 'connection_failed', outcome: 'unknown' });
  });

  it('shows its pages to a browser', async () => {
    const { imageUrl } = await clientOf('ada@example.com').card.createPinToken();
    const first = await fetch(imageUrl);
    expect(first.headers.get('content-type')).toBe('image/svg+xml');
    expect((await fetch(imageUrl)).status).toBe(410);
  });

  it('names the nearest endpoint of a request that has none, and not its body', async () => {
    const answer = await fetch(`${sandbox.url}/v1/card/freezer`, {
      method: 'POST',
      body: 'secret',
    });
    expect(answer.status).toBe(501);
    const text = await answer.text();
    expect(text).toContain('The nearest is POST /v1/card/freeze');
    expect(text).not.toContain('secret');
  });

  it('takes no body without an end', async () => {
    const answer = await fetch(`${sandbox.url}/v1/auth/login`, {
      method: 'POST',
      body: 'x'.repeat(1024 * 1024 + 1),
    }).catch(() => undefined);
    // The connection may close before the whole body was sent.
    expect(answer?.status ?? 413).toBe(413);
    expect(sandbox.platform.requests).toHaveLength(0);
  });
});

describe('who may use it', () => {
  it('is whoever means this machine', async () => {
    for (const host of ['127.0.0.1:4010', 'localhost:4010', '[::1]:4010', 'localhost']) {
      expect(await statusFor(host)).toBe(200);
    }
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io:4010']) {
      expect(await statusFor(host)).toBe(421);
    }
  });

  it.each([
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
  ])('is no page from %s', async (origin) => {
    const answer = await act({ action: 'advance', minutes: '10' }, { origin });
    expect(answer.status).toBe(403);
    expect(sandbox.platform.now).toBe(time);
  });

  it('is a page of this machine, whose browser asks first', async () => {
    const origin = 'http://localhost:5173';
    const asked = await fetch(`${sandbox.url}/v1/card/status`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'x-client-key' },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-headers')).toContain('x-client-key');
  });
});

describe('the start page', () => {
  const page = async () => (await fetch(sandbox.url)).text();

  it('shows users, cards, wallets and the last requests', async () => {
    await clientOf('ada@example.com').card.status();
    const html = await page();
    expect(html).toContain('ada@example.com');
    expect(html).toContain('250.75');
    expect(html).toContain('GET /v1/card/status');
  });

  it('has no script, and no secret of a user', async () => {
    const ada = clientOf('ada@example.com');
    await ada.card.createPinToken();
    const answer = await fetch(sandbox.url);
    const html = await answer.text();
    expect(html).not.toContain('<script');
    expect(html).not.toMatch(/access_[0-9a-f]{10}/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const { pages } = sandbox.platform.state;
    for (const { token } of pages) expect(html).not.toContain(token);
  });

  it('shows what users are called, and nothing more of it', async () => {
    sandbox.platform.users.add({ email: '<img src=x onerror=alert(1)>@example.com' });
    const html = await page();
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
  });
});

describe('what the platform does by itself', () => {
  const graceId = () => sandbox.platform.users.get('grace@example.com').id;

  it('is done on a click, which leads back', async () => {
    const clicked = await act({ action: 'verify', user: graceId() }, { accept: 'text/html' });
    expect(clicked.status).toBe(303);
    expect(clicked.headers.get('location')).toBe('/');
    expect((await clientOf('grace@example.com').user.get()).verificationState).toBe('VERIFIED');
  });

  it('is told to scripts as JSON', async () => {
    const answer = await act({
      action: 'block',
      user: sandbox.platform.users.get('ada@example.com').id,
    });
    const state = (await answer.json()) as { users: { card: { status: string } | null }[] };
    expect(state.users[0]?.card?.status).toBe('BLOCKED');
    expect(await (await fetch(`${sandbox.url}/sandbox/state`)).json()).toEqual(state);
  });

  it('is a failure of the next call', async () => {
    await act({ action: 'fail', endpoint: 'card.status', status: '500' });
    const ada = clientOf('ada@example.com');
    const failed = await ada.card.status({ retry: false }).safe();
    expect(failed.error).toMatchObject({ status: 500 });
    expect((await ada.card.status()).status).toBe('ACTIVE');
  });

  it.each([
    { action: 'explode' },
    { action: 'constructor' },
    { action: 'verify', user: 'nobody' },
    { action: 'provision', user: 'grace@example.com' },
    { action: 'fail', endpoint: 'card.melt', status: '500' },
    { action: 'fail', endpoint: 'card.status', status: '200' },
    { action: 'advance', minutes: '-1' },
    { action: 'advance', minutes: 'soon' },
  ])('is refused with a reason: %j', async (fields) => {
    const answer = await act(fields as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: string }).error.length).toBeGreaterThan(5);
  });
});
