import { describe, expect, it } from 'vitest';
import { approvalHashOfCalls, type CallsStatus } from '../../src/evm/index.js';

const RESET = `0x${'a'.repeat(64)}`;
const APPROVAL = `0x${'B'.repeat(64)}`;
const receipts = [RESET, APPROVAL].map((transactionHash) => ({ transactionHash, status: '0x1' }));
const failed = receipts.map((receipt) => ({ ...receipt, status: '0x0' }));

describe('a batch', () => {
  it('that is done has the approval in its last receipt', () => {
    expect(approvalHashOfCalls({ status: 200, receipts })).toBe(APPROVAL.toLowerCase());
  });

  it('that is pending has none yet', () => {
    expect(approvalHashOfCalls({ status: 100 })).toBeUndefined();
    expect(approvalHashOfCalls({ status: 100, receipts })).toBeUndefined();
  });

  it.each<[string, CallsStatus, { code: string; outcome: string }]>([
    ['was not sent', { status: 400 }, { code: 'wallet_failed', outcome: 'not_sent' }],
    [
      'failed',
      { status: 500, receipts: failed },
      { code: 'transaction_reverted', outcome: 'rejected' },
    ],
    ['was done in part', { status: 600, receipts }, { code: 'wallet_failed', outcome: 'unknown' }],
    [
      'is done with a failed approval',
      { status: 200, receipts: failed },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'has no receipts',
      { status: 200, receipts: [] },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'has a receipt without a hash',
      { status: 500 },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'has a hash that is none',
      { status: 200, receipts: [{ transactionHash: '0x1', status: '0x1' }] },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
    [
      'has an unknown status',
      { status: 'done', receipts },
      { code: 'wallet_failed', outcome: 'unknown' },
    ],
  ])('that %s is an error', (_, status, error) => {
    expect(() => approvalHashOfCalls(status)).toThrow(expect.objectContaining(error));
  });
});
