import { expect, it } from 'vitest';
import { declaredEndpoints } from '../../scripts/generate/declared-endpoints.js';
import { EndpointTypes } from './shape.js';

const types = new EndpointTypes();
const FIELDS = (await declaredEndpoints()).flatMap(({ constant, endpoint }) =>
  types
    .outputFieldsOf(constant)
    .map(({ path, type }) => ({ id: endpoint.id, stability: endpoint.stability, path, type })),
);
const shown = ({ id, path, type }: (typeof FIELDS)[number]) => `${id}${path}: ${type}`;

/** Names of fields that hold money, or that are compared or calculated with. */
const MONEY = /\.(wei|eth|usdc|priority|\w*(balance|amount\w*|allowance|fees?\w*|rate|price))$/i;

it('finds the fields of every output', () => {
  expect(FIELDS.length).toBeGreaterThan(200);
  expect(FIELDS.map(shown)).toContain('card.status.panLast4: string');
});

it('no field of an output is unknown', () => {
  expect(
    FIELDS.filter(({ type }) => /\b(unknown|any)\b/.test(type.replace(/"[^"]*"/g, ''))).map(shown),
  ).toEqual([]);
});

it('money of a preview endpoint is typed as text or number, because the service may send either', () => {
  const money = FIELDS.filter(({ stability, path }) => stability === 'preview' && MONEY.test(path));
  const texts = money.filter(({ type }) => !/^(string \| number|number \| string)$/.test(type));
  expect(texts.map(shown)).toEqual([]);
  expect(money.map(({ id, path }) => id + path).sort()).toEqual([
    'card.transactions.*.amountInOriginalCurrency',
    'card.transactions.*.amountInTransactionCurrency',
    'card.transactions.*.billingConversionRate',
    'card.transactions.*.ecbRate',
    'card.transactions.*.feesInOriginalCurrency',
    'card.transactions.*.feesInTransactionCurrency',
    'card.transactions.*.fundingSources.*.amount',
    'card.transactions.*.fundingSources.*.fees',
    'card.transactions.*.fundingSources.*.swapFee',
    'wallets.credit.estimateWithdrawal.eth',
    'wallets.credit.estimateWithdrawal.price',
    'wallets.credit.estimateWithdrawal.usdc',
    'wallets.credit.estimateWithdrawal.wei',
    'wallets.credit.get.balance',
    'wallets.external.list.*.allowance',
    'wallets.external.list.*.balance',
    'wallets.internal.listLinked.*.priority',
  ]);
});

it('money of an endpoint under contract is typed as the contract sends it', () => {
  const money = FIELDS.filter(
    ({ stability, path }) => stability === 'contract' && MONEY.test(path),
  );
  expect(money.map(shown).sort()).toEqual([
    'orders.create.paymentConfig.paymentAmount: number',
    'wallets.history.list.*.amount: string',
    'wallets.internal.list.*.balance: string',
  ]);
});
