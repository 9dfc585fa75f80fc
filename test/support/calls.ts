import type { CardPlatformClient } from '../../src/client.js';
import type { RequestOptions } from '../../src/transport/settings/options.js';

const UUID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
const EVM_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const SOLANA_ADDRESS = 'So11111111111111111111111111111111111111112';
const SOLANA_SIGNATURE =
  '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

/** One call of an endpoint: how the client makes it, and what has to arrive at the service. */
export type SampleCall = {
  id: string;
  invoke: (client: CardPlatformClient, options?: RequestOptions) => PromiseLike<unknown>;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** A success answer of the contract. */
  response: { status: number; body: unknown };
};

const success = { status: 200, body: { success: true } };
const card = { id: 'card-1', status: 'ACTIVE', panLast4: '4242' };
const webhook = { id: UUID, name: 'events', apiKey: 'whk_full_key' };
const approval = {
  currency: 'usdc',
  amount: '100.5',
  token: 'del_4f6c',
} as const;
const evmApproval = {
  ...approval,
  address: EVM_ADDRESS,
  network: 'linea',
  txHash: `0x${'a'.repeat(64)}`,
  sigHash: `0x${'b'.repeat(130)}`,
  sigMessage: 'app.example.com wants you to sign in',
} as const;
const solanaApproval = {
  ...approval,
  address: SOLANA_ADDRESS,
  network: 'solana',
  txHash: SOLANA_SIGNATURE,
  sigHash: SOLANA_SIGNATURE,
  sigMessage: 'Prove address ownership',
} as const;
const consent = {
  onboardingId: 'onboarding-1',
  tenantId: 'tenant-1',
  policyType: 'global',
  consents: [
    { consentType: 'termsAndPrivacy', consentStatus: 'granted' },
    { consentType: 'marketingNotifications', consentStatus: 'denied' },
    { consentType: 'smsNotifications', consentStatus: 'granted' },
    { consentType: 'emailNotifications', consentStatus: 'granted' },
  ],
} as const;
const newWebhook = { name: 'events', url: 'https://hooks.example.com/card' } as const;

const users: SampleCall[] = [
  {
    id: 'auth.login',
    invoke: (c, o) => c.auth.login({ email: 'ada@example.com', password: 'pass word' }, o),
    path: '/v1/auth/login',
    body: { email: 'ada@example.com', password: 'pass word' },
    response: { status: 200, body: { accessToken: 'token', userId: UUID } },
  },
  {
    id: 'auth.sendLoginOtp',
    invoke: (c, o) => c.auth.sendLoginOtp({ userId: UUID }, o),
    path: '/v1/auth/login/otp',
    body: { userId: UUID },
    response: success,
  },
  {
    id: 'user.startVerification',
    invoke: (c, o) => c.user.startVerification(o),
    path: '/v1/user/verification',
    response: { status: 200, body: { sessionUrl: 'https://verify.example.com/s' } },
  },
  {
    id: 'user.get',
    invoke: (c, o) => c.user.get(o),
    path: '/v1/user',
    response: { status: 200, body: { id: UUID, verificationState: 'VERIFIED' } },
  },
  {
    id: 'referral.get',
    invoke: (c, o) => c.referral.get(o),
    path: '/v1/referral',
    response: { status: 200, body: { code: 'FRIEND', cap: 10, used: 1 } },
  },
  {
    id: 'referral.validate',
    invoke: (c, o) => c.referral.validate({ code: 'FRIEND.42' }, o),
    path: '/v1/referral/FRIEND.42/validate',
    response: { status: 200, body: { valid: true } },
  },
];

const cards: SampleCall[] = [
  {
    id: 'card.order',
    invoke: (c, o) => c.card.order({ type: 'VIRTUAL' }, o),
    path: '/v1/card/order',
    body: { type: 'VIRTUAL' },
    response: success,
  },
  {
    id: 'card.status',
    invoke: (c, o) => c.card.status(o),
    path: '/v1/card/status',
    response: { status: 200, body: card },
  },
  {
    id: 'card.freeze',
    invoke: (c, o) => c.card.freeze(o),
    path: '/v1/card/freeze',
    response: success,
  },
  {
    id: 'card.unfreeze',
    invoke: (c, o) => c.card.unfreeze(o),
    path: '/v1/card/unfreeze',
    response: success,
  },
  {
    id: 'card.createDetailsToken',
    invoke: (c, o) => c.card.createDetailsToken({ customCss: { cardTextColor: '#FFF' } }, o),
    path: '/v1/card/details/token',
    body: { customCss: { cardTextColor: '#FFF' } },
    response: { status: 200, body: { token: UUID, imageUrl: 'https://img.example.com/i' } },
  },
  {
    id: 'card.createPinToken',
    invoke: (c, o) => c.card.createPinToken({}, o),
    path: '/v1/card/pin/token',
    body: {},
    response: { status: 200, body: { token: UUID, imageUrl: 'https://img.example.com/i' } },
  },
  {
    id: 'card.createSetPinToken',
    invoke: (c, o) => c.card.createSetPinToken({ isEmbedded: true }, o),
    path: '/v1/card/set-pin/token',
    body: { isEmbedded: true },
    response: { status: 200, body: { token: UUID, hostedPageUrl: 'https://pin.example.com/p' } },
  },
  {
    id: 'card.transactions',
    invoke: (c, o) =>
      c.card.transactions({ dateFrom: '2026-01-01', dateTo: '2026-01-31', page: 2 }, o),
    path: '/v1/card/transactions',
    query: { dateFrom: '2026-01-01', dateTo: '2026-01-31', page: '2' },
    response: { status: 200, body: [{ id: 't', sign: 'DEBIT' }] },
  },
];

const delegations: SampleCall[] = [
  {
    id: 'delegation.getToken',
    invoke: (c, o) =>
      c.delegation.getToken({ faucet: true, address: EVM_ADDRESS, network: 'linea' }, o),
    path: '/v1/delegation/token',
    query: { faucet: 'true', address: EVM_ADDRESS, network: 'linea' },
    response: { status: 207, body: { token: 't', nonce: 'n' } },
  },
  {
    id: 'delegation.submitEvmApproval',
    invoke: (c, o) => c.delegation.submitEvmApproval(evmApproval, o),
    path: '/v1/delegation/evm/post-approval',
    body: evmApproval,
    response: success,
  },
  {
    id: 'delegation.submitSolanaApproval',
    invoke: (c, o) => c.delegation.submitSolanaApproval(solanaApproval, o),
    path: '/v1/delegation/solana/post-approval',
    body: solanaApproval,
    response: success,
  },
  {
    id: 'delegation.chainConfig',
    invoke: (c, o) => c.delegation.chainConfig(o),
    path: '/v1/delegation/chain/config',
    response: { status: 200, body: { networks: [] } },
  },
];

const wallets: SampleCall[] = [
  {
    id: 'wallets.internal.list',
    invoke: (c, o) => c.wallets.internal.list(o),
    path: '/v1/wallet/internal',
    response: { status: 200, body: [] },
  },
  {
    id: 'wallets.internal.create',
    invoke: (c, o) =>
      c.wallets.internal.create({ wallets: [{ network: 'linea', currency: 'usdc' }] }, o),
    path: '/v1/wallet/internal',
    body: { wallets: [{ network: 'linea', currency: 'usdc' }] },
    response: { status: 201, body: { success: true } },
  },
  {
    id: 'wallets.internal.linkToCard',
    invoke: (c, o) => c.wallets.internal.linkToCard({ addressId: 'address-1' }, o),
    path: '/v1/wallet/internal/card_linked',
    body: { addressId: 'address-1' },
    response: { status: 201, body: { success: true } },
  },
  {
    id: 'wallets.internal.listLinked',
    invoke: (c, o) => c.wallets.internal.listLinked(o),
    path: '/v1/wallet/internal/card_linked',
    response: { status: 200, body: [] },
  },
  {
    id: 'wallets.internal.unlinkFromCard',
    invoke: (c, o) => c.wallets.internal.unlinkFromCard({ addressId: 'address-1' }, o),
    path: '/v1/wallet/internal/card_linked',
    body: { addressId: 'address-1' },
    response: success,
  },
  {
    id: 'wallets.internal.withdraw',
    invoke: (c, o) =>
      c.wallets.internal.withdraw(
        {
          amount: '12.50',
          currency: 'xrp',
          sourceAddress: 'rSource',
          sourceMemo: '7',
          recipientAddress: 'rRecipient',
          recipientMemo: null,
        },
        o,
      ),
    path: '/v1/wallet/internal/withdraw',
    body: {
      amount: '12.50',
      currency: 'xrp',
      sourceAddress: 'rSource',
      sourceMemo: '7',
      recipientAddrss: 'rRecipient',
    },
    response: success,
  },
  {
    id: 'wallets.credit.withdraw',
    invoke: (c, o) => c.wallets.credit.withdraw({ amount: '25.00' }, o),
    path: '/v1/wallet/credit/withdraw',
    body: { amount: '25.00' },
    response: { status: 200, body: { txHash: `0x${'c'.repeat(64)}` } },
  },
  {
    id: 'wallets.credit.get',
    invoke: (c, o) => c.wallets.credit.get(o),
    path: '/v1/wallet/credit',
    response: { status: 200, body: { balance: '10' } },
  },
  {
    id: 'wallets.credit.estimateWithdrawal',
    invoke: (c, o) => c.wallets.credit.estimateWithdrawal(o),
    path: '/v1/wallet/credit/withdraw-estimation',
    response: { status: 200, body: { usdc: '0.1' } },
  },
  {
    id: 'wallets.external.list',
    invoke: (c, o) => c.wallets.external.list(o),
    path: '/v1/wallet/external',
    response: { status: 200, body: [] },
  },
  {
    id: 'wallets.history.list',
    invoke: (c, o) =>
      c.wallets.history.list(
        { walletId: 'w&x=1 /é', walletType: 'INTERNAL', walletCurrency: 'usdc', page: 3 },
        o,
      ),
    path: '/v1/wallet/history',
    query: { walletId: 'w&x=1 /é', walletType: 'INTERNAL', walletCurrency: 'usdc', page: '3' },
    response: { status: 200, body: [] },
  },
];

const orders: SampleCall[] = [
  {
    id: 'orders.create',
    invoke: (c, o) =>
      c.orders.create({ productId: 'p-1', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' }, o),
    path: '/v1/order',
    body: { productId: 'p-1', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' },
    response: { status: 200, body: { orderId: 'order-1', requestId: 'request-1' } },
  },
  {
    id: 'orders.listProducts',
    invoke: (c, o) => c.orders.listProducts(o),
    path: '/v1/order/products/available',
    response: { status: 200, body: [] },
  },
  {
    id: 'orders.get',
    invoke: (c, o) => c.orders.get({ orderId: 'order-1' }, o),
    path: '/v1/order/order-1',
    response: { status: 200, body: { orderId: 'order-1', status: 'PENDING' } },
  },
];

const consents: SampleCall[] = [
  {
    id: 'consent.createOnboarding',
    invoke: (c, o) => c.consent.createOnboarding(consent, o),
    path: '/v2/consent/onboarding',
    body: consent,
    response: { status: 201, body: { consentSetId: UUID } },
  },
  {
    id: 'consent.linkUser',
    invoke: (c, o) => c.consent.linkUser({ consentSetId: UUID, userId: 'user-1' }, o),
    path: `/v2/consent/onboarding/${UUID}`,
    body: { userId: 'user-1' },
    response: { status: 200, body: { consentSetId: UUID, userId: 'user-1' } },
  },
  {
    id: 'consent.getSet',
    invoke: (c, o) => c.consent.getSet({ id: UUID }, o),
    path: `/v2/consent/consentSet/${UUID}`,
    response: { status: 200, body: { consentSetId: UUID } },
  },
  {
    id: 'consent.getUserAudit',
    invoke: (c, o) => c.consent.getUserAudit({ userId: UUID, limit: 5, offset: 10 }, o),
    path: `/v2/consent/user/${UUID}/audit`,
    query: { limit: '5', offset: '10' },
    response: { status: 200, body: { userId: UUID, auditRecords: [] } },
  },
];

const webhooks: SampleCall[] = [
  {
    id: 'webhooks.update',
    invoke: (c, o) =>
      c.webhooks.update({ id: UUID, eventTypes: ['card.*'], isActive: false, name: 'n' }, o),
    path: `/v1/webhooks/${UUID}`,
    body: { event_types: ['card.*'], is_active: false, name: 'n' },
    response: { status: 200, body: { success: true, data: webhook } },
  },
  {
    id: 'webhooks.rotateKey',
    invoke: (c, o) => c.webhooks.rotateKey({ id: UUID }, o),
    path: `/v1/webhooks/${UUID}/rotate-key`,
    response: { status: 200, body: { success: true, data: webhook } },
  },
  {
    id: 'webhooks.delete',
    invoke: (c, o) => c.webhooks.delete({ id: UUID }, o),
    path: `/v1/webhooks/${UUID}`,
    response: success,
  },
  {
    id: 'webhooks.list',
    invoke: (c, o) => c.webhooks.list(o),
    path: '/v1/webhooks',
    response: { status: 200, body: [] },
  },
  {
    id: 'webhooks.create',
    invoke: (c, o) => c.webhooks.create({ ...newWebhook, eventTypes: ['*'], isActive: true }, o),
    path: '/v1/webhooks',
    body: { ...newWebhook, event_types: ['*'], is_active: true },
    response: { status: 201, body: { success: true, data: webhook } },
  },
  {
    id: 'webhooks.get',
    invoke: (c, o) => c.webhooks.get({ id: UUID }, o),
    path: `/v1/webhooks/${UUID}`,
    response: { status: 200, body: webhook },
  },
  {
    id: 'webhooks.logs',
    invoke: (c, o) => c.webhooks.logs({ id: UUID, limit: 20 }, o),
    path: `/v1/webhooks/${UUID}/logs`,
    query: { limit: '20' },
    response: { status: 200, body: { count: 0, logs: [] } },
  },
];

/** One call of every endpoint. */
export const SAMPLE_CALLS: readonly SampleCall[] = [
  ...users,
  ...cards,
  ...delegations,
  ...wallets,
  ...orders,
  ...consents,
  ...webhooks,
];

/** The sample call of an endpoint. */
export function sampleCall(id: string): SampleCall {
  const call = SAMPLE_CALLS.find((one) => one.id === id);
  if (call === undefined) throw new Error(`there is no sample call for ${id}`);
  return call;
}
