import { readFileSync } from 'node:fs';
import { CardPlatformError, type ErrorFacts, type NextStep } from '../../src/errors/base.js';
import type { ErrorCode } from '../../src/errors/error-codes.js';
import { ACCESS_TOKEN_LIFETIME_MS, CardPlatformClient } from '../../src/index.js';
import { createJournal, type JournalVerdict } from '../../src/journal/index.js';
import { createCardProxy } from '../../src/server/index.js';
import { createSessions, SessionError, type SessionsOptions } from '../../src/sessions/index.js';
import { memoryStore } from '../../src/stores/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { drawLadders } from './draw-ladder.js';
import { drawSequence, type Message } from './draw-sequence.js';
import { drawStack } from './draw-stack.js';

type Facts = Omit<ErrorFacts, 'message' | 'next'>;

/** A question about a failed call, and the step if the answer is yes. */
type Question = { text: string; next: NextStep; isTrue: (facts: Facts) => boolean };

/** Whether a code leads to a step by itself, where the outcome leads to none. */
const leadsTo = (next: NextStep) => (facts: Facts) =>
  new CardPlatformError({ message: '', code: facts.code, outcome: 'rejected' }).next === next;

const mayHaveBeenDone = ({ outcome, isRead }: Facts) => outcome === 'unknown' && isRead !== true;

/** The questions in the order in which they are asked. The first yes decides. */
const QUESTIONS: readonly Question[] = [
  {
    text: 'It can do no harm to call again, and may help: isRetryable',
    next: 'retry',
    isTrue: ({ isRetryable }) => isRetryable === true,
  },
  {
    text: 'It was done: outcome is executed, and the call is no read',
    next: 'done',
    isTrue: ({ outcome, isRead }) => outcome === 'executed' && isRead !== true,
  },
  {
    text: 'It may have been done: outcome is unknown, and the call is neither a read nor a login',
    next: 'look_up',
    isTrue: (facts) => mayHaveBeenDone(facts) && facts.isLogin !== true,
  },
  {
    text: 'A login whose outcome is unknown, a refused token or an ended session, but no HTML page',
    next: 'log_in',
    isTrue: (facts) =>
      mayHaveBeenDone(facts) || (facts.isPage !== true && leadsTo('log_in')(facts)),
  },
  {
    text: 'A wrong key, a missing permission, an unreadable response or an HTML page',
    next: 'contact',
    isTrue: (facts) => facts.isPage === true || leadsTo('contact')(facts),
  },
];

const OTHERWISE: NextStep = 'show_user';

/** The step that the picture leads to. */
export function stepInPicture(facts: Facts): NextStep {
  return QUESTIONS.find(({ isTrue }) => isTrue(facts))?.next ?? OTHERWISE;
}

/** Draws how `error.next` follows from the facts of a failed call. */
function nextStepDiagram(codes: readonly ErrorCode[]): string {
  const namesOf = (next: NextStep) =>
    codes.filter((code) => leadsTo(next)({ code, outcome: 'rejected' }));
  const rungs = QUESTIONS.map(({ text, next }) => ({ text, to: next }));
  const title = `From the facts of a failed call to error.next. log_in after the codes ${namesOf('log_in').join(', ')}; contact after ${namesOf('contact').join(', ')}`;
  return drawLadders(title, [{ start: 'A call failed', rungs, end: `Otherwise: ${OTHERWISE}` }]);
}

const ROOT = new URL('../../', import.meta.url);
const STARTS_AT = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

/** Draws the questions for every code of the catalogue. */
export function decisionDiagram(): string {
  const catalogue = readFileSync(new URL('docs/reference/error-catalogue.md', ROOT), 'utf8');
  const codes = [...catalogue.matchAll(/^### (\w+)$/gm)].map(([, code]) => code as ErrorCode);
  return nextStepDiagram(codes);
}

const SOME_ID = '00000000-0000-4000-8000-000000000000';

/** Makes calls through a proxy and from a server, and draws which credentials each hop carried. */
export async function keysDiagram(): Promise<string> {
  const mock = createMockPlatform({ startsAt: STARTS_AT });
  const ada = mock.users.add({ card: 'ACTIVE' });
  const server = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
  });
  const accessToken = mock.accessTokenFor(ada);
  const secrets = { ...mock.credentials, accessToken };
  const carried = (headers: Iterable<readonly [string, string]>) =>
    [...headers]
      .filter(([, value]) => Object.values(secrets).some((secret) => value.includes(secret)))
      .map(([name]) => name)
      .sort();
  const proxy = createCardProxy({
    client: server,
    basePath: '/api',
    session: async () => ({ accessToken }),
  });
  let ofPage: string[] = [];
  const page = new CardPlatformClient({
    baseUrl: 'https://app.example/api',
    throughProxy: true,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.headers.set('sec-fetch-site', 'same-origin');
      ofPage = carried(request.headers);
      return proxy(request);
    },
  });
  await page.card.status();
  if (ofPage.length > 0) throw new Error(`the page sent ${ofPage.join(', ')}`);
  await server.withAccessToken(accessToken).orders.listProducts();
  await server.consent.getSet({ id: SOME_ID }).safe();
  const sent = mock.requests.flatMap(({ headers }) => carried(Object.entries(headers)));
  const headers = [...new Set(sent)].sort();
  return drawStack(
    'Who holds which key',
    [
      {
        name: 'Web page',
        lines: ['a session cookie, which no script can read', 'no key, no access token'],
      },
      {
        name: 'Your server: the proxy',
        lines: [
          'client key, client id, secret key',
          'the access token of each session',
          'the signing keys of webhooks',
        ],
      },
      {
        name: 'Service',
        lines: [
          ...headers.map((name) => `checks ${name}`),
          'signs events with the key of the webhook',
        ],
      },
    ],
    ['the call, with the cookie', 'the call, with the keys that it needs'],
  );
}

const ADVICE: Readonly<Record<JournalVerdict, string>> = {
  executed: 'do not send it again',
  not_executed: 'it is safe to send it again',
  undecided: 'let a person decide',
};

/** Loses a withdrawal in both ways, and draws how the journal finds out what happened. */
export async function lostWithdrawalDiagram(): Promise<string> {
  const messages: Message[] = [];
  const add = (to: string, text: string) => {
    const last = messages.at(-1);
    if (last?.to !== to || last.text !== text) messages.push({ to, text });
  };
  for (const fault of ['before-processing', 'after-processing'] as const) {
    const mock = createMockPlatform({ startsAt: STARTS_AT });
    const ada = mock.users.add({ externalWallets: [{}] });
    const store = memoryStore();
    let isShown = false;
    let isStored = false;
    const journal = createJournal({
      store: {
        ...store,
        get: (key) => store.get(key),
        delete: (key) => store.delete(key),
        set: (key, value) => store.set(key, value),
        update: (key, change) => {
          if (isShown && !isStored) add('journal', 'the request is written down');
          isStored = true;
          return store.update(key, change);
        },
      },
      hasAllRequests: true,
    });
    const client = mock.clientFor(ada, {
      journal,
      fetch: async (input, init) => {
        const { pathname } = new URL(input);
        if (isShown) add('service', `${init?.method ?? 'GET'} ${pathname}`);
        return mock.fetch(input, init);
      },
    });
    await client.wallets.credit.get();
    mock.advance('1 hour');
    await client.wallets.credit.get();
    isShown = fault === 'before-processing';
    mock.drop('wallets.credit.withdraw', fault);
    const { error } = await client.wallets.credit.withdraw({ amount: '5' }).safe();
    if (isShown) add('app', `no response: ${error?.outcome}`);
    isShown = true;
    isStored = true;
    add('', fault === 'after-processing' ? 'If the service had acted:' : 'If it never arrived:');
    for (let isOpen = true; isOpen; ) {
      const [entry] = await client.journal.pending();
      if (entry === undefined) throw new Error('the journal has no entry');
      const { verdict, lookAgainAt } = await client.journal.reconcile(entry);
      const wait = lookAgainAt === undefined ? undefined : Date.parse(lookAgainAt) - mock.now;
      isOpen = verdict === 'undecided' && wait !== undefined;
      const minutes = Math.ceil((wait ?? 0) / MINUTE_MS);
      add('app', isOpen ? `${verdict}: look again in ${minutes} minutes` : verdict);
      if (isOpen) mock.advance(`${minutes} minutes`);
      else add('app', ADVICE[verdict]);
    }
  }
  const title = 'A lost withdrawal, and how the journal finds out what happened';
  return drawSequence(title, ['app', 'journal', 'service'], messages);
}

/** How long after a login its token is about to expire, so that it is renewed, and when it has expired. */
const SOON_MS = ACCESS_TOKEN_LIFETIME_MS - MINUTE_MS;

type Scene = Awaited<ReturnType<typeof signedIn>>;
type Renew = (scene: { platform: CardPlatformClient; login: Login }) => SessionsOptions['renew'];
type Login = { email: string; password: string };
type Way = { text: string; renew?: Renew; run: (scene: Scene) => unknown };

/** Logs a user in. */
async function signedIn(renew?: Renew) {
  const mock = createMockPlatform({ startsAt: STARTS_AT });
  const { email, password } = mock.users.add({ email: 'ada@example.com', card: 'ACTIVE' });
  const login = { email, password };
  const platform = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    clock: mock.clock,
  });
  const sessions = createSessions({
    store: memoryStore(),
    clock: mock.clock,
    renew: renew?.({ platform, login }),
  });
  const signIn = async () => {
    const tokens = await platform.auth.login(login);
    if (tokens.phase) throw new Error('the user has not finished onboarding');
    return sessions.signIn({ ...tokens, refreshToken: 'once' }, { region: 'global' });
  };
  const session = await signIn();
  const userClient = platform.withAccessToken(session.accessToken);
  return { mock, platform, sessions, session, signIn, call: () => userClient.card.status() };
}

const byLogin: Renew =
  ({ platform, login }) =>
  async () => {
    const tokens = await platform.auth.login(login);
    return tokens.phase ? undefined : tokens;
  };

/** Everything that can happen to a session. */
const WAYS: readonly Way[] = [
  {
    text: 'the token expires soon: renew returns another one',
    renew: byLogin,
    run: ({ mock, call }) => {
      mock.advance(SOON_MS);
      return call();
    },
  },
  {
    text: 'six hours pass, and there is no renew',
    run: ({ mock, call }) => {
      mock.advance(ACCESS_TOKEN_LIFETIME_MS);
      return call();
    },
  },
  {
    text: 'the service refuses the token, and there is no renew',
    run: ({ mock, call }) => {
      mock.fail('card.status', 401);
      return call();
    },
  },
  {
    text: 'the service refuses to renew',
    renew: byLogin,
    run: ({ mock, call }) => {
      mock.advance(SOON_MS);
      mock.fail('auth.login', 401);
      return call();
    },
  },
  {
    text: 'a refresh token was sent, and its response was lost',
    renew: (scene) => async (session) => {
      await session.takeRefreshToken();
      return byLogin(scene)?.(session);
    },
    run: async ({ mock, call }) => {
      mock.advance(SOON_MS);
      mock.drop('auth.login', 'after-processing');
      await call();
      mock.advance(MINUTE_MS);
      return call();
    },
  },
  {
    text: 'somebody else logs in, here or in another tab',
    run: async ({ signIn, call }) => {
      await signIn();
      return call();
    },
  },
  { text: 'the user logs out: signOut', run: ({ sessions }) => sessions.signOut() },
];

/** How a session is after something has happened: still there, or why it has ended. */
async function stateAfter({ renew, run }: Way): Promise<string> {
  const scene = await signedIn(renew);
  const error: unknown = await Promise.resolve(run(scene)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const snapshot = scene.sessions.getSnapshot();
  if (error instanceof SessionError && error.reason !== undefined) return error.reason;
  if (snapshot.status === 'signed_out') return snapshot.reason ?? 'none';
  if (error !== undefined) throw error;
  return snapshot.status;
}

/** Lets everything happen to a session that can, and draws how it ends. */
export async function sessionDiagram(): Promise<string> {
  const rungs = [];
  for (const way of WAYS) rungs.push({ text: way.text, to: await stateAfter(way) });
  return drawLadders('The life of a session, and the reason with which it ends', [
    { start: 'auth.login, signIn: signed_in', rungs },
  ]);
}
