import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChainReadError } from '../../src/delegation/wallet-errors.js';
import { approveCall } from '../../src/evm/approval/calls.js';
import type { Transaction } from '../../src/evm/chain/json-rpc.js';
import { followReplacement } from '../../src/evm/flow/confirm.js';
import { findByNonce } from '../../src/evm/flow/find-transaction.js';
import type { EvmRun } from '../../src/evm/flow/plan.js';
import { eventually } from '../properties/runs.js';

const OWNER = `0x${'aa'.repeat(20)}`;
const SPENDER = `0x${'bb'.repeat(20)}`;
const TOKEN = `0x${'cc'.repeat(20)}` as const;
const approve = (units: bigint, spender = SPENDER, token = TOKEN) =>
  approveCall({ chainId: 1, token, spender, allowance: units });
const CALL = approve(100n);
/** A hash that the node does not know. */
const SENT = `0x${'55'.repeat(32)}`;

type Mined = Transaction & { readonly block: bigint; readonly failed?: boolean };

const mined = (
  nonce: bigint,
  block: bigint,
  { to, data }: { to: string; data: string },
): Mined => ({
  hash: `0x${nonce.toString(16).padStart(64, '0')}`,
  from: OWNER,
  to,
  input: data,
  value: 0n,
  nonce,
  block,
});

/** A chain on which the owner has sent these transactions, and a node that keeps its old state. */
function runOn(chain: readonly Mined[], notes: Record<string, string>, height = 1_000n) {
  let reads = 0;
  const reports: string[] = [];
  const reader = {
    chainId: async () => 1,
    blockNumber: async () => height,
    transaction: async (hash: string) => chain.find((one) => one.hash === hash) ?? null,
    receipt: async (hash: string) => {
      const found = chain.find((one) => one.hash === hash);
      if (found === undefined) return null;
      return { succeeded: found.failed !== true, blockNumber: found.block, blockHash: found.hash };
    },
    transactionCount: async (_: string, block: bigint | string) => {
      reads++;
      const latest = typeof block === 'bigint' ? block : height;
      return BigInt(chain.filter((one) => one.block <= latest).length);
    },
    block: async (number: bigint) => ({
      transactions: chain.filter(({ block }) => block === number),
    }),
    approvals: async () => [],
  };
  const context = {
    notes: () => notes,
    saveNotes: () => {},
    report: (message: string) => reports.push(message),
  };
  const plan = { owner: OWNER, chainId: 1, confirmations: 1n };
  const run = { plan, reader, context } as unknown as EvmRun;
  return { run, reports, readsOf: () => reads };
}

describe('a transaction with a nonce', () => {
  it('is found in whichever block it is, with few reads', async () => {
    await eventually(
      [fc.uniqueArray(fc.bigInt(1n, 1_000n), { minLength: 1, maxLength: 20 }), fc.nat()],
      async (blocks, index) => {
        const chain = blocks
          .sort((one, other) => Number(one - other))
          .map((block, nonce) => mined(BigInt(nonce), block, CALL));
        const wanted = chain[index % chain.length];
        if (wanted === undefined) throw new Error('the chain has one');
        const { run, readsOf } = runOn(chain, {});
        expect(await findByNonce(run, wanted.nonce, 0n)).toBe(wanted);
        expect(readsOf()).toBeLessThanOrEqual(11);
      },
    );
  });

  it('is none if the nonce is free, or of another account', async () => {
    const chain = [mined(0n, 5n, CALL)];
    expect(await findByNonce(runOn(chain, {}).run, 1n, 0n)).toBeUndefined();
    const others = [{ ...mined(0n, 5n, CALL), from: SPENDER }];
    expect(await findByNonce(runOn(others, {}).run, 0n, 0n)).toBeUndefined();
  });

  it('is found in a state that the node still keeps, however old the search starts', async () => {
    const wanted = mined(0n, 950n, CALL);
    const { run } = runOn([wanted], {});
    const { transactionCount } = run.reader;
    const keepsFew: typeof transactionCount = async (owner, block) => {
      if (typeof block === 'bigint' && block < 872n) {
        throw new ChainReadError('the nonce', 'not_sent');
      }
      return transactionCount(owner, block);
    };
    run.reader.transactionCount = keepsFew;
    expect(await findByNonce(run, 0n, 0n)).toBe(wanted);
  });

  it('is none if the node keeps no old state', async () => {
    const { run } = runOn([mined(0n, 5n, CALL)], {});
    const forgetful: EvmRun['reader']['transactionCount'] = async (_, block) => {
      if (block === 'latest') return 1n;
      throw new ChainReadError('the nonce', 'not_sent');
    };
    run.reader.transactionCount = forgetful;
    expect(await findByNonce(run, 0n, 0n)).toBeUndefined();
  });
});

describe('a sent transaction that the node does not know', () => {
  const known = { nonce: '0', sentAfter: '1' };
  const expected = { nextNonce: '0', sentAfter: '1' };
  const transfer = { to: TOKEN, data: '0xa9059cbb' };
  const cancellation = { to: OWNER, data: '0x' };
  const failed = (one: Mined): Mined => ({ ...one, failed: true });
  const follow = (chain: readonly Mined[], notes: Record<string, string>) => {
    const { run, reports } = runOn(chain, notes);
    return followReplacement(run, CALL, SENT).then(
      (hash) => ({ hash, reports }),
      (error: unknown) => error,
    );
  };

  it.each([
    ['its nonce is free', [], known],
    ['its nonce was never read', [mined(0n, 5n, transfer)], {}],
    // The wallet may have used the expected nonce for something else.
    ['another transaction has the nonce that was expected', [mined(0n, 5n, transfer)], expected],
    ['another limit has the nonce that was expected', [mined(0n, 5n, approve(7n))], expected],
    // A node that lagged may have told the nonce of an earlier transaction.
    ['a cancellation has the nonce that was expected', [mined(0n, 5n, cancellation)], expected],
    ['the same call failed with the expected nonce', [failed(mined(0n, 5n, CALL))], expected],
  ])('is waited for if %s', async (_, chain, notes) => {
    expect(await follow(chain, notes)).toEqual({ hash: SENT, reports: [] });
  });

  it('was sped up if the same call has its nonce, even if it failed', async () => {
    const copy = failed(mined(0n, 5n, CALL));
    expect(await follow([copy], known)).toMatchObject({ hash: copy.hash });
  });

  it.each([known, expected])('was sped up if the same call has its nonce: %o', async (notes) => {
    const [same] = [mined(0n, 5n, CALL)];
    expect(await follow([same], notes)).toEqual({
      hash: same.hash,
      reports: ['Your wallet sped up the transaction.'],
    });
  });

  it('approved another limit if an approve of the same spender has its nonce', async () => {
    const [other] = [mined(0n, 5n, approve(7n))];
    expect(await follow([other], known)).toEqual({
      hash: other.hash,
      reports: ['Your wallet approved another limit.'],
    });
  });

  it.each([
    ['transaction_cancelled', 'sends nothing to the account itself', cancellation],
    ['transaction_replaced', 'is another call', transfer],
    ['transaction_replaced', 'approves another spender', approve(100n, OWNER)],
    [
      'transaction_replaced',
      'approves another token',
      approve(100n, SPENDER, `0x${'dd'.repeat(20)}`),
    ],
    ['transaction_replaced', 'revokes the limit', approve(0n)],
  ])('ends with %s if the transaction of its nonce %s', async (code, _, call) => {
    const [other] = [mined(0n, 5n, call)];
    expect(await follow([other], known)).toMatchObject({ code, transactionId: other.hash });
  });
});
