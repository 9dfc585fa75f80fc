import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import type { ValidationIssue } from '../../src/errors/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { refusedIssues } from './refusals.js';

const WEBHOOK = { id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e' };
const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;
let deep: unknown = 'end';
for (let level = 0; level < 32; level++) deep = { deep };
const unsafe: unknown = JSON.parse('{"constructor": 1}');

describe('an input that JSON cannot express is refused with a reason:', () => {
  it.each<[shown: string, metadata: unknown, path: string, message: string]>([
    ['undefined in a list', { a: [1, undefined] }, 'a', 'must not contain undefined'],
    ['an unsafe key', unsafe, 'constructor', 'is not allowed as a key'],
    ['half a character', { a: '\ud800' }, 'a', 'must be well-formed Unicode'],
    ['half a character as a key', { '\ud800': 1 }, '?', 'must have a key of well-formed Unicode'],
    ['a Date', { a: new Date(0) }, 'a', 'must be a plain object, an array or a single value'],
    ['a symbol as a key', { a: { [Symbol('b')]: 1 } }, 'a', 'must not have symbols as keys'],
    ['NaN', { a: Number.NaN }, 'a', 'must be a finite number'],
    ['a bigint', { a: 1n }, 'a', 'must be JSON, not a bigint'],
    ['a function', { a: () => 1 }, 'a', 'must be JSON, not a function'],
    ['itself', cycle, 'self', 'must not contain itself'],
    ['too many levels', deep, `deep${'.deep'.repeat(30)}`, 'must not be nested more than 32 deep'],
  ])('%s', async (_, metadata, path, message) => {
    const issues = await refusedIssues('webhooks.update', { ...WEBHOOK, metadata });
    expect(issues).toEqual([{ path: `metadata.${path}`, message }]);
  });

  it.each<[shown: string, input: unknown, message: string]>([
    ['a Date', new Date(0), 'must be a plain object, an array or a single value'],
    ['a Map', new Map(), 'must be a plain object, an array or a single value'],
    ['an error', new Error('a'), 'must be a plain object, an array or a single value'],
    ['a list', [], 'must be an object'],
    ['a function', () => 1, 'must be JSON, not a function'],
    ['nothing', undefined, 'must be an object'],
  ])('%s as the whole input', async (_, input, message) => {
    expect(await refusedIssues('webhooks.update', input)).toEqual([{ path: '', message }]);
  });

  it('a field that throws when it is read, once, and no other', async () => {
    const input = {
      ...WEBHOOK,
      get name(): string {
        throw new Error('a bug of the caller');
      },
    };
    expect(await refusedIssues('webhooks.update', input)).toEqual([
      { path: '', message: 'cannot be read' },
    ]);
  });

  it('more than 10,000 values, once, and no other', async () => {
    const input = { ...WEBHOOK, metadata: { list: new Array(10_000).fill(0) } };
    expect(await refusedIssues('webhooks.update', input)).toEqual([
      { path: 'metadata.list.9996', message: 'contains too many values' },
    ]);
  });
});

it('a value that is on no list is refused with the list, and where to add to it', async () => {
  const order = { productId: 'p', paymentMethod: 'CARD' };
  expect(await refusedIssues('orders.create', order)).toEqual([
    {
      path: 'paymentMethod',
      message: 'must be one of CRYPTO_EXTERNAL_GATEWAY, or be added to additions.paymentMethods',
    },
  ]);
  const [{ message = '' } = {}] = await refusedIssues('delegation.getToken', {
    network: 'ethereum',
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
    faucet: true,
  });
  expect(message).toBe(
    'must be one of linea, solana, base, or be added to additions.faucetNetworks',
  );
});

it('a wrong region of an endpoint that has one is not taken for the option of the call', async () => {
  const issues = await refusedIssues('delegation.getToken', { region: 'eu' });
  expect(issues.map(({ path }) => path)).toEqual(['region']);
  expect(issues[0]?.message).not.toContain('option');
});

describe('the input of an endpoint of your own is refused with a reason:', () => {
  const common = { id: 'own.call', method: 'POST', path: '/v9/own', retry: 'never' } as const;
  const open = z.looseObject({});
  const schema = (result: unknown) => ({
    '~standard': { version: 1, vendor: 'own', validate: () => result },
  });

  async function issuesOf(own: object, input: unknown): Promise<readonly ValidationIssue[]> {
    const { fetch, requests } = scriptedFetch(json({}));
    const client = clientFor('https://api.example.com', { fetch });
    const declare = defineEndpoint as (declaration: object) => ReturnType<typeof defineEndpoint>;
    const error = await rejection(call(client, declare({ ...common, ...own }), input as never));
    expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
    expect(requests).toEqual([]);
    return (error as { issues: readonly ValidationIssue[] }).issues;
  }

  const SCHEMA = 'breaks the input schema of the endpoint';
  it.each<[shown: string, own: object, input: unknown, issues: readonly ValidationIssue[]]>([
    [
      'two rules of the schema',
      { input: z.strictObject({ amount: z.string(), day: z.string() }) },
      { amount: 1, day: 2 },
      [
        { path: 'amount', message: SCHEMA },
        { path: 'day', message: SCHEMA },
      ],
    ],
    [
      'no issue of the schema',
      { input: schema({ issues: [] }) },
      {},
      [{ path: '', message: SCHEMA }],
    ],
    [
      'issues that are no objects',
      { input: schema({ issues: [null, { message: 'no', path: ['day'] }, 'no'] }) },
      {},
      [{ path: 'day', message: SCHEMA }],
    ],
    [
      'fields that the schema drops',
      { input: z.object({ amount: z.string() }) },
      { amount: '1', day: 1, x: 2 },
      [
        { path: 'day', message: 'is not a known field' },
        { path: 'x', message: 'is not a known field' },
      ],
    ],
    [
      'the wire name of another field',
      { input: open, wireNames: { a: 'b' } },
      { a: 1, b: 2 },
      [{ path: 'b', message: 'has the wire name of another field' }],
    ],
    [
      'a header that cannot be sent',
      { input: z.looseObject({ key: z.string() }), headerFields: { key: 'x-own-key' } },
      { key: 'two words' },
      [{ path: 'key', message: 'must be visible ASCII without spaces, to be sent in a header' }],
    ],
    ['a number', { input: schema({ value: 7 }) }, {}, [{ path: '', message: 'must be an object' }]],
  ])('%s', async (_, own, input, issues) => {
    expect(await issuesOf(own, input)).toEqual(issues);
  });
});
