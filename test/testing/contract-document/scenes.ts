import { CardPlatformClient } from '../../../src/index.js';
import { createMockPlatform, type NewUser } from '../../../src/testing/index.js';
import { signedMessage, WALLET } from '../../support/signed-message.js';
import { CONSENT } from '../set-up.js';

/** One response of the platform. */
export type Recorded = {
  operation: string;
  status: number;
  body: unknown;
  /** Whether the request had a body. */
  hasSentBody: boolean;
};

const LOGIN = { email: 'ada@example.com', password: 'pass' };
const ORDER = { productId: 'metal-card', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' } as const;
const OTHER_ID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
const HOOK = { name: 'n', url: 'https://hooks.example.com', event_types: ['*'] };

/** Opens a platform with one user, and records every response to a raw request. */
export function openScene(user: NewUser = {}) {
  const mock = createMockPlatform();
  const ada = mock.users.add({ ...LOGIN, ...user });
  const recorded: Recorded[] = [];
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(ada),
    retry: false,
  });
  const { clientKey, clientId, secretKey } = mock.credentials;
  async function call(
    method: string,
    path: string,
    body?: unknown,
    changed: Record<string, string | undefined> = {},
  ): Promise<Recorded> {
    const isWithoutToken = path.includes('/auth/') || path.includes('/v2/');
    const headers = new Headers({
      'x-client-key': clientKey,
      'x-client-id': clientId,
      'x-secret-key': secretKey,
      'content-type': 'application/json',
      ...(!isWithoutToken && { authorization: `Bearer ${mock.accessTokenFor(ada)}` }),
    });
    for (const [name, value] of Object.entries(changed)) {
      if (value === undefined) headers.delete(name);
      else headers.set(name, value);
    }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await mock.fetch(`${mock.baseUrl}${path}`, { method, headers, ...sent });
    const text = await response.text();
    const entry = {
      operation: mock.requests.last?.operation ?? '',
      status: response.status,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      hasSentBody: body !== undefined,
    };
    recorded.push(entry);
    return entry;
  }
  return { mock, ada, client, call, recorded };
}

const proof = (token: string, nonce: string, network: 'linea' | 'solana') => ({
  address: network === 'linea' ? WALLET : 'So11111111111111111111111111111111111111112',
  network,
  currency: 'usdc',
  amount: '5',
  txHash: network === 'linea' ? `0x${'a'.repeat(64)}` : '2'.repeat(88),
  sigHash: network === 'linea' ? `0x${'b'.repeat(130)}` : '2'.repeat(88),
  sigMessage: signedMessage({ nonce }),
  token,
});

const recordedBy = async (
  play: (scene: ReturnType<typeof openScene>) => Promise<unknown>,
  user?: NewUser,
) => {
  const scene = openScene(user);
  await play(scene);
  return scene.recorded;
};

const SCENES: readonly (() => Promise<Recorded[]>)[] = [
  () =>
    recordedBy(async ({ call, mock, ada }) => {
      await call('POST', '/v1/auth/login', { ...LOGIN, password: 'other' });
      await call('POST', '/v1/auth/login', { ...LOGIN, email: 'no e-mail' });
      await call('POST', '/v1/auth/login', LOGIN);
      ada.otpEnabled = true;
      await call('POST', '/v1/auth/login', LOGIN);
      await call('POST', '/v1/auth/login/otp', { userId: ada.id });
      await call('POST', '/v1/auth/login', { ...LOGIN, otpCode: mock.otpFor(ada) });
    }),
  () =>
    recordedBy(async ({ call, mock, ada }) => {
      for (const path of ['order', 'freeze', 'unfreeze', 'pin/token']) {
        await call('POST', `/v1/card/${path}`, { type: 'VIRTUAL' });
        if (path === 'order') ada.card = null;
      }
      await call('GET', '/v1/card/status');
      await call('POST', '/v1/card/order', {});
      await call('POST', '/v1/card/order', { type: 'VIRTUAL' });
      mock.advance('3 seconds');
      await call('GET', '/v1/card/status');
      await call('POST', '/v1/card/order', { type: 'VIRTUAL' });
      for (const path of ['unfreeze', 'freeze', 'freeze', 'unfreeze']) {
        await call('POST', `/v1/card/${path}`);
      }
      for (const path of ['pin/token', 'details/token', 'set-pin/token']) {
        await call('POST', `/v1/card/${path}`, { customCss: { backgroundColor: 'red' } });
        await call('POST', `/v1/card/${path}`);
      }
    }),
  () =>
    recordedBy(async ({ call }) => call('POST', '/v1/card/order', { type: 'VIRTUAL' }), {
      verified: false,
    }),
  () =>
    recordedBy(async ({ call, client }) => {
      await call('GET', '/v1/delegation/token?region=eu');
      await call('GET', '/v1/delegation/token');
      for (const [path, network] of [
        ['evm', 'linea'],
        ['solana', 'solana'],
      ] as const) {
        const { token, nonce } = await client.delegation.getToken();
        const good = proof(token, nonce, network);
        const to = `/v1/delegation/${path}/post-approval`;
        await call('POST', to, { ...good, address: 'nowhere' });
        await call('POST', to, { ...good, txHash: 'nothing' });
        await call('POST', to, good);
      }
    }),
  () =>
    recordedBy(
      async ({ call, ada }) => {
        const withdraw = (amount: unknown) =>
          call('POST', '/v1/wallet/credit/withdraw', { amount });
        await withdraw('1');
        ada.externalWallets.push({
          address: WALLET,
          currency: 'usdc',
          balance: '0',
          allowance: '1',
          network: 'linea',
        });
        for (const amount of ['-1', '0', 'ten', undefined, '100', '101', '99']) {
          await withdraw(amount);
        }
        ada.creditWallet.isWithdrawable = false;
        await withdraw('1');
      },
      { creditBalance: '100' },
    ),
  () =>
    recordedBy(
      async ({ call, ada, mock }) => {
        const sourceAddress = ada.internalWallets[0]?.address;
        const good = { amount: '1', recipientAddrss: WALLET, sourceAddress, currency: 'usdc' };
        const to = '/v1/wallet/internal/withdraw';
        await call('POST', to, good);
        await call('POST', to, { ...good, amount: '999' });
        await call('POST', to, { ...good, recipientAddrss: 'nowhere' });
        await call('GET', '/v1/wallet/internal');
        await call('POST', '/v1/wallet/internal', {
          wallets: [{ network: 'linea', currency: 'xrp' }],
        });
        for (const { addressId } of ada.internalWallets) {
          await call('POST', '/v1/wallet/internal/card_linked', { addressId });
        }
        const walletId = ada.creditWallet.id;
        mock.wallets.deposit(ada, walletId, '1');
        await call('GET', `/v1/wallet/history?walletId=${walletId}&walletType=CREDIT`);
      },
      { wallets: [{ balance: '5' }, {}, {}, {}, {}, {}] },
    ),
  () =>
    recordedBy(async ({ call }) => {
      await call('POST', '/v1/order', ORDER);
      await call('POST', '/v1/order', { ...ORDER, paymentMethod: 'CASH' });
      await call('POST', '/v1/order', {});
      await call('POST', '/v1/order', ORDER, { 'x-client-id': 'other' });
      await call('POST', '/v1/order', ORDER, { 'x-client-id': undefined });
    }),
  () =>
    recordedBy(async ({ call, ada }) => {
      const to = '/v2/consent/onboarding';
      await call('POST', to, { ...CONSENT, consents: [] });
      const created = await call('POST', to, CONSENT);
      await call('POST', to, CONSENT);
      const { consentSetId } = created.body as { consentSetId: string };
      await call('PATCH', `${to}/${consentSetId}`, { userId: '' });
      await call('PATCH', `${to}/${OTHER_ID}`, { userId: ada.id });
      await call('PATCH', `${to}/${consentSetId}`, { userId: ada.id });
      await call('PATCH', `${to}/${consentSetId}`, { userId: ada.id });
      await call('GET', `/v2/consent/consentSet/${consentSetId}`);
    }),
  () =>
    recordedBy(async ({ call, mock }) => {
      await call('GET', '/v1/referral');
      await call('GET', '/v1/user/verification');
      const created = await call('POST', '/v1/webhooks', HOOK);
      const { id } = (created.body as { data: { id: string } }).data;
      const calls = async (path: string) => {
        await call('PUT', path, { url: 'https://hooks.example.com/2' });
        await call('POST', `${path}/rotate-key`);
        await call('DELETE', path);
      };
      await call('PUT', `/v1/webhooks/${id}`, { url: 'http://hooks.example.com' });
      await call('GET', `/v1/webhooks/${id}`);
      mock.state.isNotificationServiceConfigured = false;
      await calls(`/v1/webhooks/${id}`);
      mock.state.isNotificationServiceConfigured = true;
      await calls(`/v1/webhooks/${id}`);
      await calls(`/v1/webhooks/${OTHER_ID}`);
    }),
];

/** Plays every scene, and returns all responses. */
export async function playScenes(): Promise<Recorded[]> {
  return (await Promise.all(SCENES.map((play) => play()))).flat();
}
