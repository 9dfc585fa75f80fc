import type { MockPlatform, MockUser } from '../../../src/testing/index.js';

/** The state of the journey that produces the examples. */
export type Scene = {
  platform: MockPlatform;
  user: MockUser;
  /** The bodies of the responses so far, by endpoint id. */
  bodies: ReadonlyMap<string, Readonly<Record<string, string>>>;
};

/** One request of the journey. */
export type Step = {
  id: string;
  /** Input fields that depend on the journey. The others are those of the contract's sample call. */
  input?: (scene: Scene) => Readonly<Record<string, unknown>>;
  /** Events before this request that need no request of their own. */
  before?: (scene: Scene) => void;
};

/** The id of the only item that a list of the user has. */
const first = <Item>(items: readonly Item[]): Item => {
  const [item] = items;
  if (item === undefined) throw new Error('the journey of the examples has not got that far');
  return item;
};

const issued = ({ bodies }: Scene, field: 'token' | 'nonce') =>
  bodies.get('delegation.getToken')?.[field] ?? '';
const wallet = ({ user }: Scene) => first(user.internalWallets);
const consentSetId = ({ platform }: Scene) => first(platform.state.consentSets).consentSetId;
const webhookId = ({ platform }: Scene) => ({ id: first(platform.state.webhooks).id });
const addressId = (scene: Scene) => ({ addressId: wallet(scene).addressId });

function movements({ platform, user }: Scene): void {
  const date = new Date(platform.now).toISOString();
  const deposit = { name: 'Deposit', amount: '40.00', currency: 'usdc', date };
  for (const { id } of user.internalWallets) {
    user.transactions[id] = [{ ...deposit, sign: 'credit' }];
  }
  for (const held of user.internalWallets) held.balance = '40.00';
}

function cardPayment({ platform, user }: Scene): void {
  const dateTime = new Date(platform.now).toISOString();
  user.cardTransactions.push({
    id: 'transaction-1',
    cardId: user.card?.id,
    panLast4: user.card?.panLast4,
    dateTime,
    sign: 'DEBIT',
    merchantNameLocation: 'Coffee House, Lisbon',
    mcc: 5812,
    mccCategory: 'FOOD',
    transactionCurrency: 'EUR',
    amountInTransactionCurrency: '4.20',
    status: 'CONFIRMED',
    fundingSources: [],
  });
}

/**
 * The requests whose examples the OpenAPI description shows, in the order in which they are sent to
 * one mock platform.
 */
export const JOURNEY: readonly Step[] = [
  { id: 'auth.sendLoginOtp', input: ({ user }) => ({ userId: user.id }) },
  { id: 'auth.login' },
  { id: 'user.startVerification' },
  { id: 'user.get' },
  { id: 'card.order' },
  { id: 'card.status', before: ({ platform }) => void platform.advance('1 minute') },
  { id: 'card.createDetailsToken' },
  { id: 'card.createPinToken', input: () => ({ customCss: { backgroundColor: '#1A2B3C' } }) },
  { id: 'card.createSetPinToken' },
  { id: 'card.freeze' },
  { id: 'card.unfreeze' },
  { id: 'card.transactions', before: cardPayment, input: () => ({ page: 0 }) },
  { id: 'delegation.chainConfig' },
  { id: 'delegation.getToken' },
  {
    id: 'delegation.submitEvmApproval',
    input: (scene) => ({ token: issued(scene, 'token'), nonce: issued(scene, 'nonce') }),
  },
  { id: 'delegation.getToken' },
  {
    id: 'delegation.submitSolanaApproval',
    input: (scene) => ({
      token: issued(scene, 'token'),
      sigMessage: `Prove address ownership\nNonce: ${issued(scene, 'nonce')}`,
    }),
  },
  { id: 'wallets.external.list' },
  { id: 'wallets.credit.get' },
  { id: 'wallets.credit.estimateWithdrawal' },
  { id: 'wallets.credit.withdraw' },
  { id: 'wallets.internal.create' },
  { id: 'wallets.internal.list', before: movements },
  { id: 'wallets.internal.linkToCard', input: addressId },
  { id: 'wallets.internal.listLinked' },
  {
    id: 'wallets.internal.withdraw',
    input: (scene) => ({
      amount: '12.50',
      currency: 'usdc',
      sourceAddress: wallet(scene).address,
      sourceMemo: null,
      recipientAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
    }),
  },
  {
    id: 'wallets.history.list',
    input: (scene) => ({ walletId: wallet(scene).id, page: 0 }),
  },
  { id: 'wallets.internal.unlinkFromCard', input: addressId },
  { id: 'orders.listProducts' },
  {
    id: 'orders.create',
    input: ({ platform }) => ({ productId: first(platform.state.products).id }),
  },
  { id: 'orders.get', input: ({ user }) => ({ orderId: first(user.orders).orderId }) },
  { id: 'consent.createOnboarding' },
  {
    id: 'consent.linkUser',
    input: (scene) => ({ consentSetId: consentSetId(scene), userId: scene.user.id }),
  },
  { id: 'consent.getSet', input: (scene) => ({ id: consentSetId(scene) }) },
  { id: 'consent.getUserAudit', input: ({ user }) => ({ userId: user.id, limit: 10, offset: 0 }) },
  { id: 'referral.get' },
  { id: 'referral.validate', input: ({ user }) => ({ code: user.referral.code }) },
  { id: 'webhooks.create' },
  { id: 'webhooks.list' },
  { id: 'webhooks.get', input: webhookId },
  { id: 'webhooks.update', input: webhookId },
  { id: 'webhooks.rotateKey', input: webhookId },
  { id: 'webhooks.logs', input: webhookId },
  { id: 'webhooks.delete', input: webhookId },
];

type Input = Readonly<Record<string, unknown>>;

/**
 * The input of a step, from the contract's sample call, with the nonce of the delegation in the
 * message that the wallet signs.
 */
export function inputOf({ input = () => ({}) }: Step, scene: Scene, sample: Input): Input {
  const { nonce, ...fields }: Input = { ...sample, ...input(scene) };
  if (nonce === undefined) return fields;
  const sigMessage = String(fields['sigMessage']).replace(/^Nonce: .*$/m, `Nonce: ${nonce}`);
  return { ...fields, sigMessage };
}
