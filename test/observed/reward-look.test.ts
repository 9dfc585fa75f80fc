import { describe, expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { observe, withdrawReward } from '../../src/observed/index.js';
import { clientOf } from '../journal/support.js';
import { rejection } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import { setUpObserved } from './support.js';

async function setUp() {
  const { mock, ada, observed } = await setUpObserved({ externalWallets: [{}] });
  observed.creditReward(ada, { amount: '20' });
  const store = new MapStore();
  const client = clientOf(mock, ada, store, {
    journal: createJournal({ store, hasAllRequests: true, endpoints: [withdrawReward] }),
  });
  // From now on, the client knows the clock of the service.
  await client.user.get();
  const { reward } = observe(client).wallets;
  const lookUp = async () => {
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    return client.journal.reconcile(entry);
  };
  const settled = async () => {
    await lookUp();
    mock.advance('6 minutes');
    return lookUp();
  };
  return { mock, ada, observed, client, reward, lookUp, settled };
}

describe('a withdrawal of rewards whose response is lost', () => {
  it('is executed when the history shows its debit', async () => {
    const { mock, client, reward, settled } = await setUp();
    mock.drop('wallets.reward.withdraw', 'after-processing');
    expect(await rejection(reward.withdraw({ amount: '5' }))).toMatchObject({ outcome: 'unknown' });
    const [entry] = await client.journal.pending();
    expect(entry).toMatchObject({ operation: 'wallets.reward.withdraw', details: { amount: '5' } });
    mock.advance('1 minute');
    const { verdict, evidence } = await settled();
    expect(verdict).toBe('executed');
    expect(JSON.stringify(evidence)).toContain('"sign":"debit"');
  });

  it('is not_executed only after the settle time, when the history shows no debit', async () => {
    const { mock, reward, lookUp } = await setUp();
    mock.drop('wallets.reward.withdraw', 'before-processing');
    await rejection(reward.withdraw({ amount: '5' }));
    expect((await lookUp()).verdict).toBe('undecided');
    mock.advance('6 minutes');
    expect((await lookUp()).verdict).toBe('not_executed');
  });

  it('is undecided when a debit of another device may be this withdrawal with its fee', async () => {
    const { mock, ada, reward, settled } = await setUp();
    mock.drop('wallets.reward.withdraw', 'before-processing');
    await rejection(reward.withdraw({ amount: '5' }));
    const elsewhere = clientOf(mock, ada, new MapStore(), { journal: undefined });
    await observe(elsewhere).wallets.reward.withdraw({ amount: '4.5' });
    mock.advance('6 minutes');
    expect((await settled()).verdict).toBe('undecided');
  });

  it('is undecided when the only debit, of another device, is nearly four times the amount', async () => {
    const { mock, ada, reward, settled } = await setUp();
    mock.drop('wallets.reward.withdraw', 'before-processing');
    await rejection(reward.withdraw({ amount: '5' }));
    const elsewhere = observe(clientOf(mock, ada, new MapStore(), { journal: undefined }));
    for (const amount of ['19']) await elsewhere.wallets.reward.withdraw({ amount });
    mock.advance('6 minutes');
    expect((await settled()).verdict).toBe('undecided');
  });

  it('is not_executed when another request of the journal explains the debit', async () => {
    const { mock, reward, settled } = await setUp();
    mock.drop('wallets.reward.withdraw', 'before-processing');
    await rejection(reward.withdraw({ amount: '5' }));
    await reward.withdraw({ amount: '4.5' });
    mock.advance('6 minutes');
    expect((await settled()).verdict).toBe('not_executed');
  });

  it('is not explained by a reward that was credited, nor by an older withdrawal', async () => {
    const { mock, ada, observed, reward, settled } = await setUp();
    await reward.withdraw({ amount: '5' });
    mock.advance('2 hours');
    mock.drop('wallets.reward.withdraw', 'before-processing');
    await rejection(reward.withdraw({ amount: '5' }));
    observed.creditReward(ada, { amount: '5' });
    mock.advance('6 minutes');
    expect((await settled()).verdict).toBe('not_executed');
  });

  it('is undecided while the service shows no reward wallet', async () => {
    const { mock, reward, lookUp } = await setUp();
    mock.drop('wallets.reward.withdraw', 'after-processing');
    await rejection(reward.withdraw({ amount: '5' }));
    mock.fail('wallets.reward.get', 404);
    expect(await lookUp()).toMatchObject({
      verdict: 'undecided',
      reason: 'the service shows no reward wallet',
    });
  });
});
