import { Transaction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { afterReload } from '../../delegation/scripted-world.js';
import { TOKEN_PROGRAM } from './cluster.js';
import { setUpScene } from './scene.js';

describe('the status of the approval', () => {
  it.each([
    ['confirmed', 'confirmed', true],
    ['confirmed', 'finalized', true],
    ['finalized', 'finalized', true],
    ['confirmed', 'processed', false],
    ['finalized', 'processed', false],
    ['finalized', 'confirmed', false],
  ] as const)('asked %s, found %s: enough is %s', async (commitment, found, isEnough) => {
    const scene = setUpScene();
    scene.cluster.lands = found;
    const { error } = await scene.fail({ commitment });
    if (isEnough) {
      expect(error).toBeUndefined();
      expect(scene.proofs).toHaveLength(1);
    } else {
      expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
      expect(scene.proofs).toEqual([]);
    }
  });

  it.each([
    ['confirmed', 'finalized'],
    ['confirmed', 'confirmed'],
    ['finalized', 'finalized'],
  ] as const)('asked %s, found %s by a later run: it is enough', async (commitment, later) => {
    const scene = setUpScene();
    scene.cluster.lands = 'processed';
    const { state } = await scene.fail({ commitment });
    for (const one of scene.cluster.transactions) one.status = later;
    await scene.run({ commitment, resume: state });
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it.each([
    ['confirmed', true],
    ['finalized', true],
    ['processed', false],
  ] as const)('a failure that is %s ends the flow: %s', async (status, ends) => {
    const scene = setUpScene();
    scene.cluster.tamper = (one) => ({ ...one, status, err: { InstructionError: [0, 'x'] } });
    const { error, state } = await scene.fail();
    expect(error).toMatchObject(
      ends
        ? { code: 'transaction_reverted', outcome: 'rejected' }
        : { code: 'confirmation_timeout', outcome: 'unknown' },
    );
    expect(state?.approval === undefined).toBe(ends);
  });

  it('is looked at every two seconds for three minutes', async () => {
    const scene = setUpScene();
    scene.cluster.lands = 'processed';
    const { error } = await scene.fail();
    expect(String(error)).toContain('not confirmed after 180000 ms');
    expect(scene.clock.waits).toEqual(Array(90).fill(2_000));
    // A node answers from a cache of the newest blocks otherwise.
    const looks = scene.cluster.calls.filter(({ method }) => method === 'getSignatureStatuses');
    expect(looks.length).toBeGreaterThan(90);
    for (const { params } of looks) expect(params).toEqual([{ searchTransactionHistory: true }]);
  });

  it.each([
    [10_000, 10_000, true],
    [10_000, 10_001, false],
  ])('time limit %i ms, confirmed after %i ms: %s', async (confirmationTimeout, at, isEnough) => {
    const scene = setUpScene();
    scene.cluster.lands = 'processed';
    scene.after(at, () => {
      for (const one of scene.cluster.transactions) one.status = 'confirmed';
    });
    const { error } = await scene.fail({ confirmationTimeout });
    expect(error === undefined).toBe(isEnough);
  });
});

describe('an approval that no node knows', () => {
  // A blockhash lives for 150 blocks, and the flow begins at 5,000.
  it.each([
    [5_150, false],
    [5_151, true],
  ])('at the finalized height %i it has expired: %s', async (height, hasExpired) => {
    const scene = setUpScene();
    scene.cluster.lands = undefined;
    scene.after(2_000, () => {
      scene.cluster.height = height;
    });
    const { error, state } = await scene.fail();
    expect(error).toMatchObject(
      hasExpired
        ? { code: 'transaction_expired', outcome: 'not_sent' }
        : { code: 'confirmation_timeout', outcome: 'unknown' },
    );
    expect(state?.approval === undefined).toBe(hasExpired);
    const commitments = scene.cluster.calls.filter(({ method }) => method === 'getEpochInfo');
    expect(new Set(commitments.map(({ params }) => params[0]))).toEqual(new Set(['finalized']));
  });

  it('is sent again, without a retry of the node', async () => {
    const scene = setUpScene();
    scene.cluster.lands = undefined;
    scene.after(4_000, () => {
      scene.cluster.lands = 'confirmed';
    });
    await scene.run();
    const [first, second] = scene.cluster.sent;
    expect(second).toEqual(first);
    const sends = scene.cluster.calls.filter(({ method }) => method === 'sendRawTransaction');
    expect(sends[0]?.params).toEqual([{ preflightCommitment: 'confirmed' }]);
    expect(sends[1]?.params).toEqual([{ maxRetries: 0, preflightCommitment: 'confirmed' }]);
    expect(scene.countOf('transaction')).toBe(1);
  });

  it.each([
    [5_999, false],
    [6_000, true],
  ])('a node that has reached slot %i proves it: %s', async (slot, proves) => {
    const scene = setUpScene();
    const { cluster } = scene;
    cluster.lands = undefined;
    const epoch = cluster.connection.getEpochInfo;
    cluster.connection.getEpochInfo = async (...args) => ({
      ...(await epoch(...args)),
      absoluteSlot: 6_000,
    });
    cluster.slot = slot;
    scene.after(2_000, () => {
      cluster.height = 5_151;
    });
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: proves ? 'transaction_expired' : 'confirmation_timeout' });
  });

  it('needs two looks where the connection reports no slots', async () => {
    const scene = setUpScene();
    const { getEpochInfo: _, ...connection } = scene.cluster.connection;
    scene.cluster.lands = undefined;
    scene.after(2_000, () => {
      scene.cluster.height = 5_151;
    });
    const { error } = await scene.fail({ node: connection });
    expect(error).toMatchObject({ code: 'transaction_expired' });
    expect(scene.clock.waits).toEqual([2_000, 2_000]);
    // Only on finalized blocks do all nodes agree.
    const heights = scene.cluster.calls.filter(({ method }) => method === 'getBlockHeight');
    expect(heights.length).toBeGreaterThan(1);
    for (const { params } of heights) expect(params).toEqual(['finalized']);
  });

  it('needs two looks where a status comes without the slot of its node', async () => {
    for (const arrives of [false, true]) {
      const scene = setUpScene();
      const { connection } = scene.cluster;
      const { getSignatureStatuses } = connection;
      connection.getSignatureStatuses = async (...args) => {
        const { value } = await getSignatureStatuses(...args);
        return { value };
      };
      scene.cluster.lands = undefined;
      scene.after(2_000, () => {
        scene.cluster.height = 5_151;
      });
      scene.after(4_000, () => {
        if (!arrives) return;
        scene.cluster.lands = 'confirmed';
        scene.cluster.execute(scene.cluster.sent[0] ?? new Uint8Array());
      });
      const { error } = await scene.fail();
      if (arrives) expect(error).toBeUndefined();
      else expect(error).toMatchObject({ code: 'transaction_expired' });
      expect(scene.clock.waits).toEqual([2_000, 2_000]);
      expect(scene.countOf('transaction')).toBe(1);
    }
  });

  it('lives as long as the newest blockhash, not as one that is finalized', async () => {
    const scene = setUpScene();
    const { cluster } = scene;
    cluster.lands = undefined;
    let tip = 5_000;
    // Finalized blocks are 32 behind. The node has no status of a newer one.
    cluster.connection.getLatestBlockhash = async (commitment) => ({
      blockhash: cluster.blockhash,
      lastValidBlockHeight: (commitment === 'processed' ? tip : tip - 32) + 150,
    });
    const wallet = {
      ...scene.wallet,
      // It puts in the newest blockhash, which is valid until 5,150.
      async signTransaction(bytes: Uint8Array) {
        const transaction = Transaction.from(bytes);
        transaction.recentBlockhash = TOKEN_PROGRAM;
        const changed = transaction.serialize({ requireAllSignatures: false });
        return (await scene.wallet.signTransaction?.(Uint8Array.from(changed))) ?? bytes;
      },
    };
    scene.after(2_000, () => {
      tip = 5_151;
      Object.assign(cluster, { height: tip - 32, slot: 6_119 });
    });
    scene.after(6_000, () => {
      cluster.lands = 'finalized';
      cluster.execute(cluster.sent[0] ?? new Uint8Array());
    });
    const { error } = await scene.fail({ wallet, commitment: 'finalized' });
    expect(error).toBeUndefined();
    expect(scene.countOf('transaction')).toBe(1);
  });

  it('that arrives while its expiry is read is confirmed at once', async () => {
    const scene = setUpScene();
    const { connection } = scene.cluster;
    const { getEpochInfo } = connection;
    scene.cluster.lands = undefined;
    connection.getEpochInfo = async (...args) => {
      scene.cluster.height = 5_151;
      scene.cluster.lands = 'confirmed';
      scene.cluster.execute(scene.cluster.sent[0] ?? new Uint8Array());
      scene.cluster.sent.length = 1;
      return getEpochInfo(...args);
    };
    await scene.run();
    expect(scene.clock.waits).toEqual([]);
    expect(scene.cluster.sent).toHaveLength(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it('needs two looks in a row: one that finds it still valid starts again', async () => {
    const scene = setUpScene();
    const { getEpochInfo: _, ...connection } = scene.cluster.connection;
    scene.cluster.lands = undefined;
    const heights = [5_151, 5_150, 5_151, 5_151];
    connection.getBlockHeight = async () => heights.shift() ?? 0;
    const { error } = await scene.fail({ node: connection });
    expect(error).toMatchObject({ code: 'transaction_expired' });
    expect(heights).toEqual([]);
  });

  it('that arrives between the two looks is not expired', async () => {
    const scene = setUpScene();
    const { getEpochInfo: _, ...connection } = scene.cluster.connection;
    scene.cluster.lands = undefined;
    scene.after(2_000, () => {
      scene.cluster.height = 5_151;
    });
    scene.after(4_000, () => {
      scene.cluster.lands = 'confirmed';
      scene.cluster.execute(scene.cluster.sent[0] ?? new Uint8Array());
    });
    await scene.run({ node: connection });
    expect(scene.proofs).toHaveLength(1);
  });

  it.each([
    undefined,
    null,
    -1,
    1.5,
    '5151',
    Number.NaN,
  ])('the height %s is no height', async (blockHeight) => {
    const scene = setUpScene();
    scene.cluster.lands = undefined;
    scene.cluster.connection.getEpochInfo = async () => ({
      absoluteSlot: 9_000,
      blockHeight: blockHeight as number,
    });
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
  });
});

describe('an approval whose token account is frozen afterwards', () => {
  it('may be on the chain, and is continued', async () => {
    const scene = setUpScene();
    scene.cluster.tamper = (one) => {
      scene.cluster.account.state = 2;
      return one;
    };
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({
      code: 'token_account_unusable',
      reason: 'frozen',
      outcome: 'unknown',
      next: 'resume',
    });
    expect(String(error)).not.toContain('Nothing was sent');
    scene.cluster.account.state = 1;
    await scene.run({ resume: state });
    expect(scene.countOf('transaction')).toBe(1);
  });
});

describe('a state that was saved', () => {
  it.each([
    'flow',
    'wallet',
  ] as const)('with its signature never leads to another approval: the %s sends', async (who) => {
    const scene = setUpScene();
    const wallet = who === 'flow' ? scene.wallet : scene.sendingWallet;
    const states = new Map<string, ReturnType<typeof afterReload>>();
    await scene.run({
      wallet,
      onProgress: ({ state }) => states.set(JSON.stringify(state), afterReload(state)),
    });
    const sent = [...states.values()].filter((state) => state?.approval?.transactionId);
    expect(new Set(sent.map((state) => state?.approval?.status))).toEqual(
      new Set(['sent', 'confirmed', 'verified']),
    );
    for (const state of sent) {
      const { error } = await scene.fail({ wallet, resume: state });
      expect(error).toBeUndefined();
      expect(scene.countOf('transaction')).toBe(1);
    }
  });

  it('without a response of the wallet never leads to another one while it may arrive', async () => {
    const scene = setUpScene();
    const wallet = scene.sendingWallet;
    const states = new Map<string, ReturnType<typeof afterReload>>();
    await scene.run({
      wallet,
      onProgress: ({ state }) => states.set(JSON.stringify(state), afterReload(state)),
    });
    const asked = [...states.values()].filter((state) => state?.approval?.status === 'requested');
    expect(asked.length).toBeGreaterThan(0);
    for (const state of asked) {
      const { error } = await scene.fail({ wallet, resume: state });
      expect(error).toBeUndefined();
      expect(scene.countOf('transaction')).toBe(1);
    }
  });
});
