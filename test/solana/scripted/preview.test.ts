import { describe, expect, it } from 'vitest';
import {
  previewSolanaDelegation,
  type SolanaConnection,
  type SolanaDelegationOptions,
} from '../../../src/solana/index.js';
import {
  approveData,
  DELEGATE,
  MINT,
  OTHER,
  type ScriptedCluster,
  TOKEN_2022,
  TOKEN_PROGRAM,
} from './cluster.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

const preview = (scene: Scene, changes?: Partial<SolanaDelegationOptions>) =>
  previewSolanaDelegation(scene.options(changes));

type Simulate = NonNullable<SolanaConnection['simulateTransaction']>;

describe('a preview', () => {
  it.each([TOKEN_PROGRAM, TOKEN_2022])('shows limits, balances and fee: %s', async (program) => {
    const scene = setUpScene(program);
    Object.assign(scene.cluster.account, { delegate: DELEGATE, delegated: 5_500_000n });
    expect(await preview(scene)).toEqual({
      network: 'solana',
      currency: 'usdc',
      owner: OWNER,
      mint: MINT,
      decimals: 6,
      programAddress: program,
      tokenAccount: scene.cluster.account.address,
      hasTokenAccount: true,
      spender: DELEGATE,
      amount: '100.5',
      oldSpender: DELEGATE,
      oldLimit: '5.5',
      tokenBalance: '500',
      estimatedFee: '5000',
      nativeBalance: '10000000',
      needsFaucet: false,
      dryRun: 'passed',
      problems: [],
    });
    expect(scene.prompts).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
  });

  it.each<[string, (cluster: ScriptedCluster) => void, object]>([
    [
      'a frozen account',
      ({ account }) => Object.assign(account, { state: 2 }),
      { problems: [{ code: 'token-account-unusable', reason: 'frozen', isBlocking: true }] },
    ],
    [
      'an account for another mint',
      ({ account }) => Object.assign(account, { mint: OTHER }),
      { problems: [{ code: 'token-account-unusable', reason: 'wrong_mint' }] },
    ],
    [
      'other decimals',
      (cluster) => Object.assign(cluster, { decimals: 9 }),
      { problems: [{ code: 'token-account-unusable', reason: 'wrong_decimals' }] },
    ],
    [
      'a mint of another program',
      (cluster) => Object.assign(cluster, { program: OTHER }),
      { problems: [{ code: 'token-account-unusable', reason: 'wrong_program' }] },
    ],
    [
      'a delegate that cannot spend',
      (cluster) =>
        Object.assign(cluster, {
          delegateAccount: {
            data: new Uint8Array(),
            owner: { toBase58: () => OTHER },
            executable: true,
          },
        }),
      { problems: [{ code: 'token-account-unusable', reason: 'unusable_delegate' }] },
    ],
    [
      'a wallet that belongs to a program',
      (cluster) => Object.assign(cluster, { walletProgram: OTHER }),
      { problems: [{ code: 'unsupported-signature', isBlocking: true }] },
    ],
    [
      'another delegate',
      ({ account }) => Object.assign(account, { delegate: OTHER, delegated: 3n }),
      { problems: [{ code: 'delegate-in-use', isBlocking: true }], oldLimit: '0.000003' },
    ],
    [
      'no token account',
      ({ account }) => Object.assign(account, { exists: false }),
      {
        hasTokenAccount: false,
        tokenBalance: '0',
        oldSpender: null,
        oldLimit: '0',
        problems: [{ code: 'token-account-unusable', reason: 'not_found' }],
      },
    ],
  ])('reports %s, and does not try the approval', async (_, change, expected) => {
    const scene = setUpScene();
    change(scene.cluster);
    let tries = 0;
    scene.cluster.connection.simulateTransaction = async () => {
      tries++;
      return { value: { err: null, logs: [] } };
    };
    const found = await preview(scene);
    expect(found).toMatchObject({ dryRun: 'not-run', ...expected });
    expect(found.problems).toHaveLength(1);
    expect(tries).toBe(0);
  });

  it.each<[string, number, object]>([
    ['exactly the fee', 5_000, { needsFaucet: false, problems: [] }],
    [
      'one lamport less',
      4_999,
      { needsFaucet: true, problems: [{ code: 'no-gas', isBlocking: false }] },
    ],
    ['too little to keep', 895_879, { needsFaucet: true, problems: [{ code: 'no-gas' }] }],
    ['the fee and the rent', 895_880, { needsFaucet: false, problems: [] }],
  ])('of a wallet with %s', async (_, lamports, expected) => {
    const scene = setUpScene();
    scene.cluster.lamports = lamports;
    expect(await preview(scene)).toMatchObject({ nativeBalance: String(lamports), ...expected });
  });

  it('without the balance of the wallet does not guess', async () => {
    const scene = setUpScene();
    const read = scene.cluster.connection.getMultipleAccountsInfo;
    scene.cluster.connection.getMultipleAccountsInfo = async (...args) =>
      (await read(...args)).map((info) => info && { ...info, lamports: undefined });
    const found = await preview(scene);
    expect(found.nativeBalance).toBeUndefined();
    expect(found.needsFaucet).toBeUndefined();
    expect(found.problems).toEqual([]);
  });

  it('reports a balance below the limit, which does not prevent it', async () => {
    const scene = setUpScene();
    expect(await preview(scene, { amount: '500.000001' })).toMatchObject({
      problems: [{ code: 'balance-below-amount', isBlocking: false }],
    });
    expect((await preview(scene, { amount: '500' })).problems).toEqual([]);
  });

  it.each<[string, object]>([
    [
      '{"InstructionError":[0,{"Custom":17}]}',
      { code: 'token-account-unusable', reason: 'frozen' },
    ],
    ['"InsufficientFundsForFee"', { code: 'no-gas' }],
    ['"AccountNotFound"', { code: 'no-gas' }],
    ['{"InstructionError":[0,"Other"]}', { code: 'approval-refused', isBlocking: true }],
  ])('tries the approval, and reports the failure %s', async (err, problem) => {
    const scene = setUpScene();
    const asked: Parameters<Simulate>[] = [];
    scene.cluster.connection.simulateTransaction = async (...args) => {
      asked.push(args);
      const logs = err.includes('Custom')
        ? [`Program ${TOKEN_PROGRAM} failed: custom program error: 0x11`]
        : null;
      return { value: { err: JSON.parse(err), logs } };
    };
    expect(await preview(scene)).toMatchObject({ dryRun: 'failed', problems: [problem] });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.[1]).toEqual({
      commitment: 'confirmed',
      replaceRecentBlockhash: true,
      sigVerify: false,
    });
    // The approval itself: its instruction is the last part of the transaction.
    const bytes = asked[0]?.[0].serialize() ?? new Uint8Array();
    expect([...bytes.slice(-10)]).toEqual(approveData(UNITS));
  });

  it('names a lack of coins once', async () => {
    const scene = setUpScene();
    scene.cluster.lamports = 0;
    scene.cluster.connection.simulateTransaction = async () => ({
      value: { err: 'AccountNotFound', logs: [] },
    });
    const { problems } = await preview(scene);
    expect(problems.map(({ code }) => code)).toEqual(['no-gas']);
  });

  it('does without a simulation that the connection or the node lacks', async () => {
    const scene = setUpScene();
    const { simulateTransaction: _, ...without } = scene.cluster.connection;
    expect(await preview(scene, { node: without })).toMatchObject({
      dryRun: 'not-run',
      problems: [],
    });
    scene.cluster.connection.simulateTransaction = () => Promise.reject(new Error('-32601'));
    expect(await preview(scene)).toMatchObject({ dryRun: 'not-run', problems: [] });
  });

  it('ends with chain_unreadable when the node fails', async () => {
    const scene = setUpScene();
    scene.cluster.connection.getMultipleAccountsInfo = () => Promise.reject(new Error('500'));
    await expect(preview(scene)).rejects.toMatchObject({
      code: 'chain_unreadable',
      outcome: 'not_sent',
    });
    expect(scene.clock.waits).toEqual(Array(5).fill(1_000));
  });
});
