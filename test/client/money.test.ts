import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import type { Field } from '../../src/contract/field.js';
import type { Schema } from '../../src/contract/schema.js';
import type { ResponseValidationError } from '../../src/errors/index.js';
import type { DriftReport } from '../../src/transport/response/drift.js';
import { sampleCall } from '../support/calls.js';
import { clientReceiving, json, rejection } from '../support/clients.js';

/** Names of fields that hold money, or values with which money is calculated. */
const MONEY = /balance|amount|allowance|fees?$|rate$|price/i;

type Node = {
  _zod: {
    def: { type: string; shape?: Record<string, Node>; element?: Node; innerType?: Node };
  };
};
type MoneyField = { path: string; isText: boolean; bodyWith: (value: unknown) => unknown };

function moneyIn({ _zod: { def } }: Node, name = ''): MoneyField[] {
  if (def.innerType !== undefined) return moneyIn(def.innerType, name);
  if (def.element !== undefined) {
    return moneyIn(def.element).map((field) => ({
      ...field,
      path: `0.${field.path}`,
      bodyWith: (value) => [field.bodyWith(value)],
    }));
  }
  if (def.shape === undefined) {
    const isText = def.type === 'string';
    return MONEY.test(name) ? [{ path: '', isText, bodyWith: (value) => value }] : [];
  }
  return Object.entries(def.shape).flatMap(([key, node]) =>
    moneyIn(node, key).map((field) => ({
      ...field,
      path: field.path === '' ? key : `${key}.${field.path}`,
      bodyWith: (value) => ({ [key]: field.bodyWith(value) }),
    })),
  );
}

const FIELDS = ENDPOINTS.filter(({ stability }) => stability === 'contract').flatMap(
  ({ id, responses }) =>
    Object.values(responses).flatMap(({ promise }) => {
      const node: unknown = (promise as Schema & Field).zod;
      return moneyIn(node as Node).map((field) => ({ id, ...field }));
    }),
);

/** A body that is valid except for one field. */
function bodyOf({ id, bodyWith }: (typeof FIELDS)[number], value: unknown): unknown {
  const { body } = sampleCall(id).response;
  const changed = bodyWith(value);
  return Array.isArray(changed) ? changed : { ...(body as object), ...(changed as object) };
}

it('finds every money field in the endpoint declarations', () => {
  expect(FIELDS.map(({ id, path }) => `${id} ${path}`).sort()).toEqual([
    'orders.create paymentConfig.paymentAmount',
    'wallets.history.list 0.amount',
    'wallets.internal.list 0.balance',
  ]);
});

describe.each(FIELDS)('$path of $id', (field) => {
  const wrong = field.isText
    ? [0, 1, -1, 1.5, 0.1, 2 ** 53, 1e21, true, false, {}, []]
    : ['0', '1', '1.5', '', 'abc', true, false, {}, []];

  it.each(wrong)('is never returned when it is %j', async (value) => {
    const response = json(bodyOf(field, value));
    const error = await rejection(sampleCall(field.id).invoke(clientReceiving(response)));
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      issues: [{ path: field.path }],
    });
  });

  it.each([null, undefined])('is reported as drift when it is %s', async (value) => {
    const drift: string[] = [];
    const response = json(bodyOf(field, value));
    const client = clientReceiving(response, { onDrift: ({ path }) => drift.push(path) });
    await sampleCall(field.id).invoke(client);
    expect(drift).toContain(field.path.replace(/^0/, '*'));
  });
});

describe.each(FIELDS.filter(({ isText }) => isText))('$path of $id', (field) => {
  const response = json(bodyOf(field, 'n/a'));

  it('is returned as it came when it is another text, and reported as drift', async () => {
    const drift: string[] = [];
    const onDrift = ({ kind, path }: DriftReport) => drift.push(`${kind} ${path}`);
    const result = await sampleCall(field.id).invoke(
      clientReceiving(response.clone(), { onDrift }),
    );
    expect(JSON.stringify(result)).toContain('"n/a"');
    expect(drift).toContain(`other-format ${field.path.replace(/^0/, '*')}`);
  });

  it('is an error when it is another text, if nothing may differ', async () => {
    const client = clientReceiving(response.clone(), { responseValidation: 'strict' });
    const error = await rejection(sampleCall(field.id).invoke(client));
    expect((error as ResponseValidationError).issues.map(({ path }) => path)).toContain(field.path);
  });
});

describe('a number of a preview endpoint', () => {
  it.each([
    ['wallets.credit.get', { balance: 12.5, currency: 'usdc' }],
    ['wallets.credit.estimateWithdrawal', { wei: 21000000000000, eth: 0.000021, price: 0.05 }],
    ['wallets.external.list', [{ address: 'a', balance: 1, allowance: 100.5 }]],
    [
      'wallets.internal.listLinked',
      [
        { id: 'w', priority: 0 },
        { id: 'v', priority: '1' },
      ],
    ],
    [
      'card.transactions',
      [{ id: 't', amountInTransactionCurrency: 5, fundingSources: [{ amount: 5, fees: 0 }] }],
    ],
  ])('of %s is returned unchanged, with a type that shows it', async (id, body) => {
    const client = clientReceiving(json(body), { responseValidation: 'strict' });
    expect(await sampleCall(id).invoke(client)).toEqual(body);
  });
});
