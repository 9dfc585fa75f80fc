import { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { associatedTokenAccount } from '../../../src/solana/index.js';
import {
  approveData,
  DELEGATE,
  MINT,
  OTHER,
  type ScriptedTransaction,
  TOKEN_PROGRAM,
} from './cluster.js';
import { OWNER, setUpScene, UNITS } from './scene.js';

const listed = (allowance: string) => [
  { address: OWNER, currency: 'usdc', network: 'solana', allowance },
];

const approval = (account: string) => ({
  program: TOKEN_PROGRAM,
  accounts: [account, MINT, DELEGATE, OWNER],
  data: approveData(UNITS),
});

/** A wallet that has approved the limit before, and of which the flow knows nothing. */
function sceneWithApproval({ units = UNITS, delegate = DELEGATE } = {}) {
  const scene = setUpScene();
  const { account } = scene.cluster;
  Object.assign(account, { delegate, delegated: units });
  const accounts = [account.address, MINT, delegate, OWNER];
  const signature = scene.cluster.add(1, [
    { program: TOKEN_PROGRAM, accounts, data: approveData(units) },
  ]);
  // The balance changes after it.
  for (let number = 2; number < 5; number++) scene.cluster.add(number);
  return { ...scene, signature };
}

describe('a limit that is on the chain already', () => {
  it('and that the service lists, costs no prompt and no fee', async () => {
    const scene = sceneWithApproval();
    scene.service.registered = listed('100.5');
    scene.cluster.lamports = 0;
    const result = await scene.run();
    expect(scene.prompts).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
    expect(result).toMatchObject({ registration: 'found-in-wallets', amount: '100.5' });
    expect(result.transactionId).toBeUndefined();
  });

  it('and that the service does not have, is registered with its own transaction', async () => {
    const scene = sceneWithApproval();
    scene.cluster.lamports = 0;
    const result = await scene.run();
    expect(scene.prompts).toEqual(['message']);
    expect(result).toMatchObject({ registration: 'accepted', transactionId: scene.signature });
    expect(scene.proofs).toMatchObject([{ txHash: scene.signature, amount: '100.5' }]);
    expect(scene.cluster.sent).toEqual([]);
  });

  it('is registered with the transaction that set it, not with a later one that failed', async () => {
    const scene = sceneWithApproval();
    const { cluster } = scene;
    const failed = cluster.add(30, cluster.find(scene.signature)?.instructions);
    Object.assign(cluster.find(failed) ?? {}, { err: { InstructionError: [0, { Custom: 1 }] } });
    const result = await scene.run();
    expect(scene.prompts).toEqual(['message']);
    expect(result.transactionId).toBe(scene.signature);
  });

  it('is registered although the history says nothing of errors', async () => {
    const scene = sceneWithApproval();
    const { connection } = scene.cluster;
    const list = connection.getSignaturesForAddress;
    connection.getSignaturesForAddress = async (...args) =>
      (await list(...args)).map(({ signature }) => ({ signature, err: undefined }));
    const result = await scene.run();
    expect(scene.prompts).toEqual(['message']);
    expect(result.transactionId).toBe(scene.signature);
  });

  it.each<[string, Parameters<typeof sceneWithApproval>[0], object]>([
    ['is one unit lower', { units: UNITS - 1n }, {}],
    ['is one unit higher', { units: UNITS + 1n }, {}],
    ['is that of another delegate', { delegate: OTHER }, { replaceSpender: true }],
  ])('is not adopted if it %s', async (_, limit, options) => {
    const scene = sceneWithApproval(limit);
    scene.service.registered = listed('100.5');
    await scene.run(options);
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });

  it.each<[string, (account: string) => ScriptedTransaction['instructions'][number]]>([
    [
      'another amount, of which some is spent',
      (account) => ({ ...approval(account), data: approveData(UNITS + 5n) }),
    ],
    [
      'an approval without decimals',
      (account) => ({
        ...approval(account),
        accounts: [account, DELEGATE, OWNER],
        data: [4, ...approveData(UNITS).slice(1, 9)],
      }),
    ],
    [
      'an approval of another delegate',
      (account) => ({ ...approval(account), accounts: [account, MINT, OTHER, OWNER] }),
    ],
    [
      'a revocation',
      (account) => ({ ...approval(account), accounts: [account, OWNER], data: [5] }),
    ],
  ])('is not registered with an approval that %s has replaced since', async (_, replacing) => {
    const scene = sceneWithApproval();
    scene.cluster.add(10, [replacing(scene.cluster.account.address)]);
    await scene.run();
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.proofs).toHaveLength(1);
    expect(scene.proofs[0]).not.toMatchObject({ txHash: scene.signature });
  });

  it.each<[string, (account: string) => ScriptedTransaction['instructions'][number]]>([
    ['a transfer', (account) => ({ ...approval(account), data: [3, 1] })],
    ['an approval of another account', () => approval(OTHER)],
    ['another program', (account) => ({ ...approval(account), program: OTHER })],
  ])('is registered with an approval that %s follows', async (_, following) => {
    const scene = sceneWithApproval();
    scene.cluster.add(10, [following(scene.cluster.account.address)]);
    const result = await scene.run();
    expect(scene.prompts).toEqual(['message']);
    expect(result.transactionId).toBe(scene.signature);
  });

  it('is not registered with an approval after which one cannot be read, or used', async () => {
    for (const isShort of [true, false]) {
      const scene = sceneWithApproval();
      const { cluster } = scene;
      const { connection } = cluster;
      const read = connection.getTransaction;
      const newest = cluster.add(10, [approval(cluster.account.address)]);
      const found = cluster.find(newest);
      // The service takes no signature of 86 characters.
      if (isShort && found) found.signature = newest.slice(0, 86);
      connection.getTransaction = async (signature, config) =>
        signature === newest ? null : read(signature, config);
      await scene.run();
      expect(scene.prompts).toEqual(['message', 'transaction']);
    }
  });

  it('is approved again if the connection has no history', async () => {
    const scene = sceneWithApproval();
    const { getSignaturesForAddress: _, ...connection } = scene.cluster.connection;
    await scene.run({ node: connection });
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });

  it.each([
    [16, 0],
    [17, 1],
  ])('is looked for in the 20 newest transactions: %i newer ones more', async (newer, approvals) => {
    const scene = sceneWithApproval();
    for (let number = 0; number < newer; number++) scene.cluster.add(100 + number);
    await scene.run();
    expect(scene.countOf('transaction')).toBe(approvals);
  });

  it('has not expired with an approval that the user declined before', async () => {
    const scene = setUpScene();
    const { cluster } = scene;
    const wallet = {
      ...scene.wallet,
      signTransaction: () => Promise.reject(new Error('User rejected the request.')),
    };
    const { state } = await scene.fail({ wallet });
    expect(state?.notes).toMatchObject({ lastValidBlockHeight: '5150' });
    cluster.height = 6_000;
    const { account } = cluster;
    Object.assign(account, { delegate: DELEGATE, delegated: UNITS });
    const accounts = [account.address, MINT, DELEGATE, OWNER];
    const data = approveData(UNITS);
    const signature = cluster.add(1, [{ program: TOKEN_PROGRAM, accounts, data }]);
    // A fork: the node does not know it for a moment.
    const { getSignatureStatuses } = cluster.connection;
    let unknown = 2;
    cluster.connection.getSignatureStatuses = async (...args) =>
      unknown-- > 0 ? { context: { slot: 9_000 }, value: [null] } : getSignatureStatuses(...args);
    expect(await scene.run({ resume: state })).toMatchObject({ transactionId: signature });
    expect(scene.countOf('transaction')).toBe(0);
  });

  it('is not taken from a transaction that failed', async () => {
    const scene = sceneWithApproval();
    const found = scene.cluster.find(scene.signature);
    if (found) found.err = { InstructionError: [0, 'Custom'] };
    await scene.run();
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });
});

describe('a wallet is asked for nothing, and the service for no token, if', () => {
  const PDA = associatedTokenAccount({ owner: OWNER, mint: MINT });

  it.each([
    // 5,000 for the fee; the rest must be nothing, or the rent of an account.
    [0, 'insufficient_funds'],
    [4_999, 'insufficient_funds'],
    [5_000, undefined],
    [5_001, 'insufficient_funds'],
    [895_879, 'insufficient_funds'],
    [895_880, undefined],
  ])('it has %i lamports: %s', async (lamports, code) => {
    const scene = setUpScene();
    scene.cluster.lamports = lamports;
    const { error } = await scene.fail({ faucet: false });
    expect((error as { code?: string } | undefined)?.code).toBe(code);
    expect(scene.tokens.issued).toBe(code === undefined ? 1 : 0);
    expect(scene.prompts).toEqual(code === undefined ? ['message', 'transaction'] : []);
  });

  it('is asked with too few lamports if somebody else pays', async () => {
    const scene = setUpScene();
    scene.cluster.lamports = 0;
    await scene.run({ checkFunds: false });
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });

  it('its address is that of a program, which has no key', async () => {
    expect(PublicKey.isOnCurve(PDA)).toBe(false);
    const scene = setUpScene();
    const address = associatedTokenAccount({ owner: PDA, mint: MINT });
    Object.assign(scene.cluster.account, { owner: PDA, address });
    const { error } = await scene.fail({ wallet: { ...scene.wallet, address: PDA } });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });

  it('its account belongs to another program', async () => {
    const scene = setUpScene();
    scene.cluster.walletProgram = OTHER;
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
  });
});
