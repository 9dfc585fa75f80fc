import { describe, expect, it } from 'vitest';
import { runDelegation } from '../../../src/delegation/run-delegation.js';
import { delegationStateOf } from '../../../src/delegation/state.js';
import { isCardPlatformError } from '../../../src/errors/index.js';
import { createFakeDelegation } from '../support/fake-driver.js';
import { ToyChain } from './chain.js';
import { toyDriver } from './driver.js';
import { toyNode } from './node.js';
import type { ToyDelegation } from './plan.js';
import { ToyWalletApp, ToyWalletError, willingWallet } from './wallet.js';

const OWNER = 'owner';
const SPENDER = 'spender';

/** A user with a wallet on a toy chain, and a service that accepts every proof. */
function setUp(lifetime?: number) {
  const chain = new ToyChain('toy-1');
  const app = new ToyWalletApp(OWNER, chain);
  const { client, clock } = createFakeDelegation();
  const submitEvmApproval = async () => ({ success: true });
  const plan = (changes: Partial<ToyDelegation> = {}): ToyDelegation => ({
    client: { ...client, delegation: { ...client.delegation, submitEvmApproval } },
    wallet: willingWallet(app),
    node: presentNode(chain),
    chainId: chain.id,
    owner: OWNER,
    spender: SPENDER,
    amount: 50n,
    lifetime,
    runtime: {
      now: () => clock.now,
      sleep: async (milliseconds) => {
        clock.now += milliseconds;
        chain.advance(milliseconds);
      },
    },
    ...changes,
  });
  const delegate = (changes?: Partial<ToyDelegation>) => {
    const options = plan(changes);
    return runDelegation(toyDriver(options), options);
  };
  /** Runs a flow that must fail. Returns its error and its state. */
  const fail = async (changes?: Partial<ToyDelegation>) => {
    const error: unknown = await delegate(changes).catch((reason: unknown) => reason);
    if (!isCardPlatformError(error)) throw new Error('the flow did not fail', { cause: error });
    return { error, resume: delegationStateOf(error) };
  };
  /** The wallet sends the approval, and its response is lost. */
  const silent = {
    ...willingWallet(app),
    sendApproval: async (request: Parameters<ToyWalletApp['confirm']>[0]) => {
      app.confirm(request);
      throw new ToyWalletError(4900, 'disconnected');
    },
  };
  /** The wallet disconnects before it has sent anything. */
  const dead = {
    ...willingWallet(app),
    sendApproval: () => Promise.reject(new ToyWalletError(4900, 'disconnected')),
  };
  return { chain, app, clock, delegate, fail, silent, dead };
}

/** A node that always shows the current state. */
function presentNode(chain: ToyChain): ToyDelegation['node'] {
  return {
    chainId: () => toyNode(chain).chainId(),
    transaction: (id) => toyNode(chain).transaction(id),
    account: (owner) => toyNode(chain).account(owner),
    transactionsOf: (owner, after) => toyNode(chain).transactionsOf(owner, after),
    allowance: (owner, spender) => toyNode(chain).allowance(owner, spender),
  };
}

describe('the delegation state machine with the driver of a third kind of chain', () => {
  it('registers a wallet', async () => {
    const { chain, delegate } = setUp();
    const result = await delegate();
    expect(result).toMatchObject({ registration: 'accepted', network: 'toynet', amount: '50' });
    expect(chain.allowance(OWNER, SPENDER)).toBe(50n);
  });

  it('finds a lost approval by its notes', async () => {
    const { app, fail, delegate, silent } = setUp();
    const { error, resume } = await fail({ wallet: silent });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    await delegate({ resume });
    expect(app.sent).toHaveLength(1);
  });

  it('does not ask again while it is unknown whether the approval was sent', async () => {
    const { app, fail, delegate, dead } = setUp();
    const { resume } = await fail({ wallet: dead });
    expect((await fail({ resume })).error).toMatchObject({ code: 'approval_unknown' });
    await delegate({ resume, approveAgain: true });
    expect(app.sent).toHaveLength(1);
  });

  it('asks again once the chain proves that the approval was not sent', async () => {
    const { app, chain, fail, delegate, dead } = setUp(5);
    const { resume } = await fail({ wallet: dead });
    expect((await fail({ resume })).error).toMatchObject({ code: 'approval_unknown' });
    chain.advance(60_000);
    await delegate({ resume });
    expect(app.sent).toHaveLength(1);
  });

  it('asks again after a dropped approval, and only then', async () => {
    const { app, chain, fail, delegate } = setUp();
    chain.isCongested = true;
    const first = await fail();
    expect(first.error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect((await fail({ resume: first.resume })).error.code).toBe('confirmation_timeout');
    expect(app.sent).toHaveLength(1);
    chain.drop(app.sent[0]?.id ?? '');
    const second = await fail({ resume: first.resume });
    chain.isCongested = false;
    await delegate({ resume: second.resume });
    expect(app.sent).toHaveLength(2);
    expect(chain.minedUntil()).toHaveLength(1);
  });

  it('adopts the limit that the user set in the wallet, and no other difference', async () => {
    const { app, fail, delegate } = setUp();
    const editing = {
      ...willingWallet(app),
      sendApproval: async (request: Parameters<ToyWalletApp['confirm']>[0]) =>
        app.confirm(request, 20n).id,
    };
    const { error, resume } = await fail({ wallet: editing });
    expect(error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '20' });
    expect((await fail({ resume, amount: 30n })).error.code).toBe('state_mismatch');
    expect(await delegate({ resume, amount: 20n })).toMatchObject({ amount: '20' });
    expect(app.sent).toHaveLength(1);
  });

  it('refuses a saved state whose notes contradict its approval', async () => {
    const { chain, fail } = setUp();
    chain.isCongested = true;
    const { resume } = await fail();
    if (resume === undefined) throw new Error('there is no state');
    const changed = { ...resume, notes: { ...resume.notes, missing: `0x${'9'.repeat(64)}` } };
    expect((await fail({ resume: changed })).error).toMatchObject({
      code: 'state_mismatch',
      fields: ['notes.missing'],
    });
  });

  it('refuses a nonce that does not fit the message before the wallet is asked', async () => {
    const { app, fail } = setUp();
    const { client } = createFakeDelegation();
    const getToken = async () => ({ token: 'token', nonce: 'a b' });
    const submitEvmApproval = async () => ({ success: true });
    const { error } = await fail({
      client: { ...client, delegation: { getToken, submitEvmApproval } },
    });
    expect(error).toMatchObject({ code: 'nonce_not_allowed', outcome: 'not_sent' });
    expect(app.sent).toEqual([]);
  });

  it.each([
    ['fails', 'transaction_reverted', 'rejected'],
    ['is cancelled', 'transaction_cancelled', 'rejected'],
    ['is replaced', 'transaction_replaced', 'unknown'],
  ])('asks again only after the user resumes, when the approval %s', async (how, code, outcome) => {
    const { app, chain, fail, delegate } = setUp();
    chain.isCongested = how !== 'fails';
    chain.failsNext = how === 'fails';
    const first = how === 'fails' ? await fail() : await afterReplacement();
    expect(first.error).toMatchObject({ code, outcome });
    await delegate({ resume: first.resume });
    expect(chain.allowance(OWNER, SPENDER)).toBe(50n);

    async function afterReplacement() {
      const late = await fail();
      const [sent] = app.sent;
      if (how === 'is cancelled') app.cancel(sent?.id ?? '');
      else app.replace(sent?.id ?? '', { spender: 'another', amount: 1n });
      chain.isCongested = false;
      return fail({ resume: late.resume });
    }
  });
});
