import { Transaction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { revokeSolanaDelegation, type SolanaRevocationOptions } from '../../../src/solana/index.js';
import { failureOf } from '../../delegation/scripted-world.js';
import { approveData, DELEGATE, MINT, OTHER, TOKEN_PROGRAM } from './cluster.js';
import { OWNER, setUpScene, UNITS } from './scene.js';

/** The scene with a limit on the chain. */
function setUpDelegated() {
  const scene = setUpScene();
  Object.assign(scene.cluster.account, { delegate: DELEGATE, delegated: UNITS });
  const options = (changes: Partial<SolanaRevocationOptions> = {}): SolanaRevocationOptions => {
    const { amount: _, ...rest } = scene.options();
    return { ...rest, ...changes };
  };
  return {
    ...scene,
    revoke: (changes?: Partial<SolanaRevocationOptions>) =>
      revokeSolanaDelegation(options(changes)),
    fail: (changes?: Partial<SolanaRevocationOptions>) =>
      failureOf(revokeSolanaDelegation(options(changes))),
    delegate: scene.fail,
  };
}

const signedBy = ({ cluster }: ReturnType<typeof setUpDelegated>) =>
  cluster.sent.flatMap((bytes) =>
    Transaction.from(bytes).instructions.map(({ programId, keys, data }) => ({
      program: programId.toBase58(),
      accounts: keys.map(({ pubkey }) => pubkey.toBase58()),
      data: [...data],
    })),
  );

describe('a revocation', () => {
  it('removes the delegate and proves a limit of zero', async () => {
    const scene = setUpDelegated();
    const result = await scene.revoke();
    expect(result).toMatchObject({ registration: 'accepted', amount: '0' });
    expect(scene.cluster.account).toMatchObject({ delegate: undefined, delegated: 0n });
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.proofs).toMatchObject([{ amount: '0', network: 'solana', currency: 'usdc' }]);
    expect(signedBy(scene)).toEqual([
      { program: TOKEN_PROGRAM, accounts: [scene.cluster.account.address, OWNER], data: [5] },
    ]);
  });

  it('with approve-zero approves the same delegate with zero', async () => {
    const scene = setUpDelegated();
    await scene.revoke({ revokeWith: 'approve-zero' });
    expect(scene.cluster.account).toMatchObject({ delegate: DELEGATE, delegated: 0n });
    expect(signedBy(scene)).toEqual([
      {
        program: TOKEN_PROGRAM,
        accounts: [scene.cluster.account.address, MINT, DELEGATE, OWNER],
        data: approveData(0n),
      },
    ]);
  });

  it('with submit: false needs no service and no message', async () => {
    const scene = setUpDelegated();
    const result = await scene.revoke({ submit: false });
    expect(result.registration).toBe('not-submitted');
    expect(scene.cluster.account.delegate).toBeUndefined();
    expect(scene.prompts).toEqual(['transaction']);
    expect(scene.tokens.issued).toBe(0);
    expect(scene.proofs).toEqual([]);
  });

  it.each([
    'revoke',
    'approve-zero',
  ] as const)('with %s proves nothing while the delegate can still spend', async (revokeWith) => {
    const scene = setUpDelegated();
    const { connection, account } = scene.cluster;
    const read = connection.getTransaction;
    connection.getTransaction = async (...args) => {
      Object.assign(account, { delegate: DELEGATE, delegated: 1n });
      return read(...args);
    };
    const { error } = await scene.fail({ revokeWith });
    expect(error).toMatchObject({ code: 'allowance_raced', outcome: 'executed' });
    expect(scene.proofs).toEqual([]);
  });

  it.each<[string, string | undefined, bigint]>([
    ['nobody', undefined, 0n],
    ['another delegate', OTHER, UNITS],
    ['the delegate with nothing', DELEGATE, 0n],
  ])('is complete when %s may spend afterwards', async (_, delegate, delegated) => {
    const scene = setUpDelegated();
    const { connection, account } = scene.cluster;
    const read = connection.getTransaction;
    connection.getTransaction = async (...args) => {
      Object.assign(account, { delegate, delegated });
      return read(...args);
    };
    expect(await scene.revoke()).toMatchObject({ registration: 'accepted' });
  });

  it.each<[string, (account: string) => { accounts: string[]; data: number[] }]>([
    ['tokenAccount', () => ({ accounts: [OTHER, OWNER], data: [5] })],
    ['owner', (account) => ({ accounts: [account, OTHER], data: [5] })],
    ['owner', (account) => ({ accounts: [account], data: [5] })],
    ['accounts', (account) => ({ accounts: [account, OWNER, OTHER], data: [5] })],
    ['amount', (account) => ({ accounts: [account, OWNER], data: [4] })],
  ])('that the wallet replaced is named: %s', async (field, instruction) => {
    const scene = setUpDelegated();
    const { cluster } = scene;
    cluster.tamper = (one) => ({
      ...one,
      instructions: [{ program: TOKEN_PROGRAM, ...instruction(cluster.account.address) }],
    });
    const { error, state } = await scene.fail({ confirmationTimeout: 4_000 });
    expect(error).toMatchObject({ code: 'approval_mismatch', field, approvedAmount: undefined });
    expect(state?.notes['approved']).toBeUndefined();
    expect(scene.proofs).toEqual([]);
  });

  it('does not remove another delegate unless the caller asks for it', async () => {
    const scene = setUpDelegated();
    scene.cluster.account.delegate = OTHER;
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'delegate_in_use', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
    await scene.revoke({ replaceSpender: true });
    expect(scene.cluster.account.delegate).toBeUndefined();
  });

  it.each<[string, object]>([
    ['revokeWith', { revokeWith: 'burn' }],
    ['submit', { submit: 'no' }],
    ['spender', { spender: 'x' }],
    ['spender', { spender: OWNER }],
    ['domain', { domain: '' }],
  ])('with an invalid %s is refused before anything happens', async (path, changes) => {
    const scene = setUpDelegated();
    const { error } = await scene.fail(changes);
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path }] });
    expect(scene.prompts).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
    expect(scene.cluster.calls).toEqual([]);
  });

  it('cannot be resumed as a delegation, or with the other instruction', async () => {
    const scene = setUpDelegated();
    const wallet = {
      ...scene.wallet,
      signTransaction: () => Promise.reject(new Error('User rejected the request.')),
    };
    const { error, state } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'user_rejected' });
    for (const other of [
      await scene.delegate({ resume: state }),
      await scene.fail({ resume: state, revokeWith: 'approve-zero' }),
    ]) {
      expect(other.error).toMatchObject({ code: 'state_mismatch', outcome: 'not_sent' });
    }
    expect(await scene.revoke({ resume: state })).toMatchObject({ registration: 'accepted' });
  });
});
