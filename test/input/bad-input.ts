import type { CardPlatformClient } from '../../src/client.js';
import { signedMessage } from '../support/signed-message.js';

const UUID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const SOLANA = 'So11111111111111111111111111111111111111112';
const SIGNATURE =
  '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

/** An input that must be rejected, and the field that the error must name. */
export type BadInput = { operation: string; value: unknown; field: string };

/**
 * One field of one endpoint: a valid input that contains it, and values that the field must reject.
 */
type Group = {
  operation: string;
  /** The dotted path of the field. Its last part is replaced. */
  field: string;
  good: Record<string, unknown>;
  bad: readonly unknown[];
};

const NOT_STRINGS = [undefined, null, 5, true, [], {}, ''] as const;
const AMOUNTS = [
  ...NOT_STRINGS,
  '0',
  '0.00',
  '-1',
  '+1',
  '1e3',
  '1E3',
  '0x10',
  '1.',
  '.5',
  '1,5',
  '1 000',
  ' 1',
  '1\n',
  'NaN',
  'Infinity',
  '١٢',
  1.5,
  100n,
  '1'.repeat(101),
] as const;
const UUIDS = [
  ...NOT_STRINGS,
  '..',
  '.',
  '%2e%2e',
  `${UUID}/..`,
  `/${UUID}`,
  `${UUID}\\`,
  `${UUID}\n`,
  ` ${UUID}`,
  `{${UUID}}`,
  UUID.replace('3', 'g'),
  `${UUID}?x=1`,
  `${UUID}#x`,
  UUID.slice(1),
] as const;
const COLOURS = [
  5,
  null,
  '',
  'red',
  '#12',
  '#12345',
  '#1234567',
  '#GGGGGG',
  '123456',
  '#FFF;x',
] as const;
const HTTPS_URLS = [
  5,
  null,
  '',
  'hooks.example.com',
  '//hooks.example.com',
  'http://hooks.example.com',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://hooks.example.com',
  'https://',
  ' https://hooks.example.com',
] as const;
const RETURN_URLS = [
  5,
  null,
  '',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://x/y',
  '/relative',
] as const;
const EVM_ADDRESSES = [
  ...NOT_STRINGS,
  EVM.slice(0, -1),
  `${EVM}0`,
  EVM.slice(2),
  EVM.replace('0x', '0X'),
  EVM.replace('E', 'e'),
  `0x${'0'.repeat(40)}`,
  EVM.replace('5', 'g'),
  SOLANA,
] as const;
const SOLANA_ADDRESSES = [
  ...NOT_STRINGS,
  EVM,
  'So1111111111111111111111111111111111111111',
  `${SOLANA}1`,
  SOLANA.replace('S', '0'),
  SOLANA.replace('S', 'l'),
  'z'.repeat(44),
  '1'.repeat(45),
] as const;

const consents = [
  { consentType: 'termsAndPrivacy', consentStatus: 'granted' },
  { consentType: 'marketingNotifications', consentStatus: 'denied' },
  { consentType: 'smsNotifications', consentStatus: 'granted' },
  { consentType: 'emailNotifications', consentStatus: 'granted' },
];
const eSignAct = { consentType: 'eSignAct', consentStatus: 'granted' };
const consent = { onboardingId: 'o', tenantId: 't', policyType: 'global', consents };
const login = { email: 'ada@example.com', password: 'secret' };
const withdrawal = {
  amount: '1',
  currency: 'usdc',
  sourceAddress: 'source',
  recipientAddress: 'recipient',
};
const proof = { currency: 'usdc', amount: '1', token: 'del_1' };
const evmProof = {
  ...proof,
  address: EVM,
  network: 'linea',
  txHash: `0x${'a'.repeat(64)}`,
  sigHash: `0x${'b'.repeat(130)}`,
  sigMessage: signedMessage(),
};
const solanaProof = {
  ...proof,
  address: SOLANA,
  network: 'solana',
  txHash: SIGNATURE,
  sigHash: SIGNATURE,
  sigMessage: 'a meaningful message',
};

const GROUPS: readonly Group[] = [
  {
    operation: 'auth.login',
    field: 'email',
    good: login,
    bad: [
      ...NOT_STRINGS,
      'ada',
      'ada@',
      '@example.com',
      'a b@example.com',
      'a\u2028b@example.com',
      'ada@example',
      'ada@example..com',
      'ada@.example.com',
      'ada@exa mple.com',
      'ada@ada@example.com',
      'ada\u0000@example.com',
      '"ada"@example.com',
      'a,b@example.com',
      'a;b@example.com',
      'a<b@example.com',
      'a\\b@example.com',
      'a(b)@example.com',
      'a:b@example.com',
      '[a]@example.com',
      '.ada@example.com',
      'ada.@example.com',
      'a..b@example.com',
      'ada@-example.com',
      'a\ud800@example.com',
      'a\u200bb@example.com',
      'a\u202eb@example.com',
      `${'a'.repeat(65)}@example.com`,
      `${'a'.repeat(250)}@b.co`,
    ],
  },
  { operation: 'auth.login', field: 'password', good: login, bad: NOT_STRINGS },
  {
    operation: 'auth.login',
    field: 'otpCode',
    good: login,
    bad: [null, 123456, '', '12345', '1234567', '12345a', ' 12345', '١٢٣٤٥٦'],
  },
  {
    operation: 'card.order',
    field: 'type',
    good: { type: 'VIRTUAL' },
    bad: [...NOT_STRINGS, 'PHYSICAL', 'METAL', 'virtual'],
  },
  { operation: 'card.createDetailsToken', field: 'customCss', good: {}, bad: [null, 5, 'x', []] },
  {
    operation: 'card.createDetailsToken',
    field: 'customCss.panTextColor',
    good: { customCss: {} },
    bad: COLOURS,
  },
  {
    operation: 'card.createPinToken',
    field: 'customCss.backgroundColor',
    good: { customCss: {} },
    bad: COLOURS,
  },
  {
    operation: 'card.createSetPinToken',
    field: 'customCss.pinBorderColor',
    good: { customCss: {} },
    bad: COLOURS,
  },
  {
    operation: 'card.createSetPinToken',
    field: 'customCss.pinBorderRadius',
    good: { customCss: {} },
    bad: ['5', null, Number.NaN, Number.POSITIVE_INFINITY],
  },
  { operation: 'card.createSetPinToken', field: 'redirectUrl', good: {}, bad: RETURN_URLS },
  { operation: 'card.createSetPinToken', field: 'isEmbedded', good: {}, bad: ['true', 1, null] },
  {
    operation: 'card.transactions',
    field: 'dateFrom',
    good: { dateTo: '2026-01-31' },
    bad: [5, '2026-1-1', '2026-13-01', '2026-01-32', '01.01.2026', undefined],
  },
  {
    operation: 'card.transactions',
    field: 'page',
    good: {},
    bad: [-1, 1.5, '1', null, Number.NaN],
  },
  {
    operation: 'delegation.getToken',
    field: 'network',
    good: { faucet: true, address: EVM },
    bad: [undefined, '', 'ethereum', 'Linea', 'lin ea', 5],
  },
  {
    operation: 'delegation.getToken',
    field: 'address',
    good: { faucet: true, network: 'linea' },
    bad: [undefined, '', '0x1', SOLANA, 5, `0x${'0'.repeat(40)}`, ` ${EVM}`],
  },
  {
    operation: 'delegation.getToken',
    field: 'address',
    good: { faucet: true, network: 'solana' },
    bad: [EVM, 'z'.repeat(44), '1'.repeat(32), `${SOLANA} `],
  },
  {
    operation: 'delegation.getToken',
    field: 'region',
    good: {},
    bad: ['eu', 'global', '', 5, null],
  },
  { operation: 'delegation.getToken', field: 'faucet', good: {}, bad: ['true', 1, null] },
  {
    operation: 'delegation.submitEvmApproval',
    field: 'address',
    good: evmProof,
    bad: EVM_ADDRESSES,
  },
  {
    operation: 'delegation.submitEvmApproval',
    field: 'network',
    good: evmProof,
    bad: [...NOT_STRINGS, 'base', 'solana', 'Linea'],
  },
  {
    operation: 'delegation.submitEvmApproval',
    field: 'currency',
    good: evmProof,
    bad: [...NOT_STRINGS, 'USDC', 'weth', 'dai'],
  },
  {
    operation: 'delegation.submitEvmApproval',
    field: 'amount',
    good: evmProof,
    bad: AMOUNTS,
  },
  {
    operation: 'delegation.submitEvmApproval',
    field: 'txHash',
    good: evmProof,
    bad: [...NOT_STRINGS, '0x', 'a'.repeat(64), `0x${'a'.repeat(63)}`, `0x${'g'.repeat(64)}`],
  },
  {
    operation: 'delegation.submitEvmApproval',
    field: 'sigHash',
    good: evmProof,
    bad: [...NOT_STRINGS, `0x${'a'.repeat(128)}`, `0x${'a'.repeat(131)}`, 'b'.repeat(130)],
  },
  {
    operation: 'delegation.submitEvmApproval',
    field: 'sigMessage',
    good: evmProof,
    bad: [...NOT_STRINGS, 'message', signedMessage({ chainId: 1 })],
  },
  {
    operation: 'delegation.submitEvmApproval',
    field: 'token',
    good: evmProof,
    bad: [...NOT_STRINGS, 'a b', 'a\nb', 'a'.repeat(201), 'a/b'],
  },
  {
    operation: 'delegation.submitSolanaApproval',
    field: 'address',
    good: solanaProof,
    bad: SOLANA_ADDRESSES,
  },
  {
    operation: 'delegation.submitSolanaApproval',
    field: 'txHash',
    good: solanaProof,
    bad: [...NOT_STRINGS, SIGNATURE.slice(0, 80), 'z'.repeat(88), SIGNATURE.replace('5', 'O')],
  },
  {
    operation: 'delegation.submitSolanaApproval',
    field: 'sigMessage',
    good: solanaProof,
    bad: [...NOT_STRINGS, 'too short', ' '.repeat(10), 'one\u0000two three', 'one\ttwo three'],
  },
  {
    operation: 'delegation.submitSolanaApproval',
    field: 'amount',
    good: solanaProof,
    bad: AMOUNTS,
  },
  { operation: 'wallets.credit.withdraw', field: 'amount', good: {}, bad: AMOUNTS },
  { operation: 'wallets.internal.withdraw', field: 'amount', good: withdrawal, bad: AMOUNTS },
  {
    operation: 'wallets.internal.withdraw',
    field: 'currency',
    good: withdrawal,
    bad: [...NOT_STRINGS, 'USDC', 'us dc'],
  },
  {
    operation: 'wallets.internal.withdraw',
    field: 'recipientAddress',
    good: withdrawal,
    bad: NOT_STRINGS,
  },
  {
    operation: 'wallets.internal.withdraw',
    field: 'sourceAddress',
    good: withdrawal,
    bad: NOT_STRINGS,
  },
  {
    operation: 'wallets.internal.withdraw',
    field: 'recipientMemo',
    good: { ...withdrawal, currency: 'xrp' },
    bad: [undefined, 5],
  },
  {
    operation: 'wallets.internal.create',
    field: 'wallets',
    good: {},
    bad: [undefined, null, {}, [], 'x'],
  },
  { operation: 'wallets.internal.linkToCard', field: 'addressId', good: {}, bad: NOT_STRINGS },
  {
    operation: 'wallets.history.list',
    field: 'walletCurrency',
    good: { walletId: 'w', walletType: 'INTERNAL' },
    bad: [undefined, '', 'us dc', null],
  },
  {
    operation: 'wallets.history.list',
    field: 'walletType',
    good: { walletId: 'w' },
    bad: [...NOT_STRINGS, 'credit', 'EXTERNAL'],
  },
  {
    operation: 'wallets.history.list',
    field: 'walletId',
    good: { walletType: 'CREDIT' },
    bad: NOT_STRINGS,
  },
  {
    operation: 'wallets.history.list',
    field: 'page',
    good: { walletId: 'w', walletType: 'CREDIT' },
    bad: [-1, 0.5, '0', null, Number.NaN],
  },
  {
    operation: 'orders.create',
    field: 'paymentMethod',
    good: { productId: 'p' },
    bad: [...NOT_STRINGS, 'CARD', 'crypto_external_gateway'],
  },
  {
    operation: 'orders.create',
    field: 'productId',
    good: { paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' },
    bad: [...NOT_STRINGS, 'p'.repeat(201)],
  },
  {
    operation: 'orders.get',
    field: 'orderId',
    good: {},
    bad: [...NOT_STRINGS, '..', '.', 'a/b', 'a b', '%2e', 'a?b', 'a#b'],
  },
  { operation: 'consent.createOnboarding', field: 'onboardingId', good: consent, bad: NOT_STRINGS },
  { operation: 'consent.createOnboarding', field: 'tenantId', good: consent, bad: NOT_STRINGS },
  {
    operation: 'consent.createOnboarding',
    field: 'policyType',
    good: consent,
    bad: [...NOT_STRINGS, 'us', 'EU', 'GLOBAL'],
  },
  {
    operation: 'consent.createOnboarding',
    field: 'consents',
    good: consent,
    bad: [
      undefined,
      null,
      [],
      consents.slice(1),
      [...consents, consents[0]],
      [...consents, eSignAct, eSignAct],
    ],
  },
  {
    operation: 'consent.createOnboarding',
    field: 'consents',
    good: { ...consent, policyType: 'US' },
    bad: [consents, [...consents.slice(1), eSignAct]],
  },
  {
    operation: 'consent.createOnboarding',
    field: 'consents.0.consentStatus',
    good: consent,
    bad: ['yes', true, null],
  },
  {
    operation: 'consent.createOnboarding',
    field: 'metadata',
    good: consent,
    bad: [5, 'x', [], () => 1],
  },
  {
    operation: 'consent.createOnboarding',
    field: 'metadata.deep',
    good: { ...consent, metadata: {} },
    bad: [1n, Number.NaN, () => 1, Symbol('x'), '\ud800'],
  },
  { operation: 'consent.linkUser', field: 'consentSetId', good: { userId: 'u' }, bad: UUIDS },
  {
    operation: 'consent.linkUser',
    field: 'userId',
    good: { consentSetId: UUID },
    bad: NOT_STRINGS,
  },
  {
    operation: 'consent.getUserAudit',
    field: 'userId',
    good: {},
    bad: [...NOT_STRINGS, '.', '..', 'a/b', 'a\\b', 'a?b', 'a#b', '%2e%2e', 'a%00', 'a b', 'a\n'],
  },
  { operation: 'webhooks.update', field: 'id', good: {}, bad: UUIDS },
  { operation: 'webhooks.rotateKey', field: 'id', good: {}, bad: UUIDS },
  { operation: 'webhooks.delete', field: 'id', good: {}, bad: UUIDS },
  {
    operation: 'webhooks.update',
    field: 'name',
    good: { id: UUID },
    bad: [null, 5, '', 'n'.repeat(256)],
  },
  { operation: 'webhooks.update', field: 'url', good: { id: UUID }, bad: HTTPS_URLS },
  {
    operation: 'webhooks.update',
    field: 'eventTypes',
    good: { id: UUID },
    bad: [null, [], 'card.*'],
  },
  { operation: 'webhooks.update', field: 'isActive', good: { id: UUID }, bad: ['true', 1, null] },
  {
    operation: 'referral.validate',
    field: 'code',
    good: {},
    bad: [...NOT_STRINGS, '..', 'a/b', 'a b', 'a\\b'],
  },
];

const MONEY: Readonly<Record<string, Record<string, unknown>>> = {
  'wallets.credit.withdraw': { amount: '1' },
  'wallets.internal.withdraw': withdrawal,
  'delegation.submitEvmApproval': evmProof,
  'delegation.submitSolanaApproval': solanaProof,
  'consent.createOnboarding': consent,
  'consent.linkUser': { consentSetId: UUID, userId: 'u' },
  'orders.create': { productId: 'p', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' },
};

function withValue(group: Group, value: unknown): unknown {
  const input = structuredClone(group.good);
  const path = group.field.split('.');
  const last = path.pop() ?? '';
  const holder = path.reduce<Record<string, unknown>>(
    (inner, name) => inner[name] as Record<string, unknown>,
    input,
  );
  holder[last] = value;
  return input;
}

/** Every invalid input. */
export const BAD_INPUTS: readonly BadInput[] = [
  ...GROUPS.flatMap((group) =>
    group.bad.map((value) => ({
      operation: group.operation,
      field: group.field,
      value: withValue(group, value),
    })),
  ),
  ...Object.entries(MONEY).flatMap(([operation, good]) =>
    ['amuont', 'to_string', 'x'].map((field) => ({
      operation,
      field,
      value: { ...good, [field]: '1' },
    })),
  ),
];

/** Calls an operation with an input of any shape, as a caller without types can. */
export function callWith(
  client: CardPlatformClient,
  operation: string,
  input: unknown,
): PromiseLike<unknown> {
  const names = operation.split('.');
  const method = names.pop() ?? '';
  const resource = names.reduce<unknown>(
    (holder, name) => (holder as Record<string, unknown>)[name],
    client,
  );
  const call = (resource as Record<string, (value: unknown) => PromiseLike<unknown>>)[method];
  if (call === undefined) throw new Error(`there is no ${operation}`);
  return call.call(resource, input);
}
