import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { blocksOf } from './blocks.js';
import { runBlock } from './run-block.js';

type LoginRoute = (
  client: CardPlatformClient,
  request: Request,
  keepSession: (accessToken: string) => string,
) => Promise<Response>;

const PAGE = readFileSync(new URL('../../docs/users/login.md', import.meta.url), 'utf8');

/** The route of the guide, called as a page calls it. */
async function setUp() {
  const block = blocksOf('login.md', PAGE).find(({ code }) => code.includes('loginRoute('));
  if (block === undefined) throw new Error('the page has no loginRoute');
  const { loginRoute } = (await runBlock(block, { names: {} })) as { loginRoute: LoginRoute };
  const mock = createMockPlatform();
  const { baseUrl, fetch, clock, credentials } = mock;
  const client = new CardPlatformClient({ baseUrl, fetch, clock, ...credentials });
  const tokens: string[] = [];
  const post = async (body: object) => {
    const request = new Request('https://app.example.com/login', {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const response = await loginRoute(client, request, (token) => {
      tokens.push(token);
      return 'session=1; HttpOnly; SameSite=Strict';
    });
    const text = await response.text();
    for (const token of tokens) expect(text).not.toContain(token);
    return { status: response.status, body: JSON.parse(text), headers: response.headers };
  };
  return { mock, post, tokens };
}

it('the login route of the guide asks for a code, refuses a wrong one, and keeps the token', async () => {
  const { mock, post, tokens } = await setUp();
  const ada = mock.users.add({ otpEnabled: true });
  const login = { email: ada.email, password: ada.password };
  expect((await post(login)).body).toMatchObject({ next: 'enter_code' });
  expect(tokens).toEqual([]);
  const wrong = await post({ ...login, otpCode: '000000' });
  expect(wrong).toMatchObject({
    status: 400,
    body: { cardPlatformError: { code: 'invalid_otp' } },
  });
  const done = await post({ ...login, otpCode: mock.otpFor(ada) });
  expect(done.body).toEqual({ next: 'done', userId: ada.id });
  expect(done.headers.get('set-cookie')).toContain('HttpOnly');
  expect(tokens).toHaveLength(1);
});

it('the login route of the guide tells the page why a login was refused', async () => {
  const { mock, post } = await setUp();
  const ada = mock.users.add();
  expect(await post({ email: ada.email, password: 'guess' })).toMatchObject({
    body: { cardPlatformError: { code: 'invalid_credentials' } },
  });
  ada.phase = 'PHONE_NUMBER';
  expect((await post({ email: ada.email, password: ada.password })).body).toEqual({
    next: 'onboarding',
    phase: 'PHONE_NUMBER',
  });
});
