import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { pageUrl } from '../observed/support.js';

let sandbox: Sandbox;
beforeAll(async () => {
  const now = () => Date.UTC(2026, 0, 1);
  sandbox = await startSandbox(0, 'demo', now, { observed: true });
});
afterAll(() => sandbox.stop());

const headers = () => ({
  'content-type': 'application/json',
  'x-client-key': sandbox.platform.credentials.clientKey,
});

const post = (path: string, body: unknown) =>
  fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify(body),
  });

it('the sandbox shows the codes that it sent, in its state and on its page', async () => {
  await post('/v1/auth/register/email/send', { email: '"<b>new</b>"@example.com' });
  const state = await (await fetch(`${sandbox.url}/sandbox/state`)).json();
  expect(state.messages).toEqual([
    {
      channel: 'email',
      to: '"<b>new</b>"@example.com',
      purpose: 'registration',
      code: expect.stringMatching(/^\d{6}$/),
      sentAt: '2026-01-01T00:00:00.000Z',
    },
  ]);
  const page = await (await fetch(sandbox.url)).text();
  expect(page).toContain(state.messages[0].code);
  expect(page).not.toContain('<b>new</b>');
});

it('the sandbox serves the page on which a user signs in', async () => {
  const url = pageUrl(sandbox.platform);
  const page = await fetch(url);
  expect(page.headers.get('content-type')).toContain('text/html');
  const form = new URLSearchParams({
    email: 'alan@example.com',
    password: 'correct horse battery staple',
    action: 'allow',
  });
  const done = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  expect(done.status).toBe(303);
  expect(done.headers.get('location')).toMatch(/^https:\/\/app\.example\/callback\?code=code_/);
});

it('the sandbox describes the observed calls, on the page of the reference too', async () => {
  const document = await (await fetch(`${sandbox.url}/openapi-observed.json`)).json();
  expect(document.servers).toEqual([{ url: sandbox.url }]);
  const html = await (await fetch(`${sandbox.url}/sandbox/reference`)).text();
  for (const id of ['card.freeze', 'card.statement', 'auth.oauth.token', 'wallets.reward.get']) {
    expect(html).toContain(`id="${id}"`);
  }
  for (const [, id] of html.matchAll(/href="#([^"]+)"/g)) expect(html).toContain(`id="${id}"`);
});

it('the sandbox credits rewards and ends sessions', async () => {
  const alan = sandbox.platform.users.get('alan@example.com');
  const observed = sandbox.platform.observed;
  const { access_token } = observed.issueTokens(alan);
  const action = (name: string, body: object) => post(`/sandbox/actions/${name}`, body);
  const reward = { user: alan.email, amount: '2.50', isWithdrawable: false };
  expect((await action('creditReward', reward)).status).toBe(200);
  const read = () =>
    fetch(`${sandbox.url}/v1/wallet/reward`, {
      headers: { ...headers(), authorization: `Bearer ${access_token}` },
    });
  expect(await (await read()).json()).toMatchObject({ balance: '2.5', isWithdrawable: false });
  expect((await action('endSessions', { user: alan.email })).status).toBe(200);
  expect((await read()).status).toBe(401);
});

it('a snapshot without observed calls is restored after the first of them', async () => {
  const other = await startSandbox(0, 'empty', () => Date.UTC(2026, 0, 1), { observed: true });
  try {
    const snapshot = await (await fetch(`${other.url}/sandbox/snapshot`)).json();
    other.platform.observed.messages;
    const restored = await fetch(`${other.url}/sandbox/actions/restoreSnapshot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ snapshot }),
    });
    expect(restored.status).toBe(200);
  } finally {
    await other.stop();
  }
});

it('a sandbox without the option refuses the actions for the observed calls', async () => {
  const other = await startSandbox(0, 'demo', () => Date.UTC(2026, 0, 1));
  try {
    const response = await fetch(`${other.url}/sandbox/actions/creditReward`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'ada@example.com', amount: '1' }),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('--observed');
    expect((await fetch(`${other.url}/openapi-observed.json`)).status).toBe(501);
    const html = await (await fetch(`${other.url}/sandbox/reference`)).text();
    expect(html).not.toContain('id="card.statement"');
  } finally {
    await other.stop();
  }
});
