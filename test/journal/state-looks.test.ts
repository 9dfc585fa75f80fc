import { describe, expect, it } from 'vitest';
import type { JournalVerdict } from '../../src/index.js';
import { json } from '../support/clients.js';
import {
  at,
  DAY,
  loseRequest,
  MINUTE,
  type ReadResponses,
  type Request,
  reconcileScripted,
  setUpScripted,
} from './scripted-reads.js';
import { OWN_WALLET } from './support.js';

const OTHERS = 'other requests of the journal may have done it, or undone it';

type Row = readonly [what: string, responses: ReadResponses, verdict: JournalVerdict, looks?: 1];

/**
 * Tests every row, and that such a state decides nothing while another request, which could have
 * brought it about or undone it, is still open.
 */
function verdicts(
  request: Request,
  rows: readonly Row[],
  { similar = request, isCounted = false } = {},
): void {
  const cases = rows.map(([what, responses, verdict, looks = 2]) => ({
    what,
    responses,
    verdict,
    looks,
  }));

  describe(request.operation, () => {
    it.each(cases)('$what', async ({ responses, verdict, looks }) => {
      const finding = await reconcileScripted(request, responses, { looks });
      expect(finding.verdict).toBe(verdict);
    });

    it.each(
      cases.filter(({ verdict }) => verdict !== 'undecided'),
    )('$what, unless another request may have done that', async ({ responses, verdict }) => {
      const finding = await reconcileScripted(request, responses, { others: [similar] });
      // Where no card exists, no request has ordered one.
      if (isCounted && verdict === 'not_executed') return expect(finding.verdict).toBe(verdict);
      expect(finding.otherCauses).toMatchObject([
        { kind: 'request', request: { operation: similar.operation } },
      ]);
      const reason = isCounted ? {} : { reason: OTHERS };
      return expect(finding).toMatchObject({ verdict: 'undecided', ...reason });
    });
  });
}

const card = (change: object) => ({
  'card.status': {
    id: 'card-1',
    holderName: 'ADA LOVELACE',
    expiryDate: '2029-01',
    panLast4: '1234',
    status: 'ACTIVE',
    type: 'VIRTUAL',
    orderedAt: at(-10 * DAY),
    ...change,
  },
});
const noCard = { 'card.status': json({ message: 'Card not found' }, 404) };

verdicts(
  { operation: 'card.order', details: { type: 'VIRTUAL' } },
  [
    [
      'was executed if the card was ordered at that time',
      card({ orderedAt: at(2_000) }),
      'executed',
    ],
    ['was not executed if the user has no card', noCard, 'not_executed'],
    ['is still open if the user has no card yet', noCard, 'undecided', 1],
    ['was not executed if the card is older', card({}), 'not_executed'],
    ['is not decided by an older card that is blocked', card({ status: 'BLOCKED' }), 'undecided'],
    [
      'was not executed if the card is minutes older',
      card({ orderedAt: at(-2 * MINUTE) }),
      'not_executed',
    ],
    [
      'is not decided by a card that was ordered after it, which may have replaced its own',
      card({ orderedAt: at(3 * 60 * MINUTE) }),
      'undecided',
    ],
    ['is not decided by a card without a time', card({ orderedAt: null }), 'undecided'],
    [
      'is not decided by a proxy that knows no such page',
      { 'card.status': new Response('<html>', { status: 404 }) },
      'undecided',
    ],
  ],
  { isCounted: true },
);

verdicts({ operation: 'card.unfreeze', details: {} }, [
  ['was executed if the card is active', card({}), 'executed'],
  ['is still open at the first look, which may show what was before', card({}), 'undecided', 1],
  ['is not decided by a frozen card', card({ status: 'FROZEN' }), 'undecided'],
  ['is not decided by a card that may be new', card({ orderedAt: at(1_000) }), 'undecided'],
  ['is not decided without a card', noCard, 'undecided'],
]);

it('card.unfreeze is not executed because a read is late and shows the card before it was frozen', async () => {
  const statuses = ['ACTIVE', 'FROZEN'];
  const responses = {
    'card.status': () => card({ status: statuses.shift() ?? 'FROZEN' })['card.status'],
  };
  const scene = setUpScripted(responses);
  const entry = await loseRequest(scene, { operation: 'card.unfreeze', details: {} });
  await scene.clock.advance(1_000);
  const first = await scene.client.journal.reconcile(entry);
  expect(first.verdict).toBe('undecided');
  expect(first.lookAgainAt).toBe(at(6 * MINUTE + 1_000));
  await scene.clock.advance(6 * MINUTE);
  expect((await scene.client.journal.reconcile(entry)).verdict).toBe('undecided');
});

it('card.unfreeze was executed if the card is active five minutes after the first look', async () => {
  const scene = setUpScripted(card({}));
  const entry = await loseRequest(scene, { operation: 'card.unfreeze', details: {} });
  await scene.clock.advance(1_000);
  expect((await scene.client.journal.reconcile(entry)).verdict).toBe('undecided');
  await scene.clock.advance(299_000);
  expect(await scene.client.journal.reconcile(entry)).toMatchObject({
    verdict: 'undecided',
    reason:
      'the service shows what was requested, but it may not yet show what happened before the request',
  });
  await scene.clock.advance(1_000);
  expect((await scene.client.journal.reconcile(entry)).verdict).toBe('executed');
});

const NAMED = { address: OWN_WALLET, currency: 'usdc', network: 'linea' };
const registered = (...rows: object[]) => ({
  'wallets.external.list': rows.map((row) => ({
    address: OWN_WALLET,
    currency: 'usdc',
    network: 'linea',
    balance: '0',
    allowance: '100.50',
    ...row,
  })),
});

for (const operation of ['delegation.submitEvmApproval', 'delegation.submitSolanaApproval']) {
  const of = (amount: string) => ({
    operation,
    details: {
      address: OWN_WALLET,
      network: 'linea',
      currency: 'usdc',
      amount,
      txHash: `0x${'1'.repeat(64)}`,
    },
  });
  verdicts(of('100.5'), [
    ['was executed if the wallet is registered with the amount', registered({}), 'executed'],
    [
      'was executed if the service writes names and EVM addresses in another case',
      registered({ address: OWN_WALLET.toUpperCase(), currency: 'USDC', network: 'LINEA' }),
      'executed',
    ],
    ['was not executed if there is no wallet', registered(), 'not_executed'],
    ['is still open if there is no wallet yet', registered(), 'undecided', 1],
    [
      'was not executed if others are registered',
      registered({ currency: 'usdt' }, { network: 'ethereum' }, { address: `0x${'1'.repeat(40)}` }),
      'not_executed',
    ],
    ['is not decided by another allowance', registered({ allowance: '100.51' }), 'undecided'],
    ['is not decided by two rows', registered({}, {}), 'undecided'],
    [
      'was executed if the row names neither currency nor network',
      registered({ currency: null, network: null }),
      'executed',
    ],
    [
      'is not decided by a list in which one row has no address',
      registered({}, { address: null, currency: 'usdt' }),
      'undecided',
    ],
    ['is not decided by what is not a list', { 'wallets.external.list': {} }, 'undecided'],
    [
      'is not decided by an allowance that is not a number',
      registered({ allowance: 'unlimited' }),
      'undecided',
    ],
  ]);
  describe('a revocation', () => {
    verdicts(of('0'), [
      ['was executed if the wallet is no longer registered', registered(), 'executed'],
      ['was executed if the allowance is zero', registered({ allowance: '0.00' }), 'executed'],
      ['is not decided by an allowance', registered({}), 'undecided'],
    ]);
  });
}

const wallet = {
  id: 'wallet-1',
  address: 'address-1',
  addressId: 'id-of-address-1',
  currency: 'usdc',
  balance: '0',
  addressMemo: null,
};
const linkedRow = { id: 'wallet-1', address: 'address-1', currency: 'usdc', priority: 1 };
const linked = (...rows: object[]) => ({
  'wallets.internal.list': [wallet],
  'wallets.internal.listLinked': rows.map((row) => ({ ...linkedRow, ...row })),
});
const details = { addressId: 'id-of-address-1' };
const LINK = { operation: 'wallets.internal.linkToCard', details };
const UNLINK = { operation: 'wallets.internal.unlinkFromCard', details };
const OTHER_WALLET = { id: 'wallet-2', address: 'address-2' };

for (const [request, whenLinked, whenNot] of [
  [LINK, 'executed', 'not_executed'],
  [UNLINK, 'not_executed', 'executed'],
] as const) {
  // Linking and unlinking undo each other.
  for (const similar of [LINK, UNLINK]) {
    describe(`beside ${similar.operation}`, () => {
      verdicts(
        request,
        [
          ['is decided by the linked wallet', linked({}), whenLinked],
          ['finds it by its address, too', linked({ id: 'another', currency: 'USDC' }), whenLinked],
          ['finds it by its id, too', linked({ address: 'another' }), whenLinked],
          ['finds it among others', linked(OTHER_WALLET, {}), whenLinked],
          ['is decided by its absence', linked(OTHER_WALLET), whenNot],
          ['is decided by an empty list', linked(), whenNot],
          [
            'is decided by others with an id or an address only',
            linked({ ...OTHER_WALLET, id: null }, { ...OTHER_WALLET, address: null }),
            whenNot,
          ],
          [
            'is not decided by what is not a list',
            { ...linked(), 'wallets.internal.listLinked': { success: true } },
            'undecided',
          ],
          [
            'is not decided by the same address in another currency',
            linked({ id: 'another', currency: 'usdt' }),
            whenNot,
          ],
          [
            'is not decided by the same address without a currency',
            linked({ id: 'another', currency: null }),
            'undecided',
          ],
          [
            'is decided by its id, whatever else is missing',
            linked({ currency: null, address: null }),
            whenLinked,
          ],
          [
            'is not decided by a row that could be any wallet',
            linked({}, { id: null, address: null }),
            'undecided',
          ],
          [
            'does not take two wallets without an id for one',
            {
              ...linked({ ...OTHER_WALLET, id: null }),
              'wallets.internal.list': [{ ...wallet, id: null }],
            },
            whenNot,
          ],
          [
            'does not take two wallets without an address for one',
            {
              ...linked({ ...OTHER_WALLET, address: null }),
              'wallets.internal.list': [{ ...wallet, address: null }],
            },
            whenNot,
          ],
          [
            'is not decided if one list shows only ids, and the other one only addresses',
            {
              ...linked({ id: null }),
              'wallets.internal.list': [{ ...wallet, address: null }],
            },
            'undecided',
          ],
          [
            'is not decided if the wallet is not in the list',
            { ...linked({}), 'wallets.internal.list': [{ ...wallet, addressId: 'another' }] },
            'undecided',
          ],
        ],
        { similar },
      );
    });
  }
}

verdicts({ operation: 'wallets.internal.create', details: { wallets: 'linea:usdc,linea:usdt' } }, [
  ['was not executed if there is no wallet', { 'wallets.internal.list': [] }, 'not_executed'],
  ['is still open if there is no wallet yet', { 'wallets.internal.list': [] }, 'undecided', 1],
  [
    'was not executed if there are only others',
    { 'wallets.internal.list': [{ ...wallet, currency: 'eure' }] },
    'not_executed',
  ],
  [
    'is not decided by a wallet, which shows no date',
    { 'wallets.internal.list': [{ ...wallet, currency: 'USDT' }] },
    'undecided',
  ],
]);

describe('a request for wallets', () => {
  it.each([
    ['there is no list', 'linea:usdc', { 'wallets.internal.list': json({}, 404) }],
    ['its entry shows no currency', 'linea', { 'wallets.internal.list': [] }],
  ])('is undecided, with the reason, if %s', async (_, wallets, responses) => {
    const request = { operation: 'wallets.internal.create', details: { wallets } };
    expect(await reconcileScripted(request, responses)).toMatchObject({
      verdict: 'undecided',
      reason: 'the service does not list the wallets, or the request has no currency',
    });
  });
});

const CREATED = { id: 'webhook-1', name: 'payments', secret: 'x', createdAt: at(1_000) };

describe('webhooks.create', () => {
  const request = { operation: 'webhooks.create', details: { name: 'payments' } };
  const webhooks = (...rows: object[]) => ({ 'webhooks.list': rows });
  const verdictOn = async (rows: object[], others: Request[] = []) =>
    (await reconcileScripted(request, webhooks(...rows), { others })).verdict;

  it.each([
    ['executed', 'one of this name and time', [CREATED]],
    ['not_executed', 'none', []],
    ['not_executed', 'one of this name that is older', [{ ...CREATED, createdAt: at(-9 * DAY) }]],
    ['not_executed', 'one of another name', [{ ...CREATED, name: 'refunds' }]],
    ['undecided', 'one of this time without a name', [{ ...CREATED, name: null }]],
    ['undecided', 'one of this name without a time', [{ ...CREATED, createdAt: null }]],
  ])('is %s if the list shows %s', async (verdict, _, rows) => {
    expect(await verdictOn(rows)).toBe(verdict);
  });

  it('is undecided beside another request, unless there is no webhook at all', async () => {
    expect(await verdictOn([CREATED, CREATED], [request])).toBe('undecided');
    expect(await verdictOn([CREATED], [request])).toBe('undecided');
    expect(await verdictOn([], [request])).toBe('not_executed');
  });

  it('is not decided by a response that is no list', async () => {
    const response = { 'webhooks.list': { success: true, data: [CREATED] } };
    const finding = await reconcileScripted(request, response).catch((error: unknown) => error);
    expect(finding).not.toMatchObject({ verdict: 'executed' });
    expect(finding).not.toMatchObject({ verdict: 'not_executed' });
  });
});

describe('an entry without the details that its look needs', () => {
  it.each([
    ['delegation.submitEvmApproval', registered()],
    ['wallets.internal.linkToCard', linked()],
    ['wallets.internal.create', { 'wallets.internal.list': [] }],
    ['webhooks.create', { 'webhooks.list': [] }],
  ] as const)('is undecided for %s', async (operation, responses) => {
    const finding = await reconcileScripted({ operation, details: {} }, responses);
    expect(finding).toMatchObject({ verdict: 'undecided', evidence: [] });
  });
});

describe('the evidence', () => {
  it.each([
    [
      { operation: 'card.order', details: { type: 'VIRTUAL' } },
      card({}),
      'card.status',
      [{ id: 'card-1', status: 'ACTIVE', orderedAt: at(-10 * DAY) }],
    ],
    [
      { operation: 'card.unfreeze', details: {} },
      card({ orderedAt: undefined }),
      'card.status',
      [{ id: 'card-1', status: 'ACTIVE' }],
    ],
    [
      {
        operation: 'delegation.submitEvmApproval',
        details: { ...NAMED, amount: '1', txHash: '0x' },
      },
      registered({}, { currency: 'usdt' }),
      'wallets.external.list',
      [{ ...NAMED, allowance: '100.50' }],
    ],
    [
      { operation: 'wallets.internal.linkToCard', details: { addressId: 'id-of-address-1' } },
      linked({}, OTHER_WALLET),
      'wallets.internal.listLinked',
      [{ id: 'wallet-1', address: 'address-1', currency: 'usdc' }],
    ],
    [
      { operation: 'wallets.internal.create', details: { wallets: 'linea:usdc' } },
      { 'wallets.internal.list': [wallet, { ...wallet, currency: 'eure' }] },
      'wallets.internal.list',
      [{ id: 'wallet-1', currency: 'usdc', address: 'address-1' }],
    ],
    [
      { operation: 'webhooks.create', details: { name: 'payments' } },
      { 'webhooks.list': [CREATED, { ...CREATED, name: 'refunds' }] },
      'webhooks.list',
      [{ id: 'webhook-1', name: 'payments', createdAt: at(1_000) }],
    ],
  ] as const)('shows what the verdict depends on: %o', async (request, responses, source, found) => {
    const { evidence } = await reconcileScripted(request, responses);
    expect(evidence).toEqual([{ source, found }]);
  });
});
