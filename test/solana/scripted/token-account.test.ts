import { describe, expect, it } from 'vitest';
import { readDelegation } from '../../../src/solana/index.js';
import {
  DELEGATE,
  MINT,
  OTHER,
  type ScriptedCluster,
  SYSTEM_PROGRAM,
  TOKEN_2022,
  TOKEN_PROGRAM,
} from './cluster.js';
import { OWNER, setUpScene, UNITS } from './scene.js';

const ownedBy = (owner: string, executable = false) => ({
  data: new Uint8Array(82),
  owner: { toBase58: () => owner },
  executable,
});

/** Runs a flow over accounts with which it must end before the wallet is asked. */
async function refuse(change: (cluster: ScriptedCluster) => void, options: object = {}) {
  const scene = setUpScene();
  change(scene.cluster);
  const found = await scene.fail(options);
  expect(scene.prompts).toEqual([]);
  expect(scene.cluster.sent).toEqual([]);
  expect(found.error).toMatchObject({ outcome: 'not_sent' });
  return { scene, ...found };
}

describe('accounts with which nothing can be approved', () => {
  it.each<[string, string, (cluster: ScriptedCluster) => void]>([
    ['wrong_decimals', 'has fewer decimals', (cluster) => Object.assign(cluster, { decimals: 5 })],
    ['wrong_decimals', 'has more decimals', (cluster) => Object.assign(cluster, { decimals: 7 })],
    ['wrong_decimals', 'has no decimals', (cluster) => Object.assign(cluster, { decimals: 0 })],
    [
      'wrong_program',
      'belongs to no token program',
      (cluster) => Object.assign(cluster, { program: OTHER }),
    ],
  ])('%s: the mint %s', async (reason, _, change) => {
    const { error } = await refuse(change);
    expect(error).toMatchObject({ code: 'token_account_unusable', reason });
  });

  it('mint_not_found: the address of the mint holds something else', async () => {
    const { error } = await refuse((cluster) => {
      const read = cluster.connection.getMultipleAccountsInfo;
      cluster.connection.getMultipleAccountsInfo = async (addresses, commitment) => {
        const [mint, ...others] = await read(addresses, commitment);
        return [mint ? { ...mint, data: new Uint8Array(10) } : null, ...others];
      };
    });
    expect(error).toMatchObject({ code: 'token_account_unusable', reason: 'mint_not_found' });
  });

  it('wrong_program: the mint belongs to the token program that was not given', async () => {
    const token = { mint: MINT, decimals: 6, programAddress: TOKEN_2022 };
    const { error } = await refuse(() => {}, { token });
    expect(error).toMatchObject({ code: 'token_account_unusable', reason: 'wrong_program' });
  });

  it.each<[string, string, (account: ScriptedCluster['account']) => object]>([
    ['wrong_owner', 'belongs to another wallet', () => ({ owner: OTHER })],
    ['wrong_mint', 'is for another mint', () => ({ mint: OTHER })],
    ['frozen', 'is frozen', () => ({ state: 2 })],
    ['not_found', 'is not initialized', () => ({ state: 0 })],
  ])('%s: the token account %s', async (reason, _, change) => {
    const tokenAccount = setUpScene().cluster.account.address;
    const { error } = await refuse(
      ({ account }) => void Object.assign(account, change(account)),
      // The address stays known, whoever owns it.
      { tokenAccount },
    );
    expect(error).toMatchObject({ code: 'token_account_unusable', reason });
  });

  it.each([
    ['a program', ownedBy(SYSTEM_PROGRAM, true)],
    ['an account of the token program', ownedBy(TOKEN_PROGRAM)],
    ['an account of Token-2022', ownedBy(TOKEN_2022)],
  ])('unusable_delegate: the delegate is %s', async (_, account) => {
    const { error } = await refuse((cluster) => {
      cluster.delegateAccount = account;
    });
    expect(error).toMatchObject({ code: 'token_account_unusable', reason: 'unusable_delegate' });
  });

  it.each([null, ownedBy(SYSTEM_PROGRAM)])('the delegate %o can spend', async (account) => {
    const scene = setUpScene();
    scene.cluster.delegateAccount = account;
    await scene.run();
    expect(scene.proofs).toHaveLength(1);
  });
});

describe('a node that lags before the approval', () => {
  it.each([
    [5_000, true],
    [5_001, false],
  ])('and shows the token account after %i ms is in time: %s', async (at, isInTime) => {
    const scene = setUpScene();
    scene.cluster.account.exists = false;
    scene.after(at, () => {
      scene.cluster.account.exists = true;
    });
    const { error } = await scene.fail();
    if (isInTime) expect(error).toBeUndefined();
    else expect(error).toMatchObject({ reason: 'not_found', outcome: 'not_sent' });
    expect(scene.countOf('transaction')).toBe(isInTime ? 1 : 0);
  });

  it('or fails is asked each second, and the flow ends after the sixth time', async () => {
    const scene = setUpScene();
    scene.cluster.connection.getMultipleAccountsInfo = () => Promise.reject(new Error('429'));
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(scene.clock.waits).toEqual(Array(5).fill(1_000));
    expect(scene.prompts).toEqual([]);
  });

  it('or fails is asked once more after 4,999 ms', async () => {
    const scene = setUpScene();
    // The first read takes so long that the last but one begins after 4,999 ms.
    let took = 999;
    scene.cluster.connection.getMultipleAccountsInfo = () => {
      scene.clock.now += took;
      took = 0;
      return Promise.reject(new Error('429'));
    };
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(scene.clock.waits).toEqual(Array(5).fill(1_000));
  });
});

describe('another delegate of the token account', () => {
  it.each([1n, 2n ** 64n - 1n])('that may spend %s units is not replaced', async (delegated) => {
    const { error } = await refuse(({ account }) => {
      Object.assign(account, { delegate: OTHER, delegated });
    });
    expect(error).toMatchObject({
      code: 'delegate_in_use',
      delegate: OTHER,
      delegatedAmount: String(delegated),
    });
  });

  it('that may spend nothing any more is replaced', async () => {
    const scene = setUpScene();
    Object.assign(scene.cluster.account, { delegate: OTHER, delegated: 0n });
    await scene.run();
    expect(scene.cluster.account).toMatchObject({ delegate: DELEGATE, delegated: UNITS });
  });

  it('is replaced if the caller asks for it', async () => {
    const scene = setUpScene();
    Object.assign(scene.cluster.account, { delegate: OTHER, delegated: 7n });
    await scene.run({ replaceSpender: true });
    expect(scene.cluster.account).toMatchObject({ delegate: DELEGATE, delegated: UNITS });
  });

  it('that appears after the message was signed is not replaced', async () => {
    const scene = setUpScene();
    const { signMessage } = scene.wallet;
    const wallet = {
      ...scene.wallet,
      signMessage(text: Uint8Array) {
        Object.assign(scene.cluster.account, { delegate: OTHER, delegated: 7n });
        return signMessage(text);
      },
    };
    const { error } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'delegate_in_use', outcome: 'not_sent' });
    expect(scene.prompts).toEqual(['message']);
  });
});

describe('what the flow reads', () => {
  it('is at the commitment that was asked for', async () => {
    const scene = setUpScene();
    scene.cluster.lands = 'finalized';
    const commitments: unknown[] = [];
    const { connection } = scene.cluster;
    const { getMultipleAccountsInfo: _, getAccountInfo, ...others } = connection;
    await scene.run({
      commitment: 'finalized',
      node: {
        ...others,
        getAccountInfo(address, commitment) {
          commitments.push(commitment);
          return getAccountInfo(address, commitment);
        },
      },
    });
    expect(new Set(commitments)).toEqual(new Set(['finalized']));
    const { calls } = scene.cluster;
    expect(calls.find(({ method }) => method === 'getLatestBlockhash')?.params).toEqual([
      'finalized',
    ]);
    expect(calls.find(({ method }) => method === 'getTransaction')?.params).toEqual([
      { commitment: 'finalized', maxSupportedTransactionVersion: 0 },
    ]);
    expect(calls.find(({ method }) => method === 'sendRawTransaction')?.params).toEqual([
      { preflightCommitment: 'finalized' },
    ]);
  });

  it('is the token account that the caller names', async () => {
    const scene = setUpScene();
    scene.cluster.account.address = OTHER;
    await scene.run({ tokenAccount: OTHER });
    expect(scene.cluster.account).toMatchObject({ delegate: DELEGATE, delegated: UNITS });
  });
});

describe('readDelegation', () => {
  const set = (programAddress?: string) => {
    const { cluster } = setUpScene(programAddress);
    Object.assign(cluster.account, { delegate: DELEGATE, delegated: 7n });
    return { cluster, input: { node: cluster.connection, owner: OWNER, mint: MINT } };
  };
  const expected = {
    mint: MINT,
    owner: OWNER,
    balance: 500_000_000n,
    delegate: DELEGATE,
    delegatedAmount: 7n,
    isFrozen: false,
  };

  it.each([
    TOKEN_PROGRAM,
    TOKEN_2022,
  ])('finds the token account by the program of the mint: %s', async (program) => {
    const { cluster, input } = set(program);
    const found = { ...expected, tokenAccount: cluster.account.address };
    expect(await readDelegation(input)).toEqual(found);
    expect(await readDelegation({ ...input, programAddress: program })).toEqual(found);
    const { tokenAccount } = found;
    expect(await readDelegation({ ...input, tokenAccount })).toEqual(found);
  });

  it('returns nothing if there is no token account, or something else is there', async () => {
    const { cluster, input } = set();
    const { address: tokenAccount } = cluster.account;
    const programAddress = TOKEN_2022;
    expect(await readDelegation({ ...input, tokenAccount, programAddress })).toBeUndefined();
    cluster.program = OTHER;
    expect(await readDelegation({ ...input, tokenAccount })).toBeUndefined();
    cluster.program = TOKEN_PROGRAM;
    cluster.account.state = 0;
    expect(await readDelegation(input)).toBeUndefined();
    cluster.account.exists = false;
    expect(await readDelegation(input)).toBeUndefined();
  });

  it('does not say that nobody may spend if the mint is not where the tokens are', async () => {
    const { cluster, input } = set();
    cluster.account.exists = false;
    const programAddress = TOKEN_2022;
    await expect(readDelegation({ ...input, programAddress })).rejects.toMatchObject({
      reason: 'wrong_program',
    });
    await expect(readDelegation({ ...input, mint: OTHER })).rejects.toMatchObject({
      reason: 'mint_not_found',
    });
    cluster.program = OTHER;
    await expect(readDelegation(input)).rejects.toMatchObject({ reason: 'wrong_program' });
  });

  it.each([
    ['owner', { owner: 'x' }],
    ['mint', { mint: 'x' }],
    ['tokenAccount', { tokenAccount: 'x' }],
    ['programAddress', { programAddress: OTHER }],
    ['commitment', { commitment: 'certain' as 'confirmed' }],
  ])('refuses an invalid %s before it reads', async (path, change) => {
    const { cluster, input } = set();
    await expect(readDelegation({ ...input, ...change })).rejects.toMatchObject({
      code: 'request_invalid',
      issues: [{ path }],
    });
    expect(cluster.calls).toEqual([]);
  });
});
