import { describe, expect, it } from 'vitest';
import { approveData, DELEGATE, MINT, OTHER, TOKEN_PROGRAM } from './cluster.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

/** A wallet whose response is lost: it may have sent the approval, or not. */
async function loseResponse(scene: Scene, hasSent: boolean) {
  const wallet = {
    ...scene.sendingWallet,
    sendTransaction: async (
      ...args: Parameters<NonNullable<typeof scene.sendingWallet.sendTransaction>>
    ) => {
      if (hasSent) await scene.sendingWallet.sendTransaction?.(...args);
      throw new Error('the connection to the wallet was lost');
    },
  };
  const { error, state } = await scene.fail({ wallet });
  expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
  expect(state?.approval).toEqual({ status: 'requested' });
  return state;
}

const resume = (scene: Scene, state: Awaited<ReturnType<typeof loseResponse>>, more: object = {}) =>
  scene.fail({ wallet: scene.sendingWallet, resume: state, ...more });

/** After this height, no transaction of the first run can execute. */
const expire = (scene: Scene) => {
  scene.cluster.height = 6_000;
};

describe('an approval whose signature was lost', () => {
  it.each([0, 1, 97, 98, 99])('is found among %i later transactions', async (later) => {
    const scene = setUpScene();
    scene.cluster.add(0);
    const state = await loseResponse(scene, true);
    for (let number = 1; number <= later; number++) scene.cluster.add(number);
    expire(scene);
    const before = scene.countOf('transaction');
    const { error } = await resume(scene, state);
    expect(error).toBeUndefined();
    expect(scene.countOf('transaction')).toBe(before);
    expect(scene.proofs).toHaveLength(1);
  });

  it('is asked for again if a complete history does not have it', async () => {
    const scene = setUpScene();
    scene.cluster.add(0);
    const state = await loseResponse(scene, false);
    expire(scene);
    const { error } = await resume(scene, state);
    expect(error).toBeUndefined();
    expect(scene.countOf('transaction')).toBe(1);
  });

  it('is not missing from a history that ends before it had expired', async () => {
    const scene = setUpScene();
    const state = await loseResponse(scene, true);
    expire(scene);
    scene.cluster.slot = 7_000;
    const { connection } = scene.cluster;
    const list = connection.getSignaturesForAddress;
    // A node that is behind: it refuses to answer for a slot that it has not reached.
    connection.getSignaturesForAddress = async (
      of,
      { minContextSlot = 0, ...config },
      commitment,
    ) => {
      if (minContextSlot > 6_999) throw new Error('Minimum context slot has not been reached');
      scene.cluster.transactions.length = 0;
      return list(of, config, commitment);
    };
    const { error } = await resume(scene, state);
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(scene.countOf('transaction')).toBe(1);
  });

  it('is missing only after two looks where the connection reports no slots', async () => {
    for (const hasSent of [true, false]) {
      const scene = setUpScene();
      const old = scene.cluster.add(0);
      const { getEpochInfo: _, ...node } = scene.cluster.connection;
      const state = await loseResponse(scene, hasSent);
      // The limit is spent, so that it does not show the approval.
      scene.cluster.account.delegated = 0n;
      expire(scene);
      scene.clock.waits.length = 0;
      const list = node.getSignaturesForAddress;
      let looks = 0;
      // The first of the nodes behind the URL lags.
      node.getSignaturesForAddress = async (...args) =>
        ++looks === 1 ? [{ signature: old, err: null }] : list(...args);
      const { error } = await resume(scene, state, { node });
      // One is read before the wallet is asked.
      expect(looks).toBe(hasSent ? 2 : 3);
      expect(scene.clock.waits).toEqual([2_000]);
      expect(scene.countOf('transaction')).toBe(1);
      if (!hasSent) expect(error).toBeUndefined();
    }
  });

  it('is found in a history that says nothing of errors', async () => {
    const scene = setUpScene();
    scene.cluster.add(0);
    const state = await loseResponse(scene, true);
    scene.cluster.account.delegated = UNITS - 1n;
    expire(scene);
    const { connection } = scene.cluster;
    const list = connection.getSignaturesForAddress;
    connection.getSignaturesForAddress = async (...args) =>
      (await list(...args)).map(({ signature }) => ({ signature, err: undefined }));
    await resume(scene, state);
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it('is not looked for twice while its blockhash lives: it may still arrive', async () => {
    const scene = setUpScene();
    const state = await loseResponse(scene, false);
    // Without slots, one look at a node that may lag proves nothing.
    const { getEpochInfo: _, ...connection } = scene.cluster.connection;
    let looks = 0;
    const node: typeof connection = {
      ...connection,
      getSignaturesForAddress(...args) {
        // With a limit of 1, the flow reads the newest one before it asks the wallet.
        if (args[1].limit !== 1) looks++;
        return connection.getSignaturesForAddress(...args);
      },
    };
    for (const [height, expected] of [
      [5_150, 1],
      [5_151, 2],
    ] as const) {
      looks = 0;
      scene.cluster.height = height;
      const { error } = await resume(scene, state, { node });
      if (expected === 1) expect(error).toMatchObject({ code: 'approval_unknown' });
      else expect(error).toBeUndefined();
      expect(looks).toBe(expected);
    }
  });

  it('may still arrive while its blockhash lives: nothing is asked, even with approveAgain', async () => {
    for (const [height, isOver] of [
      [5_150, false],
      [5_151, true],
    ] as const) {
      const scene = setUpScene();
      const state = await loseResponse(scene, false);
      scene.cluster.height = height;
      const { error } = await resume(scene, state, { approveAgain: true });
      if (isOver) expect(error).toBeUndefined();
      else expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
      expect(scene.countOf('transaction')).toBe(isOver ? 1 : 0);
    }
  });
});

describe('an approval that the user changed in the wallet, and whose signature was lost', () => {
  const edit = (scene: Scene, units: bigint) => {
    scene.cluster.tamper = (one) => ({
      ...one,
      instructions: one.instructions.map((each) =>
        each.data[0] === 13 ? { ...each, data: approveData(units) } : each,
      ),
    });
  };
  const withLimit = (scene: Scene, units: bigint) => ({
    program: TOKEN_PROGRAM,
    data: approveData(units),
    accounts: [scene.cluster.account.address, MINT, DELEGATE, OWNER],
  });

  it.each([1n, UNITS - 1n, UNITS + 1n])('is found with a limit of %s', async (units) => {
    const scene = setUpScene();
    scene.cluster.add(0);
    edit(scene, units);
    const state = await loseResponse(scene, true);
    scene.cluster.add(1);
    expire(scene);
    const { error } = await resume(scene, state);
    expect(error).toMatchObject({ code: 'approval_mismatch', field: 'amount' });
    expect(error).toMatchObject({ transactionId: scene.cluster.transactions[1]?.signature });
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.proofs).toEqual([]);
  });

  it('is found beside another instruction', async () => {
    const scene = setUpScene();
    scene.cluster.add(0);
    scene.cluster.tamper = (one) => ({
      ...one,
      instructions: [...one.instructions, { ...withLimit(scene, 1n), data: [3, 1] }],
    });
    const state = await loseResponse(scene, true);
    expire(scene);
    const { error } = await resume(scene, state);
    expect(error).toMatchObject({ code: 'approval_mismatch', field: 'instructions' });
    expect(error).toMatchObject({ transactionId: scene.cluster.transactions[0]?.signature });
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.proofs).toEqual([]);
  });

  it.each([
    ['of another delegate', { accounts: [MINT, OTHER, OWNER] }],
    ['of another program', { program: OTHER }],
    ['that is not an approval', { data: [3, 1] }],
  ])('is not one %s: the wallet is asked again', async (_, change) => {
    const scene = setUpScene();
    scene.cluster.add(0);
    const state = await loseResponse(scene, false);
    const { accounts = [], ...rest } = { ...withLimit(scene, 1n), ...change };
    const own = scene.cluster.account.address;
    const all = accounts.length === 3 ? [own, ...accounts] : accounts;
    scene.cluster.add(1, [{ ...rest, accounts: all }]);
    expire(scene);
    const { error } = await resume(scene, state);
    expect(error).toBeUndefined();
    expect(scene.countOf('transaction')).toBe(1);
  });

  it.each(['before', 'after'])('gives way to the requested limit %s it', async (when) => {
    const scene = setUpScene();
    scene.cluster.add(0);
    const state = await loseResponse(scene, false);
    if (when === 'after') scene.cluster.add(1, [withLimit(scene, UNITS - 1n)]);
    const requested = scene.cluster.add(2, [withLimit(scene, UNITS)]);
    if (when === 'before') scene.cluster.add(3, [withLimit(scene, UNITS - 1n)]);
    Object.assign(scene.cluster.account, { delegate: DELEGATE, delegated: UNITS });
    expire(scene);
    const { error } = await resume(scene, state);
    expect(error).toBeUndefined();
    expect(scene.proofs).toMatchObject([{ txHash: requested }]);
    expect(scene.countOf('transaction')).toBe(0);
  });

  it('is the newest one, if there are several', async () => {
    const scene = setUpScene();
    scene.cluster.add(0);
    const state = await loseResponse(scene, false);
    scene.cluster.add(1, [withLimit(scene, 1n)]);
    const newest = scene.cluster.add(2, [withLimit(scene, 2n)]);
    expire(scene);
    const { error } = await resume(scene, state);
    expect(error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '0.000002' });
    expect(error).toMatchObject({ transactionId: newest });
    expect(scene.countOf('transaction')).toBe(0);
  });

  it.each([
    1n,
    UNITS,
  ])('proves nothing with a limit of %s if the history lacks what was the newest before', async (units) => {
    const scene = setUpScene();
    scene.cluster.add(0);
    const state = await loseResponse(scene, false);
    // It may be older than what the wallet was asked for.
    scene.cluster.transactions.length = 0;
    scene.cluster.add(1, [withLimit(scene, units)]);
    expire(scene);
    const { error } = await resume(scene, state);
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.countOf('transaction')).toBe(0);
    expect(scene.proofs).toEqual([]);
  });

  it('proves nothing beside a transaction that cannot be read', async () => {
    const scene = setUpScene();
    scene.cluster.add(0);
    edit(scene, 1n);
    const state = await loseResponse(scene, true);
    const unreadable = scene.cluster.add(1);
    const { getTransaction } = scene.cluster.connection;
    scene.cluster.connection.getTransaction = async (signature, config) =>
      signature === unreadable ? null : getTransaction(signature, config);
    expire(scene);
    const { error } = await resume(scene, state);
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.countOf('transaction')).toBe(1);
  });
});

describe('a history that is not complete proves nothing', () => {
  const unproven = async (scene: Scene, change: () => void) => {
    const state = await loseResponse(scene, true);
    expire(scene);
    change();
    const before = scene.countOf('transaction');
    const { error } = await resume(scene, state);
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.countOf('transaction')).toBe(before);
    expect(scene.proofs).toEqual([]);
  };

  it('if it was pruned below the transaction that it must contain', async () => {
    const scene = setUpScene();
    scene.cluster.add(0);
    await unproven(scene, () => {
      scene.cluster.transactions = [];
    });
  });

  it('if it lacks the transaction that it must contain, and has others', async () => {
    const scene = setUpScene();
    scene.cluster.add(0);
    await unproven(scene, () => {
      scene.cluster.transactions = [];
      scene.cluster.add(1);
    });
  });

  it('if it is cut off after 100 transactions', async () => {
    const scene = setUpScene();
    scene.cluster.add(0);
    await unproven(scene, () => {
      for (let number = 0; number < 100; number++) scene.cluster.add(number + 1);
    });
  });

  it('if it is cut off after 100 transactions of an account that had none', async () => {
    const scene = setUpScene();
    await unproven(scene, () => {
      for (let number = 0; number < 100; number++) scene.cluster.add(number + 1);
    });
  });

  it('if one of its transactions cannot be read', async () => {
    const scene = setUpScene();
    scene.cluster.add(0);
    await unproven(scene, () => {
      scene.cluster.connection.getTransaction = async () => null;
    });
  });

  it('if the connection has none', async () => {
    const scene = setUpScene();
    const state = await loseResponse(scene, true);
    expire(scene);
    const { getSignaturesForAddress: _, ...connection } = scene.cluster.connection;
    const { error } = await resume(scene, state, { node: connection });
    expect(error).toMatchObject({ code: 'approval_unknown' });
    expect(scene.countOf('transaction')).toBe(1);
  });

  it('if the node could not list it before the wallet was asked', async () => {
    const scene = setUpScene();
    scene.cluster.add(0);
    const list = scene.cluster.connection.getSignaturesForAddress;
    scene.cluster.connection.getSignaturesForAddress = () => Promise.reject(new Error('410'));
    const state = await loseResponse(scene, false);
    expect(state?.notes['newestBefore']).toBeUndefined();
    scene.cluster.connection.getSignaturesForAddress = list;
    expire(scene);
    const { error } = await resume(scene, state);
    expect(error).toMatchObject({ code: 'approval_unknown' });
    expect(scene.countOf('transaction')).toBe(0);
  });
});

describe('a transaction of the history is not the approval', () => {
  const approval = { program: TOKEN_PROGRAM, data: approveData(UNITS) };
  it.each([
    ['if it was there before', 'before', [DELEGATE]],
    ['if it approves another delegate', 'after', [OTHER]],
  ] as const)('%s', async (_, when, [delegate]) => {
    const scene = setUpScene();
    const instruction = {
      ...approval,
      accounts: [scene.cluster.account.address, MINT, delegate, OWNER],
    };
    if (when === 'before') scene.cluster.add(1, [instruction]);
    else scene.cluster.add(0);
    const state = await loseResponse(scene, false);
    if (when === 'after') scene.cluster.add(1, [instruction]);
    expire(scene);
    const { error } = await resume(scene, state);
    expect(error).toBeUndefined();
    // The old one is not taken for the new one: the wallet is asked.
    expect(scene.countOf('transaction')).toBe(1);
  });

  it.each([true, false])('if it failed, and the history says so: %s', async (isSaid) => {
    const scene = setUpScene();
    scene.cluster.add(0);
    const { connection } = scene.cluster;
    const list = connection.getSignaturesForAddress;
    if (!isSaid) {
      connection.getSignaturesForAddress = async (...args) =>
        (await list(...args)).map(({ signature }) => ({ signature, err: undefined }));
    }
    scene.cluster.tamper = (one) => ({ ...one, err: { InstructionError: [0, 'x'] } });
    const state = await loseResponse(scene, true);
    expire(scene);
    scene.cluster.tamper = (one) => one;
    // Another blockhash, or the signature would be that of the one that failed.
    scene.cluster.transactions = scene.cluster.transactions.map((one) =>
      one.err === null ? one : { ...one, signature: `5${one.signature.slice(1)}` },
    );
    const { error } = await resume(scene, state);
    expect(error).toBeUndefined();
    expect(scene.countOf('transaction')).toBe(2);
  });
});
