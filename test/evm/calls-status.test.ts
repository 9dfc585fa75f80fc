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

  it('reads the statuses of version 1', () => {
    expect(approvalHashOfCalls({ status: 'PENDING' })).toBeUndefined();
    expect(approvalHashOfCalls({ status: 'CONFIRMED', receipts })).toBe(APPROVAL.toLowerCase());
  });

  it.each([100, 101, 199])('returns no hash for the pending status %i', (status) => {
    expect(approvalHashOfCalls({ status, receipts })).toBeUndefined();
  });

  it.each([200, 201, 299])('returns the hash for the status %i', (status) => {
    expect(approvalHashOfCalls({ status, receipts })).toBe(APPROVAL.toLowerCase());
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
    ['the wallet gave up', { status: 499 }, { code: 'wallet_failed', outcome: 'not_sent' }],
    [
      'all of the batch failed in version 1',
      { status: 'CONFIRMED', receipts: failed },
      { code: 'transaction_reverted', outcome: 'rejected' },
    ],
    [
      'only the approval succeeded in version 1',
      { status: 'CONFIRMED', receipts: [failed[0], receipts[1]] },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'only the reset succeeded in version 1',
      { status: 'CONFIRMED', receipts: [receipts[0], failed[1]] },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'a batch of version 1 has no receipts',
      { status: 'CONFIRMED' },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'the status is just below the pending ones',
      { status: 99, receipts },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'the status is just above the done ones',
      { status: 300, receipts },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'the status is not a whole number',
      { status: 200.5, receipts },
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
