import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { SAFE } from '../../src/contract/retry-policy.js';
import {
  call,
  cardStatus,
  defineEndpoint,
  freezeCard,
  getDelegationToken,
  type LookTools,
} from '../../src/endpoints/index.js';
import type { JournalEntry, KeyValueStore } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import type { JournalOptions } from '../../src/journal/options.js';
import { rejection } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import { clientOf, lookTwice, lose, OWN_WALLET, platformWithUser } from './support.js';

const MINUTE = 60_000;

/** The payouts of the service of these tests. */
type Payout = { id: string; target: string; amount: string; at?: string; token?: string };
let payouts: Payout[] = [];
beforeEach(() => {
  payouts = [];
});

const listPayouts = defineEndpoint({
  id: 'payouts.list',
  method: 'GET',
  path: '/v1/payouts',
  retry: 'safe',
  output: z.array(z.looseObject({ amount: z.optional(z.string()), at: z.optional(z.string()) })),
});

const input = z.strictObject({
  amount: z.string(),
  target: z.string(),
  urgent: z.optional(z.boolean()),
  note: z.optional(z.any()),
  token: z.optional(z.string()),
});
const common = { method: 'POST', path: '/v1/payouts', retry: 'never', input } as const;

/** The result that a test substitutes for the real result of a look. */
let lie: ((tools: LookTools) => unknown) | undefined;
beforeEach(() => {
  lie = undefined;
});

const sendPayout = defineEndpoint({
  ...common,
  id: 'payouts.send',
  reconcile: {
    details: ['amount', 'target'],
    target: ['target'],
    async look(tools) {
      if (lie !== undefined) return lie(tools) as never;
      const rows = (await tools.read(listPayouts, {})) ?? [];
      tools.show(listPayouts, rows, ['amount', 'at', 'token']);
      const effects = rows.map((row) => ({
        time: row.at,
        matches: (details: { amount: string; target: string }) =>
          row['target'] === details.target && row.amount === details.amount,
      }));
      return { effects };
    },
  },
});

const lookAtState = async ({ details, read }: LookTools<'target'>) => {
  const rows = (await read(listPayouts, {})) ?? [];
  return { isDone: rows.some((row) => row['target'] === details.target) };
};
const openTarget = defineEndpoint({
  ...common,
  id: 'targets.open',
  path: '/v1/targets',
  reconcile: { details: ['target'], target: ['target'], actsOn: 'targets', look: lookAtState },
});
const closeTarget = defineEndpoint({
  ...common,
  id: 'targets.close',
  path: '/v1/targets/close',
  reconcile: {
    details: ['target'],
    target: ['target'],
    actsOn: 'targets',
    look: async (tools) => ({ isDone: !(await lookAtState(tools)).isDone }),
  },
});
const ENDPOINTS = [sendPayout, openTarget, closeTarget];

function setUp(endpoints: readonly unknown[] = ENDPOINTS) {
  const { mock } = platformWithUser();
  const ada = mock.users.add({
    card: 'ACTIVE',
    externalWallets: [
      { address: OWN_WALLET, currency: 'usdc', balance: '0', allowance: '5', network: 'linea' },
    ],
  });
  const store = new MapStore();
  const clientWith = (more: object, kept: KeyValueStore = store) =>
    clientOf(mock, ada, kept, {
      journal: createJournal({ store: kept, user: ada.id, hasAllRequests: true, ...more }),
    });
  const client = clientWith({ endpoints });
  mock.serve(listPayouts, () => ({ body: payouts }));
  const add = ({ amount, target }: { amount: string; target: string }) => {
    const at = new Date(mock.now).toISOString();
    payouts.push({ id: `${payouts.length}`, amount, target, at, token: 'planted' });
    return { body: { success: true } };
  };
  mock.serve(sendPayout, ({ input: sent }) => add(sent));
  mock.serve(openTarget, ({ input: sent }) => add(sent));
  mock.serve(closeTarget, ({ input: sent }) => {
    payouts = payouts.filter(({ target }) => target !== sent.target);
    return { body: { success: true } };
  });
  /** Sends a request whose response is lost, and returns its entry. */
  const loseOne = async (
    when: 'before-processing' | 'after-processing',
    endpoint = sendPayout,
    sent: { amount: string; target: string; [more: string]: unknown } = {
      amount: '10',
      target: 'a',
    },
  ): Promise<JournalEntry> => {
    const known = new Set((await client.journal.pending()).map(({ id }) => id));
    // From now on, the client knows the clock of the service.
    await client.user.get();
    mock.drop(endpoint, when);
    await lose(call(client, endpoint, sent as never));
    const entry = (await client.journal.pending()).find(({ id }) => !known.has(id));
    if (entry === undefined) throw new Error('there must be an entry');
    return entry;
  };
  return { mock, ada, store, client, clientWith, loseOne };
}

describe('an endpoint of your own that declares how to look up its effect', () => {
  it('is executed when the service shows as many effects as requests', async () => {
    const { mock, client, loseOne } = setUp();
    const entry = await loseOne('after-processing');
    expect(entry.details).toEqual({ amount: '10', target: 'a' });
    const before = mock.requests.length;
    const { verdict, evidence } = await client.journal.reconcile(entry);
    expect(verdict).toBe('executed');
    expect(evidence).toEqual([
      { source: 'payouts.list', found: [{ amount: '10', at: expect.any(String) }] },
    ]);
    expect(mock.requests.slice(before).map(({ method }) => method)).toEqual(['GET']);
  });

  it('is not executed when nothing shows an effect, and only after the settle time', async () => {
    const { mock, client, loseOne } = setUp();
    const entry = await loseOne('before-processing');
    expect((await client.journal.reconcile(entry)).verdict).toBe('undecided');
    mock.advance(6 * MINUTE);
    expect((await client.journal.reconcile(entry)).verdict).toBe('not_executed');
  });

  it('is not mistaken for an equal request that was executed', async () => {
    const { mock, client, loseOne } = setUp();
    await call(client, sendPayout, { amount: '10', target: 'a' });
    const entry = await loseOne('before-processing');
    mock.advance(6 * MINUTE);
    expect((await lookTwice(mock, client, entry)).verdict).toBe('not_executed');
  });

  it('is undecided beside an equal open request, and not beside one about another target', async () => {
    const { mock, client, loseOne } = setUp();
    const one = await loseOne('after-processing');
    const equal = await loseOne('before-processing');
    await loseOne('before-processing', sendPayout, { amount: '10', target: 'b' });
    expect(await lookTwice(mock, client, one)).toMatchObject({
      verdict: 'undecided',
      otherCauses: [{ kind: 'request', request: { id: equal.id } }],
    });
    await client.journal.remove(equal, 'not_executed');
    expect((await client.journal.reconcile(one)).verdict).toBe('executed');
    // What was certain once stays certain, and has no other cause.
    await loseOne('before-processing');
    expect(await client.journal.reconcile(one)).toMatchObject({
      verdict: 'executed',
      otherCauses: [],
    });
  });

  it('may look at a state, which counts only if no other request explains it', async () => {
    const { mock, client, loseOne } = setUp();
    const opened = await loseOne('after-processing', openTarget);
    expect((await lookTwice(mock, client, opened)).verdict).toBe('executed');
    const other = await loseOne('before-processing', openTarget, { amount: '1', target: 'b' });
    expect((await client.journal.reconcile(other)).verdict).toBe('undecided');
    mock.advance(6 * MINUTE);
    expect((await client.journal.reconcile(other)).verdict).toBe('not_executed');
    // A request that undoes it has the same name in `actsOn`, so the missing state proves nothing.
    const again = await loseOne('before-processing', openTarget, { amount: '1', target: 'c' });
    await call(client, closeTarget, { amount: '1', target: 'c' });
    expect((await lookTwice(mock, client, again)).verdict).toBe('undecided');
  });

  it('is looked up by another program that lists the endpoint, and by no other', async () => {
    const { clientWith, loseOne } = setUp();
    const entry = await loseOne('after-processing');
    const bare = clientWith({});
    const result = await bare.journal.reconcile(entry);
    expect(result).toMatchObject({ verdict: 'undecided', evidence: [] });
    expect(result.reason).toContain('journal.endpoints');
    const again = await clientWith({ endpoints: [sendPayout] }).journal.reconcile(entry);
    expect(again.verdict).toBe('executed');
  });

  it('leaves no entry where the declaration says so', async () => {
    const { client, loseOne } = setUp();
    const sendCode = defineEndpoint({ ...common, id: 'codes.send', isRecorded: false });
    await rejection(loseOne('after-processing', sendCode));
    await rejection(loseOne('before-processing', sendCode));
    expect(await client.journal.pending()).toEqual([]);
  });

  it('reads nothing for an entry of another user', async () => {
    const { mock, store, loseOne } = setUp();
    const entry = await loseOne('after-processing');
    const bobby = mock.users.add({});
    const journal = { store, endpoints: ENDPOINTS, user: bobby.id };
    const bob = clientOf(mock, bobby, store, { journal: createJournal(journal) });
    const before = mock.requests.length;
    expect((await bob.journal.reconcile(entry)).verdict).toBe('undecided');
    expect(mock.requests.length).toBe(before);
  });
});

describe('a request that needs no access token', () => {
  it('belongs to no user: it stays undecided, is passed on, and stops no recover', async () => {
    const path = '/v1/notices';
    const notice = { ...common, path, id: 'notices.send', credentials: ['clientKey'] } as const;
    const sendNotice = defineEndpoint({
      ...notice,
      reconcile: {
        details: ['amount', 'target'],
        look: async (tools) => ({ isDone: (await tools.read(listPayouts, {})) !== undefined }),
      },
    });
    const { mock, client, loseOne } = setUp([...ENDPOINTS, sendNotice]);
    mock.serve(sendNotice, () => ({ body: { success: true } }));
    const entry = await loseOne('after-processing', sendNotice as never);
    expect(Object.keys(entry)).not.toContain('tokenHash');
    expect(Object.keys(entry)).not.toContain('user');
    const found: unknown[] = [];
    await client.journal.recover(({ verdict, reason, evidence }) =>
      found.push([verdict, reason, evidence]),
    );
    const reason = expect.stringContaining('without an access token');
    expect(found).toEqual([['undecided', reason, []]]);
    expect((await client.journal.pending()).map(({ id }) => id)).toEqual([entry.id]);
  });
});

describe('what an endpoint of your own declares beside its look', () => {
  const reconcileOf = (more: object) =>
    ({ details: ['amount', 'note'], look: lookAtState, ...more }) as never;
  const declare = (more: object) =>
    defineEndpoint({ ...common, id: 'own.pay', reconcile: reconcileOf(more) });

  it('undecidedBecause is the reason of every verdict, and nothing is read', async () => {
    const because = 'the service lists no payouts';
    const own = declare({ look: undefined, undecidedBecause: because });
    const { mock, client, loseOne } = setUp([own]);
    mock.serve(own, () => ({ body: {} }));
    const entry = await loseOne('after-processing', own as never);
    const before = mock.requests.length;
    expect(await client.journal.reconcile(entry)).toMatchObject({
      verdict: 'undecided',
      reason: because,
      evidence: [],
    });
    expect(mock.requests.length).toBe(before);
  });

  it('listDetails names the fields of a list that an entry holds', async () => {
    const own = declare({ listDetails: { note: ['iso', 'code'] } });
    const { mock, loseOne } = setUp([own]);
    mock.serve(own, () => ({ body: {} }));
    const note = [
      { iso: 'de', code: 1, name: 'Ada' },
      { iso: 'fr', code: 2 },
    ];
    const entry = await loseOne('after-processing', own as never, {
      amount: '10',
      target: 'a',
      note,
    });
    expect(entry.details).toEqual({ amount: '10', note: 'de:1,fr:2' });
  });

  it.each([
    [true, 'undecided'],
    [false, 'executed'],
  ])('takesFromWallets: %s leaves a withdrawal beside it %s', async (takesFromWallets, verdict) => {
    const own = declare({ takesFromWallets });
    const { mock, ada, client, loseOne } = setUp([own]);
    mock.serve(own, () => ({ body: {} }));
    ada.creditWallet.balance = '100';
    await client.user.get();
    mock.drop('wallets.credit.withdraw', 'after-processing');
    await lose(client.wallets.credit.withdraw({ amount: '10' }));
    const [withdrawal] = await client.journal.pending();
    await loseOne('before-processing', own as never);
    mock.advance(60 * MINUTE);
    if (withdrawal === undefined) throw new Error('there must be an entry');
    expect((await client.journal.reconcile(withdrawal)).verdict).toBe(verdict);
  });

  it.each([
    [true, 'undecided'],
    [false, 'executed'],
  ])('isOfTenant: %s makes it %s beside the request of another user', async (isOfTenant, verdict) => {
    const state = { details: ['target'], target: ['target'], isOfTenant, look: lookAtState };
    const own = defineEndpoint({ ...common, id: 'own.open', reconcile: state as never });
    const { mock, client, store, loseOne } = setUp([own]);
    mock.serve(own, ({ input: sent }) => {
      payouts.push({ id: '1', amount: sent.amount, target: sent.target });
      return { body: {} };
    });
    const bobby = mock.users.add({});
    const journal = { store, endpoints: [own], user: bobby.id };
    const bob = clientOf(mock, bobby, store, { journal: createJournal(journal) });
    mock.drop(own, 'before-processing');
    await lose(call(bob, own, { amount: '10', target: 'a' } as never));
    const entry = await loseOne('after-processing', own as never);
    expect((await lookTwice(mock, client, entry)).verdict).toBe(verdict);
  });
});

describe('a look that fails', () => {
  it('lets reconcile fail with the error of its read, and the entry stays', async () => {
    const { mock, client, loseOne } = setUp();
    const entry = await loseOne('after-processing');
    mock.fail(listPayouts, 503, { times: 9 });
    expect(await rejection(client.journal.reconcile(entry))).toMatchObject({ status: 503 });
    expect(await client.journal.pending()).toEqual([entry]);
  });

  it('gets undefined after a 404, which by itself decides nothing', async () => {
    const { mock, client, loseOne } = setUp();
    const entry = await loseOne('after-processing');
    mock.fail(listPayouts, 404);
    const shown: unknown[] = [];
    lie = async ({ read }) => {
      shown.push(await read(listPayouts, {}));
      return {};
    };
    expect((await client.journal.reconcile(entry)).verdict).toBe('undecided');
    expect(shown).toEqual([undefined]);
  });

  it('may throw an error of its own', async () => {
    const { client, loseOne } = setUp();
    const entry = await loseOne('after-processing');
    const error = new Error('a bug of the look');
    lie = () => Promise.reject(error);
    expect(await rejection(client.journal.reconcile(entry))).toBe(error);
  });

  it('decides nothing when it says something unknown of what it may lack', async () => {
    const { mock, client, loseOne } = setUp();
    const entry = await loseOne('before-processing');
    const says = (mayLack: string) => {
      lie = async ({ read }) => {
        await read(listPayouts, {});
        return { effects: [], mayLack };
      };
    };
    says('newer');
    expect(await lookTwice(mock, client, entry)).toMatchObject({
      verdict: 'undecided',
      reason: expect.stringContaining('no usable result'),
    });
    says('any');
    expect((await lookTwice(mock, client, entry)).verdict).toBe('undecided');
    says('older');
    expect((await lookTwice(mock, client, entry)).verdict).toBe('not_executed');
  });

  it.each([
    ['freezeCard', freezeCard],
    ['a GET that must not be sent twice', getDelegationToken],
    ['itself', sendPayout],
    [
      'a read with a special case',
      { ...cardStatus, retryWhen: { field: 'x', is: 1, retry: SAFE } },
    ],
  ])('cannot call %s', async (_, endpoint) => {
    const { mock, client, loseOne } = setUp();
    const entry = await loseOne('after-processing');
    const before = mock.requests.length;
    lie = ({ read }) => read(endpoint as never, {});
    const error = await rejection(client.journal.reconcile(entry));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'read' });
    expect(mock.requests.length).toBe(before);
  });
});

describe('readDebits of a look', () => {
  /** A platform whose credit wallet another program uses, and a look at its debits. */
  async function setUpDebits() {
    const { mock, ada, clientWith, loseOne } = setUp();
    const { credit } = clientOf(mock, ada, new MapStore(), { journal: undefined }).wallets;
    const { id } = await credit.get();
    const seen: unknown[] = [];
    const look = async ({ readDebits }: LookTools) => {
      const effects = await readDebits({ walletId: id ?? '', walletType: 'CREDIT' });
      seen.push(effects);
      return { effects };
    };
    lie = look;
    const withdraw = (amount: string) => credit.withdraw({ amount });
    return { mock, ada, seen, look, clientWith, loseOne, withdraw };
  }

  it.each([
    ['10', 'executed'],
    ['10.00', 'executed'],
    // A fee of any size may explain the difference.
    ['10.5', 'undecided'],
    ['40', 'undecided'],
  ])('lets a debit of %s mean for a request of 10: %s', async (amount, verdict) => {
    const { mock, clientWith, loseOne, withdraw } = await setUpDebits();
    const entry = await loseOne('before-processing');
    await withdraw(amount);
    const result = await lookTwice(mock, clientWith({ endpoints: ENDPOINTS }), entry);
    expect(result.verdict).toBe(verdict);
    expect(result.evidence).toEqual([
      { source: 'wallets.history.list', found: [expect.objectContaining({ sign: 'debit' })] },
    ]);
  });

  it('neither counts nor shows a debit from before the request', async () => {
    const { mock, ada, clientWith, loseOne, withdraw } = await setUpDebits();
    await withdraw('10');
    // An access token does not live as long as the clocks of two devices may differ.
    for (const debit of Object.values(mock.users.get(ada.id).transactions).flat()) {
      debit.date = new Date(mock.now - 25 * 60 * MINUTE).toISOString();
    }
    const entry = await loseOne('before-processing');
    const result = await lookTwice(mock, clientWith({ endpoints: ENDPOINTS }), entry);
    expect(result).toMatchObject({ verdict: 'not_executed', evidence: [{ found: [] }] });
  });

  it('decides nothing about a request whose entry holds no amount', async () => {
    const { mock, look, clientWith, loseOne, withdraw } = await setUpDebits();
    const entry = await loseOne('before-processing');
    await withdraw('10');
    mock.advance(6 * MINUTE);
    const nameless = defineEndpoint({
      ...common,
      id: sendPayout.id,
      reconcile: { details: [], look: look as never },
    });
    const { amount: _, ...details } = entry.details;
    const result = await clientWith({ endpoints: [nameless] }).journal.reconcile({
      ...entry,
      details,
    });
    expect(result.verdict).toBe('undecided');
  });

  it('returns undefined if the history cannot be read', async () => {
    const { mock, seen, clientWith, loseOne } = await setUpDebits();
    const entry = await loseOne('before-processing');
    mock.fail('wallets.history.list', 404);
    mock.advance(6 * MINUTE);
    const result = await clientWith({ endpoints: ENDPOINTS }).journal.reconcile(entry);
    expect(result.verdict).toBe('undecided');
    expect(seen).toEqual([undefined]);
  });
});

describe('a look', () => {
  it.each([
    undefined,
    null,
    'executed',
    true,
    [],
    {},
    { isDone: 'yes' },
    { isDone: 1, reason: 7 },
    { effects: 'none' },
    { effects: {} },
    { effects: null },
    { verdict: 'executed' },
    { effects: [null] },
    { effects: ['x'] },
    { effects: [{ time: 'soon', matches: () => 'perhaps' }] },
    { effects: [{ matches: true }] },
    { effects: [{ time: undefined, matches: async () => true }] },
    { effects: [{ time: Number.NaN, matches: () => true }] },
  ])('decides nothing with the invalid result %j', async (result) => {
    const { mock, client, loseOne } = setUp();
    const entry = await loseOne('after-processing');
    mock.advance(6 * MINUTE);
    lie = () => result;
    expect((await client.journal.reconcile(entry)).verdict).toBe('undecided');
  });

  it('shows no row that is not an object', async () => {
    const { client, loseOne } = setUp();
    const entry = await loseOne('after-processing');
    lie = ({ show }) => {
      show(listPayouts, 'rows' as never, ['amount'] as never);
      show(listPayouts, [1, { amount: '10', pin: '1234' }] as never, ['amount', 'pin'] as never);
      return { isDone: undefined, reason: 'nobody knows' };
    };
    const { reason, evidence } = await client.journal.reconcile(entry);
    expect(reason).toBe('nobody knows');
    expect(evidence).toEqual([
      { source: 'payouts.list', found: [] },
      { source: 'payouts.list', found: [{ amount: '10' }] },
    ]);
  });

  it('considers effects too old by the clock of the service', async () => {
    const { mock, client, loseOne } = setUp();
    const entry = await loseOne('after-processing');
    let ages: boolean[] = [];
    lie = ({ isTooOld }) => {
      const times = [0, 1, 2].map((minutes) => mock.now - minutes * MINUTE);
      ages = [...times.map(isTooOld), isTooOld(new Date(0).toISOString()), isTooOld(undefined)];
      return {};
    };
    await client.journal.reconcile(entry);
    expect(ages).toEqual([false, false, true, true, false]);
  });
});

describe('the entry of an endpoint of your own', () => {
  it('holds texts, numbers and booleans, and nothing for a value of another kind', async () => {
    const details = ['amount', 'urgent', 'note'] as const;
    const look = async () => ({ isDone: true });
    const plain = defineEndpoint({ ...common, id: 'plain', reconcile: { details, look } });
    const { mock, client, loseOne } = setUp([plain]);
    mock.serve(plain, () => ({ body: {} }));
    const sent = { amount: '10', target: 'a' };
    const absent = await loseOne('after-processing', plain as never, { ...sent, note: null });
    expect(absent.details).toEqual({ amount: '10', urgent: '', note: '' });
    await client.journal.remove(absent, 'not_executed');
    const full = await loseOne('after-processing', plain as never, {
      ...sent,
      urgent: true,
      note: 7,
    });
    expect(full.details).toEqual({ amount: '10', urgent: 'true', note: '7' });
    await client.journal.remove(full, 'not_executed');
    const nested = await loseOne('after-processing', plain as never, { ...sent, note: { a: 'b' } });
    expect(nested.details).toEqual({ amount: '10', urgent: '' });
    // Without the fields that identify it, a look could mistake anything for its effect.
    expect((await client.journal.reconcile(nested)).verdict).toBe('undecided');
  });

  it('holds no secret, even if a field with another name repeats one', async () => {
    const { mock, ada, store, loseOne } = setUp();
    const accessToken = mock.accessTokenFor(ada);
    const byInput = { amount: '10', target: 'planted-token', token: 'planted-token' };
    expect((await loseOne('after-processing', sendPayout, byInput)).details).toEqual({
      amount: '10',
    });
    const { clientKey = '' } = mock.credentials;
    const byKey = { amount: '10', target: `x ${clientKey}` };
    expect((await loseOne('after-processing', sendPayout, byKey)).details).toEqual({
      amount: '10',
    });
    const kept = [...store].flat().join('\n');
    for (const secret of ['planted-token', clientKey, accessToken]) {
      expect(kept).not.toContain(secret);
    }
  });

  it('holds no field with the name of a secret', async () => {
    const reconcile = { details: ['amount', 'token'] as const, look: async () => ({}) as never };
    const careless = defineEndpoint({ ...common, id: 'own.pay', reconcile });
    const { mock, loseOne } = setUp([]);
    mock.serve(careless, () => ({ body: {} }));
    const sent = { amount: '10', target: 'a', token: '1' };
    const entry = await loseOne('after-processing', careless as never, sent);
    expect(entry.details).toEqual({ amount: '10' });
  });

  it('without reconcile holds the route only', async () => {
    const plain = defineEndpoint({ ...common, id: 'plain' });
    const { mock, loseOne } = setUp([]);
    mock.serve(plain, () => ({ body: {} }));
    const entry = await loseOne('after-processing', plain as never);
    expect(entry.details).toEqual({ method: 'POST', path: '/v1/payouts' });
  });

  it('is not looked up as an operation of the contract whose id it has', async () => {
    const look = async () => ({ isDone: true });
    const id = 'wallets.credit.withdraw';
    const twin = defineEndpoint({ ...common, id, reconcile: { details: ['amount'], look } });
    const { mock, client, loseOne } = setUp([]);
    mock.serve(twin, () => ({ body: {} }));
    const entry = await loseOne('after-processing', twin as never);
    expect(entry.details).toEqual({ method: 'POST', path: '/v1/payouts' });
    mock.advance(6 * MINUTE);
    expect((await client.journal.reconcile(entry)).verdict).toBe('undecided');
  });
});

describe('journal.endpoints', () => {
  const look = async () => ({ isDone: true });
  const named = (id: string) => defineEndpoint({ ...common, id, reconcile: { details: [], look } });

  const secretDetail = (name: 'token' | 'note', more: object = {}) =>
    defineEndpoint({ ...common, ...more, id: 'own.pay', reconcile: { details: [name], look } });

  it.each([
    ['no list', {}],
    ['null', null],
    ['an endpoint without reconcile', [listPayouts]],
    ['nothing', [undefined]],
    ['an endpoint twice', [sendPayout, sendPayout]],
    ['the id of an operation of the contract', [named('wallets.credit.withdraw')]],
    ['the id of a read of the contract', [named('card.status')]],
    ['the id of client.request()', [named('request')]],
    ['details with the name of a secret', [secretDetail('token')]],
    [
      'details with the name of a secret for the service',
      [secretDetail('note', { wireNames: { note: 'access_token' } })],
    ],
  ])('refuses %s when the journal is created', (_, endpoints) => {
    const create = () => createJournal({ store: new MapStore(), endpoints } as JournalOptions);
    expect(create).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        option: 'journal.endpoints',
        outcome: 'not_sent',
      }),
    );
  });
});

describe('the option reconcile of defineEndpoint', () => {
  const look = async () => ({ isDone: true });
  const declare = defineEndpoint as (declaration: unknown) => unknown;

  it.each([
    ['reconcile', { retry: 'idempotent' }, { details: [], look }],
    ['reconcile', { isRecorded: false }, { details: [], look }],
    ['isRecorded', { isRecorded: 'no' }, { details: [], look }],
    ['reconcile.details', {}, { details: 'amount', look }],
    ['reconcile.details', { secretInputs: ['note'] }, { details: ['note'], look }],
    ['reconcile.target', {}, { details: ['amount'], target: ['target'], look }],
    ['reconcile.actsOn', {}, { details: [], actsOn: 'two words', look }],
    ['reconcile.look', {}, { details: [] }],
    ['reconcile.look', {}, { details: [], look: 'card.status' }],
    ['reconcile.look', {}, { details: [], look, undecidedBecause: 'nobody knows' }],
    ['reconcile.undecidedBecause', {}, { details: [], undecidedBecause: ' ' }],
    ['reconcile.undecidedBecause', {}, { details: [], undecidedBecause: 7 }],
    ['reconcile.takesFromWallets', {}, { details: [], look, takesFromWallets: 'no' }],
    ['reconcile.isOfTenant', {}, { details: [], look, isOfTenant: 1 }],
    ['reconcile.listDetails', {}, { details: [], listDetails: { note: ['a'] }, look }],
    ['reconcile.listDetails', {}, { details: ['note'], listDetails: { note: 'a' }, look }],
    ['reconcile.verdict', {}, { details: [], look, verdict: 'executed' }],
    ['options', {}, 'look'],
  ])('refuses a declaration that cannot work, and names %s', (option, more, reconcile) => {
    const declaration = { ...common, id: 'own.pay', ...more, reconcile };
    expect(() => declare(declaration)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option }),
    );
  });
});
