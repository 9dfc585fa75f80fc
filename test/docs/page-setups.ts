import { CardPlatformClient, REQUIRED_CONSENTS } from 'card-platform-sdk';
import { createSessions } from 'card-platform-sdk/sessions';
import { expect, vi } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { MapStore } from '../support/map-store.js';
import {
  connectedConfig,
  evmScene,
  solanaKitScene,
  solanaScene,
  walletAdapterScene,
} from './chain-scenes.js';
import { type DocsPlatform, fastClock } from './docs-platform.js';
import { call, type PageSetup } from './page-setup.js';
import type { Exported } from './run-block.js';
import { webhooksSetup } from './webhooks-setup.js';

const OWN_WALLET = {
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  network: 'linea',
  currency: 'usdc',
  balance: '0',
  allowance: '250',
};

const LOST = [
  ['6', 'after-processing'],
  ['7', 'before-processing'],
] as const;

/** The setups of the pages that need one, by file name. */
export const PAGE_SETUPS: Readonly<
  Record<string, (docsPlatform: DocsPlatform) => PageSetup | Promise<PageSetup>>
> = {
  'README.md': ({ mock, ada }) => {
    Object.assign(ada, { otpEnabled: true });
    ada.externalWallets.push(OWN_WALLET);
    const withdrawals = () => mock.requests.matching({ operation: 'wallets.credit.withdraw' });
    const useAll = async ({ logIn, withdraw, lookUp }: Exported) => {
      const askForCode = async () => mock.otpFor(ada);
      const userClient = await call(logIn, ada.email, ada.password, askForCode);
      const { journal, wallets } = userClient as CardPlatformClient;
      /** The journal knows the service's time from the last response. */
      const passAnHour = async () => {
        mock.advance('1 hour');
        await wallets.credit.get();
      };
      await call(withdraw, userClient, '5');
      for (const [amount, fault] of LOST) {
        await passAnHour();
        mock.drop('wallets.credit.withdraw', fault);
        await call(withdraw, userClient, amount);
        mock.advance('8 minutes');
        await call(lookUp, userClient);
        expect(await journal.pending(), `a withdrawal lost ${fault}`).toEqual([]);
      }
      expect(withdrawals()).toHaveLength(3);
      await expect(call(withdraw, userClient, '1000000')).rejects.toMatchObject({
        outcome: 'rejected',
      });
    };
    return {
      modules: { 'card-platform-sdk/stores': { folderStore: () => new MapStore() } },
      use: (exported, block) => block === 2 && useAll(exported),
    };
  },

  'ten-rules.md': ({ mock, ada }) => {
    ada.externalWallets.push(OWN_WALLET);
    const withdrawals = () => mock.requests.matching({ operation: 'wallets.credit.withdraw' });
    const logInWithCode = async ({ freezeCard }: Exported) => {
      expect(await call(freezeCard, ada.email, ada.password)).toBe('frozen');
      expect(ada.card?.status).toBe('FROZEN');
      ada.otpEnabled = true;
      expect(await call(freezeCard, ada.email, ada.password)).toBe('enter the code');
      const code = mock.otpFor(ada);
      expect(await call(freezeCard, ada.email, ada.password, code)).toBe('frozen');
    };
    const loseWithdrawals = async ({ clientOf, openRequests, withdrawOnce }: Exported) => {
      const logIn = () => call(clientOf, ada.id, mock.accessTokenFor(ada));
      const first = (await logIn()) as CardPlatformClient;
      const open = ['wallets.credit.withdraw 6: undecided'];
      const [sent] = (await call(withdrawOnce, first, '5')) as string[];
      expect(sent).toMatch(/^sent: 0x/);
      // An hour later its debit explains nothing else, and the journal has read the new time.
      mock.advance('1 hour');
      await first.wallets.credit.get();
      mock.drop('wallets.credit.withdraw', 'before-processing');
      expect(await call(withdrawOnce, first, '6')).toEqual(open);
      // While it is open, another withdrawal is not sent, after a new login either.
      expect(await call(withdrawOnce, first, '7')).toEqual(open);
      const later = await logIn();
      expect(await call(withdrawOnce, later, '6')).toEqual(open);
      expect(withdrawals()).toHaveLength(2);
      mock.advance('8 minutes');
      // The user sees what became of it before anything else is sent.
      const decided = ['wallets.credit.withdraw 6: not_executed'];
      expect(await call(withdrawOnce, later, '6')).toEqual(decided);
      expect(withdrawals()).toHaveLength(2);
      expect(await call(openRequests, later)).toEqual([]);
    };
    return {
      modules: { 'card-platform-sdk/stores': { folderStore: () => new MapStore() } },
      use: (exported, block) =>
        block === 1 ? logInWithCode(exported) : block === 2 ? loseWithdrawals(exported) : undefined,
    };
  },

  'getting-started.md': ({ mock, ada, after }) => {
    Object.assign(ada, { card: null, verificationState: 'UNVERIFIED' });
    after['user.startVerification'] = () => mock.completeVerification(ada);
    after['user.get'] = () => mock.advance('5 minutes');
    return { names: { redirect: () => {} } };
  },

  'login.md': ({ mock, ada, client }) => {
    const logIn = async ({ logIn }: Exported) => {
      ada.otpEnabled = true;
      const login = { email: 'ada@example.com', password: 'a secret' };
      await call(logIn, client, login, async () => mock.otpFor(ada));
      ada.otpEnabled = false;
    };
    const sessions = {
      read: async () => 'a-token-that-has-ended',
      logInAgain: async () => mock.accessTokenFor(ada),
    };
    return { names: { sessions }, use: (exported, block) => block === 1 && logIn(exported) };
  },

  'sessions.md': ({ ada }) => {
    const store = new MapStore();
    const refresh = () => Promise.resolve({});
    const session = { region: 'us', accessToken: () => 'a-token', userId: 'user-1' };
    const onServer = async ({ logIn, proxy }: Exported) => {
      const url = 'https://app.example/api/card-platform/v1/card/status';
      const statusWith = async (cookie: string) => {
        const headers = { cookie, 'sec-fetch-site': 'same-origin' };
        return ((await call(proxy, new Request(url, { headers }))) as Response).status;
      };
      const cookie = String(await call(logIn, ada.email, ada.password));
      expect(await statusWith(cookie.split(';')[0] ?? '')).toBe(200);
      expect(await statusWith('id=none')).toBe(401);
    };
    const use = async (exported: Exported, block: number) => {
      if (block === 3) call(exported['clientOf'], session);
      if (block === 4) await onServer(exported);
      if (block === 5) call(exported['clientOf'], session, store);
    };
    return { names: { store, refresh }, use };
  },

  'oauth.md': async ({ mock, ada }) => {
    const { observed } = mock;
    const names = {
      store: new MapStore(),
      sessions: createSessions({ store: new MapStore() }),
      openInBrowser: async (url: string) => observed.signIn(url, ada),
      keychain: new MapStore(),
      getRandomBytesAsync: async (length: number) => crypto.getRandomValues(new Uint8Array(length)),
    };
    const use = (exported: Exported, block: number) => block === 3 && call(exported['startLogin']);
    return { names, use };
  },

  'registration.md': async ({ mock }) => {
    const { observed } = mock;
    const answers: Record<string, () => string | undefined> = {
      password: () => 'a password of fifteen',
      'the code of the e-mail': () => observed.codeFor('new@example.com'),
      'the code of the phone': () => observed.codeFor('+351912345678'),
    };
    const openPage = async () => {
      mock.completeVerification(mock.users.get('new@example.com'));
      mock.advance('10 minutes');
    };
    const ask = async (what: string) => answers[what]?.();
    return { names: { ask, openPage, store: new MapStore(), post: async () => ({}) } };
  },

  'observed.md': async ({ mock, ada }) => {
    const { observed } = mock;
    const wallet = { network: 'linea', balance: '50', allowance: '50' };
    ada.externalWallets.push(
      { ...OWN_WALLET, ...wallet },
      { ...OWN_WALLET, ...wallet, address: `0x${'a1'.repeat(20)}`, currency: 'usdt' },
    );
    observed.creditReward(ada, { amount: '5' });
    const answers: Record<string, () => string | undefined> = {
      'the code of the e-mail': () => observed.codeFor('ada@example.com'),
      'a new password': () => 'another password',
    };
    const use = async ({ resetPassword, reward }: Exported) => {
      if (resetPassword !== undefined) {
        await call(resetPassword, 'ada@example.com', async (what: string) => answers[what]?.());
        expect(ada.password).toBe('another password');
      }
      if (reward !== undefined) expect(observed.state.rewardWallets[0]?.balance).toBe('3');
    };
    return { use };
  },

  'moving.md': ({ mock, ada }) => {
    const take = async () => ({
      access: mock.accessTokenFor(ada),
      refresh: 'a refresh token',
      expiresAt: Date.now() + 60_000,
      us: false,
    });
    return { names: { store: new MapStore(), old: { take } } };
  },

  'cards.md': ({ ada }) => {
    ada.card = null;
    const window = new EventTarget();
    vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
    vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
    const setPin = async ({ setPin }: Exported) => {
      const frame = { contentWindow: window, src: '', remove: vi.fn() };
      await call(setPin, frame, new AbortController().signal);
      const message = { origin: new URL(frame.src).origin, source: window, data: 'abort' };
      window.dispatchEvent(Object.assign(new Event('message'), message));
      expect(frame.remove).toHaveBeenCalledOnce();
    };
    const showPin = async ({ showPin }: Exported) => {
      const image = { src: '', remove: vi.fn() };
      await call(showPin, image);
      expect(image.src).toMatch(/^https?:/);
    };
    const use = (exported: Exported, block: number) =>
      block === 3 ? showPin(exported) : block === 4 && setPin(exported);
    return { use };
  },

  'wallets.md': ({ mock, ada }) => {
    ada.externalWallets.push(OWN_WALLET);
    const deposit = { name: 'Deposit', amount: '1', currency: 'xrp', sign: 'credit' } as const;
    const date = new Date(mock.now).toISOString();
    const walletId = ada.internalWallets[0]?.id ?? '';
    mock.addTransactions(ada, walletId, Array(24).fill({ ...deposit, date }));
    return {};
  },

  'orders.md': ({ mock, ada, after }) => {
    let reads = 0;
    after['orders.get'] = () => {
      const { orderId } = ada.orders.at(-1) ?? {};
      if (++reads > 1 && orderId) mock.setOrderStatus(orderId, 'COMPLETED');
    };
    return {};
  },

  'consent.md': ({ ada }) => {
    let server: CardPlatformClient | undefined;
    const create = (onboardingId: string) =>
      server?.consent.createOnboarding({
        onboardingId,
        tenantId: 'tenant-1',
        policyType: 'global',
        consents: REQUIRED_CONSENTS.global.map((consentType) => ({
          consentType,
          consentStatus: 'granted',
        })),
      });
    const use = async (exported: Exported, block: number) => {
      if (block === 1) server = exported['server'] as CardPlatformClient;
      if (block === 3) {
        await call(exported['link'], server, (await create('1'))?.consentSetId, ada.id);
      }
      if (block === 4) {
        const linked = await create('2');
        expect(await call(exported['isLinked'], server, linked?.consentSetId, ada.id)).toBe(true);
        expect(await call(exported['isLinked'], server, linked?.consentSetId, ada.id)).toBe(true);
        expect(await call(exported['isLinked'], server, linked?.consentSetId, 'bob')).toBe(false);
      }
    };
    return { use };
  },

  'webhooks.md': webhooksSetup,

  'errors.md': ({ mock, ada, fetch }) => {
    ada.externalWallets.push(OWN_WALLET);
    const { baseUrl, credentials } = mock;
    const accessToken = mock.accessTokenFor(ada);
    const options = { baseUrl, ...credentials, fetch, clock: fastClock, accessToken };
    const journal = createJournal({ store: new MapStore(), hasAllRequests: true });
    const userClient = new CardPlatformClient({ ...options, journal });
    const supportRequests: unknown[] = [];
    const withdraw = async ({ withdraw, check }: Exported) => {
      const expectMessage = async (message: RegExp, amount = '10') =>
        expect(await call(withdraw, amount)).toMatch(message);
      await expectMessage(/^On its way: 0x/);
      await expectMessage(/more than you have/, '1000');
      mock.drop('wallets.credit.withdraw', 'refused', { times: 3 });
      await expectMessage(/try again/);
      mock.fail('wallets.credit.withdraw', 403);
      await expectMessage(/refused/);
      mock.fail('wallets.credit.withdraw', { success: false });
      await expectMessage(/refused/);
      const checkTwice = async () => {
        await call(check);
        mock.advance('8 minutes');
        await call(check);
      };
      mock.advance('1 hour');
      await userClient.wallets.credit.get();
      mock.drop('wallets.credit.withdraw', 'after-processing');
      await expectMessage(/checking/);
      await checkTwice();
      expect(await userClient.journal.pending()).toEqual([]);
      mock.advance('1 hour');
      await userClient.wallets.credit.get();
      mock.drop('wallets.credit.withdraw', 'before-processing');
      await expectMessage(/checking/, '11');
      // Another device withdraws something else.
      await new CardPlatformClient(options).wallets.credit.withdraw({ amount: '12' });
      await checkTwice();
      expect(supportRequests).toMatchObject([{ entry: { details: { amount: '11' } } }]);
      expect(await userClient.journal.pending()).toHaveLength(1);
    };
    return {
      names: {
        userClient,
        askSupport: async (facts: unknown) => supportRequests.push(facts),
      },
      use: (exported, block) => block === 1 && withdraw(exported),
    };
  },

  'us-routing.md': ({ mock }) => {
    const login = { email: 'grace@example.com', password: 'a secret' };
    mock.users.add({ ...login, environment: 'us', card: 'ACTIVE' });
    const end = () => {
      const routed = mock.requests.filter(({ headers }) => headers['x-us-env'] === 'true');
      const operations = routed.map(({ operation }) => operation);
      expect(operations).toEqual(['auth.login', 'card.status', 'card.status']);
      expect(mock.requests.at(-1)?.path).toBe('/v1/delegation/token?region=us');
    };
    return { end };
  },

  'extending.md': ({ ada }) => {
    ada.externalWallets.push(OWN_WALLET);
    return {};
  },

  'own-endpoints.md': ({ mock, ownResponses }) => {
    ownResponses['/v1/statements/2026-01'] = () => new Response('%PDF-1.7');
    ownResponses['/v1/statements/2026-01/lines'] = () => new Response('day;amount\n1;20\n');
    ownResponses['/v1/payouts/payout-1'] = () => Response.json({ state: 'PAUSED' });
    const payouts: object[] = [];
    mock.serve('GET', '/v1/payouts', () => ({ body: payouts }));
    const sendPayout = mock.serve('POST', '/v1/payouts', () => {
      payouts.push({ amount: '25', createdAt: new Date(mock.now).toISOString() });
      return { body: {} };
    });
    mock.drop(sendPayout, 'after-processing');
    // Written by the build.
    return { modules: { 'card-platform-sdk/openapi.json': { paths: {} } } };
  },

  'runtimes.md': ({ mock, ada }) => {
    const asWorker = async ({ default: worker }: Exported) => {
      const headers = { authorization: `Bearer ${mock.accessTokenFor(ada)}` };
      const { fetch } = worker as { fetch: unknown };
      const request = new Request('https://app.example/card', { headers });
      const response = (await call(fetch, request, { CLIENT_KEY: 'your-client-key' })) as Response;
      expect(await response.json()).toEqual({ status: 'ACTIVE' });
    };
    return { use: (exported, block) => block === 3 && asWorker(exported) };
  },

  'evm-delegation.md': (docs) => evmScene(docs),
  'evm-options.md': (docs) => evmScene(docs),
  'resume.md': (docs) => evmScene(docs),
  'limits.md': (docs) => evmScene(docs),
  'single-steps.md': () => {
    const nothingAllowed = { request: async () => `0x${'0'.repeat(64)}` };
    return { use: ({ calls }) => calls && call(calls, nothingAllowed) };
  },
  'wagmi.md': (docs) => evmScene(docs, connectedConfig),
  'ethers.md': (docs) => evmScene(docs, (provider, url) => [provider, url]),
  'solana-delegation.md': solanaScene,
  'solana-kit.md': solanaKitScene,
  'wallet-adapters.md': walletAdapterScene,
};
