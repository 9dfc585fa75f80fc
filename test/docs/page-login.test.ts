import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type CardPlatformClient, type ClientOptions, outcomeOf } from '../../src/index.js';
import { createJournal } from '../../src/journal/index.js';
import { createErrorResponse } from '../../src/server/index.js';
import { BASE_PATH, mockProxy, ORIGIN, OWN_PAGE } from '../server/support.js';
import { rejection } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import { blocksOf } from './blocks.js';
import { runBlock } from './run-block.js';

type LogIn = (
  options: ClientOptions,
  store: MapStore,
  login: { email: string; password: string },
) => Promise<CardPlatformClient>;

const PAGE = readFileSync(new URL('../../docs/server/server.md', import.meta.url), 'utf8');

/** The login of the guide, in a page whose server has a route of its own beside the proxy. */
async function setUp() {
  const block = blocksOf('server.md', PAGE).find(({ code }) => code.includes('function logIn('));
  if (block === undefined) throw new Error('the page has no logIn');
  const { logIn } = (await runBlock(block, { names: {} })) as { logIn: LogIn };
  const { mock, user, proxy, client } = mockProxy();
  const session = async (request: Request) => {
    try {
      const { userId } = await client.auth.login(await request.json());
      return Response.json({ userId });
    } catch (error) {
      return createErrorResponse(error);
    }
  };
  const options: ClientOptions = {
    baseUrl: `${ORIGIN}${BASE_PATH}`,
    throughProxy: true,
    fetch: (url, init) => {
      const request = new Request(url, {
        ...init,
        headers: { ...Object(init.headers), ...OWN_PAGE },
      });
      return request.url.endsWith('/session') ? session(request) : proxy(request);
    },
  };
  const { email, password } = user;
  return { mock, user, options, logIn, login: { email, password }, store: new MapStore() };
}

it('the page of the guide logs in, and its journal knows the user from then on', async () => {
  const { mock, user, options, logIn, login, store } = await setUp();
  const page = await logIn(options, store, login);
  mock.drop('card.order', 'after-processing');
  mock.users.get(user.id).card = null;
  expect(outcomeOf(await rejection(page.card.order({ type: 'VIRTUAL' })))).toBe('unknown');
  expect(await page.journal.pending()).toMatchObject([{ operation: 'card.order', user: user.id }]);
});

it('a lost login of the page leaves no entry, which nobody could look up', async () => {
  const { mock, options, logIn, login, store } = await setUp();
  mock.drop('auth.login', 'after-processing');
  const error = await rejection(logIn(options, store, login));
  expect(error).toMatchObject({ outcome: 'unknown', next: 'log_in' });
  const page = await logIn(options, store, login);
  expect(await page.journal.pending()).toEqual([]);
});

it('a client with a journal of a user who is not known yet could not log in', async () => {
  const { options, logIn, login, store } = await setUp();
  const journal = createJournal({ store, user: () => undefined });
  const error = await rejection(logIn({ ...options, journal }, store, login));
  expect(error).toMatchObject({ option: 'journal.user', outcome: 'not_sent' });
});
