import { describe, expect, it } from 'vitest';
import {
  approveData,
  DELEGATE,
  MINT,
  OTHER,
  type ScriptedTransaction,
  TOKEN_2022,
  TOKEN_PROGRAM,
} from './cluster.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

const BUDGET = {
  program: 'ComputeBudget111111111111111111111111111111',
  accounts: [],
  data: [2, 0, 0, 1, 0],
};

/** Runs a flow whose wallet makes the cluster execute something else. */
async function tamper(
  change: (one: ScriptedTransaction, account: string) => ScriptedTransaction,
  options: { cap?: string } = {},
) {
  const scene = setUpScene();
  const { cluster } = scene;
  cluster.tamper = (one) => change(one, cluster.account.address);
  return { scene, ...(await scene.fail({ ...options, confirmationTimeout: 4_000 })) };
}

const approval = (account: string) => ({
  program: TOKEN_PROGRAM,
  accounts: [account, MINT, DELEGATE, OWNER],
  data: approveData(UNITS),
});

describe('an executed transaction that is not the requested approval registers nothing', () => {
  it.each<[string, string, (account: string) => ScriptedTransaction['instructions']]>([
    [
      'instructions',
      'a second approval of another delegate follows',
      (account) => [
        approval(account),
        { ...approval(account), accounts: [account, MINT, OTHER, OWNER] },
      ],
    ],
    [
      'instructions',
      'a second approval of another delegate comes first',
      (account) => [
        { ...approval(account), accounts: [account, MINT, OTHER, OWNER] },
        approval(account),
      ],
    ],
    [
      'instructions',
      'the same approval comes twice',
      (account) => [approval(account), approval(account)],
    ],
    [
      'instructions',
      'a transfer of the token program follows',
      (account) => [
        approval(account),
        {
          program: TOKEN_PROGRAM,
          accounts: [account, OTHER, OWNER],
          data: [3, 1, 0, 0, 0, 0, 0, 0, 0],
        },
      ],
    ],
    [
      'instructions',
      'a revocation follows',
      (account) => [
        approval(account),
        { program: TOKEN_PROGRAM, accounts: [account, OWNER], data: [5] },
      ],
    ],
    [
      'instructions',
      'a new authority of the account follows',
      (account) => [
        approval(account),
        { program: TOKEN_PROGRAM, accounts: [account, OWNER], data: [6, 2, 0] },
      ],
    ],
    ['instructions', 'there is none of the token program', () => [BUDGET]],
    ['instructions', 'there is none at all', () => []],
    [
      'instructions',
      'it is of the other token program',
      (account) => [{ ...approval(account), program: TOKEN_2022 }],
    ],
    [
      'tokenAccount',
      'it is for another token account',
      (account) => [{ ...approval(account), accounts: [OTHER, MINT, DELEGATE, OWNER] }],
    ],
    [
      'mint',
      'it is for another mint',
      (account) => [{ ...approval(account), accounts: [account, OTHER, DELEGATE, OWNER] }],
    ],
    [
      'delegate',
      'it is for another delegate',
      (account) => [{ ...approval(account), accounts: [account, MINT, OTHER, OWNER] }],
    ],
    [
      'owner',
      'it is by another owner',
      (account) => [{ ...approval(account), accounts: [account, MINT, DELEGATE, OTHER] }],
    ],
    [
      'owner',
      'it has an account fewer',
      (account) => [{ ...approval(account), accounts: [account, MINT, DELEGATE] }],
    ],
    [
      'accounts',
      'it has an account more',
      (account) => [{ ...approval(account), accounts: [account, MINT, DELEGATE, OWNER, OTHER] }],
    ],
    [
      'amount',
      'it has other decimals',
      (account) => [{ ...approval(account), data: approveData(UNITS, 5) }],
    ],
    [
      'amount',
      'it is an unchecked approval',
      (account) => [{ ...approval(account), data: [4, ...approveData(UNITS).slice(1)] }],
    ],
    [
      'amount',
      'it has a byte fewer',
      (account) => [{ ...approval(account), data: approveData(UNITS).slice(0, -1) }],
    ],
    [
      'amount',
      'it has a byte more',
      (account) => [{ ...approval(account), data: [...approveData(UNITS), 0] }],
    ],
  ])('%s: %s', async (field, _, instructions) => {
    const { scene, error, state } = await tamper((one, account) => ({
      ...one,
      instructions: instructions(account),
    }));
    expect(error).toMatchObject({
      code: 'approval_mismatch',
      field,
      outcome: 'executed',
      approvedAmount: undefined,
    });
    expect(scene.proofs).toEqual([]);
    expect(state?.notes['approved']).toBeUndefined();
  });

  it.each([
    [UNITS - 1n, '100.499999'],
    [UNITS + 1n, '100.500001'],
    [1n, '0.000001'],
    [2n ** 63n, '9223372036854.775808'],
  ])('amount: it approves %s base units', async (units, approvedAmount) => {
    const { scene, error, state } = await tamper((one, account) => ({
      ...one,
      instructions: [{ ...approval(account), data: approveData(units) }],
    }));
    expect(error).toMatchObject({ code: 'approval_mismatch', field: 'amount', approvedAmount });
    expect(state?.notes['approved']).toBe(String(units));
    expect(scene.proofs).toEqual([]);
  });

  it.each([
    [0n, '0'],
    [2n ** 63n + 1n, '9223372036854.775809'],
    [2n ** 64n - 1n, '18446744073709.551615'],
  ])('amount: it approves %s base units, for which no delegation can ask', async (units, approvedAmount) => {
    const { scene, error, state } = await tamper((one, account) => ({
      ...one,
      instructions: [{ ...approval(account), data: approveData(units) }],
    }));
    expect(error).toMatchObject({ code: 'approval_mismatch', next: 'replace', approvedAmount });
    expect(state?.notes['approved']).toBeUndefined();
    expect(scene.proofs).toEqual([]);
  });

  it.each([
    [150_000_000n, 'resume'],
    [150_000_001n, 'replace'],
  ])('amount: it approves %s base units of a delegation with a cap of 150: %s', async (units, next) => {
    const { error } = await tamper(
      (one, account) => ({
        ...one,
        instructions: [{ ...approval(account), data: approveData(units) }],
      }),
      { cap: '150' },
    );
    expect(error).toMatchObject({ code: 'approval_mismatch', next });
  });

  it('a changed amount can be adopted without another approval', async () => {
    const { scene, state } = await tamper((one, account) => ({
      ...one,
      instructions: [{ ...approval(account), data: approveData(50_000_000n) }],
    }));
    await scene.run({ resume: state, amount: '50' });
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.proofs).toMatchObject([{ amount: '50' }]);
  });
});

describe('a transaction with the requested approval is accepted', () => {
  it.each<[string, (account: string) => Partial<ScriptedTransaction>]>([
    [
      'with instructions of other programs around it',
      (account) => ({
        instructions: [
          BUDGET,
          approval(account),
          { program: OTHER, accounts: [account], data: [1] },
        ],
      }),
    ],
    ['with addresses from a lookup table', () => ({ looked: [MINT, DELEGATE] })],
  ])('%s', async (_, change) => {
    const scene = setUpScene();
    scene.cluster.tamper = (one) => ({ ...one, ...change(scene.cluster.account.address) });
    await scene.run();
    expect(scene.proofs).toHaveLength(1);
  });

  it.each([
    [10_000, true],
    [10_001, false],
  ])('when a node shows it %i ms after its status, with a limit of ten seconds: %s', async (at, isInTime) => {
    const scene = setUpScene();
    const { connection } = scene.cluster;
    const read = connection.getTransaction;
    connection.getTransaction = () => Promise.resolve(null);
    scene.after(at, () => {
      connection.getTransaction = read;
    });
    const { error } = await scene.fail({ confirmationTimeout: 10_000 });
    if (isInTime) expect(error).toBeUndefined();
    else expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(scene.proofs).toHaveLength(isInTime ? 1 : 0);
  });

  it('of Token-2022', async () => {
    const scene = setUpScene(TOKEN_2022);
    await scene.run();
    expect(scene.proofs).toHaveLength(1);
  });
});

describe('what the chain shows after the approval', () => {
  const leave = async (
    change: (account: { delegate: string | undefined; delegated: bigint }, scene: Scene) => void,
    options: object = {},
  ) => {
    const scene = setUpScene();
    const { cluster } = scene;
    const read = cluster.connection.getTransaction;
    cluster.connection.getTransaction = async (...args) => {
      change(cluster.account, scene);
      return read(...args);
    };
    return { scene, ...(await scene.fail(options)) };
  };

  it.each<[string, string | undefined, bigint]>([
    ['everything', DELEGATE, UNITS],
    ['one unit', DELEGATE, 1n],
    ['nothing: it was spent', undefined, 0n],
  ])('%s is left', async (_, delegate, delegated) => {
    const { scene, error } = await leave((account) =>
      Object.assign(account, { delegate, delegated }),
    );
    expect(error).toBeUndefined();
    expect(scene.proofs).toHaveLength(1);
  });

  it.each<[string, string, bigint]>([
    ['one unit more', DELEGATE, UNITS + 1n],
    ['another delegate', OTHER, UNITS],
    ['another delegate with less', OTHER, 1n],
    ['another delegate with nothing', OTHER, 0n],
  ])('%s comes from another approval', async (_, delegate, delegated) => {
    const { scene, error } = await leave((account) =>
      Object.assign(account, { delegate, delegated }),
    );
    expect(error).toMatchObject({ code: 'allowance_raced', outcome: 'executed' });
    expect(scene.proofs).toEqual([]);
    // A node may be behind for 15 seconds, and is asked each second.
    expect(scene.clock.waits).toEqual(Array(15).fill(1_000));
  });

  it.each([
    [14_000, 14],
    [15_000, 15],
    [16_000, 15],
  ])('is read for 15 seconds, and no longer than %i ms', async (confirmationTimeout, waits) => {
    const raise = (account: { delegated: bigint }) => {
      account.delegated = UNITS + 1n;
    };
    const { scene, error } = await leave(raise, { confirmationTimeout });
    expect(error).toMatchObject({ code: 'allowance_raced' });
    expect(scene.clock.waits).toEqual(Array(waits).fill(1_000));
  });

  it('is read once more after 14,999 ms', async () => {
    const { scene, error } = await leave((account, { clock, cluster: { connection } }) => {
      account.delegated = UNITS + 1n;
      const list = connection.getMultipleAccountsInfo;
      // The first read takes so long that the last but one begins after 14,999 ms.
      connection.getMultipleAccountsInfo = (...args) => {
        connection.getMultipleAccountsInfo = list;
        clock.now += 999;
        return list(...args);
      };
    });
    expect(error).toMatchObject({ code: 'allowance_raced' });
    expect(scene.clock.waits).toEqual(Array(15).fill(1_000));
  });
});
