import { describe, expect, it } from 'vitest';
import { approvalHashOfCalls, type CallsStatus } from '../../src/evm/index.js';

const RESET = `0x${'a'.repeat(64)}`;
const APPROVAL = `0x${'B'.repeat(64)}`;
const receipts = [RESET, APPROVAL].map((transactionHash) => ({ transactionHash, status: '0x1' }));
const failed = receipts.map((receipt) => ({ ...receipt, status: '0x0' }));

describe('approvalHashOfCalls for an EIP-5792 batch', () => {
  it('returns the hash of the last receipt when the batch is complete', () => {
    expect(approvalHashOfCalls({ status: 200, receipts })).toBe(APPROVAL.toLowerCase());
  });

  it('returns no hash while the batch is pending', () => {
    expect(approvalHashOfCalls({ status: 100 })).toBeUndefined();
    expect(approvalHashOfCalls({ status: 100, receipts })).toBeUndefined();
  });

  it.each<[string, CallsStatus, { code: string; outcome: string }]>([
    ['the batch was not sent', { status: 400 }, { code: 'wallet_failed', outcome: 'not_sent' }],
    [
      'all of the batch failed',
      { status: 500, receipts: failed },
      { code: 'transaction_reverted', outcome: 'rejected' },
    ],
    [
      'only a part of the batch succeeded',
      { status: 600, receipts },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'the batch is complete but the approval failed',
      { status: 200, receipts: failed },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'there are no receipts',
      { status: 200, receipts: [] },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'a failed batch has no receipt',
      { status: 500 },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'the hash in the receipt is invalid',
      { status: 200, receipts: [{ transactionHash: '0x1', status: '0x1' }] },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'the status is unknown',
      { status: 'done', receipts },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
  ])('throws a typed error when %s', (_, status, error) => {
    expect(() => approvalHashOfCalls(status)).toThrow(expect.objectContaining(error));
  });
});
