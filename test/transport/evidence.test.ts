import { describe, expect, it } from 'vitest';
import { evidenceOfExecution } from '../../src/transport/response/evidence.js';

const EVM_HASH = `0x${'aB'.repeat(32)}`;
const SOLANA_HASH = '5'.repeat(87);

describe('evidence that the service acted', () => {
  it.each([
    [{ txHash: 'abc' }, { txHash: 'abc' }],
    [{ tx_hash: 'abc' }, { tx_hash: 'abc' }],
    [{ data: { transactionId: 'abc' } }, { 'data.transactionId': 'abc' }],
    [{ result: EVM_HASH }, { result: EVM_HASH }],
    [{ result: SOLANA_HASH }, { result: SOLANA_HASH }],
    [{ result: '5'.repeat(86) }, { result: '5'.repeat(86) }],
    [{ result: '5'.repeat(88) }, { result: '5'.repeat(88) }],
    [{ list: [{ hash: 'x' }, { hash: 'y' }] }, { 'list.0.hash': 'x', 'list.1.hash': 'y' }],
    [[EVM_HASH], { 0: EVM_HASH }],
    [{ txHash: 'x'.repeat(300) }, { txHash: 'x'.repeat(200) }],
  ])('is a transaction, recognised by its field name or its format, in %j', (body, evidence) => {
    expect(evidenceOfExecution(body)).toEqual(evidence);
  });

  it.each([
    [{}],
    [null],
    ['text'],
    [EVM_HASH],
    [{ txHash: '' }],
    [{ txHash: ' ' }],
    [{ txHash: null }],
    [{ txHash: 5 }],
    [{ address: `0x${'a'.repeat(40)}` }],
    [{ message: `Failed: ${EVM_HASH}` }],
    [{ hashtag: 'x' }],
    [{ result: '5'.repeat(85) }],
    [{ result: '5'.repeat(89) }],
    [{ result: `${'5'.repeat(86)}0` }],
    [{ result: EVM_HASH.slice(0, -1) }],
    [{ result: `${EVM_HASH}a` }],
  ])('is not found in %j', (body) => {
    expect(evidenceOfExecution(body)).toEqual({});
  });

  it('is searched for five levels deep and limited to ten entries', () => {
    expect(evidenceOfExecution({ a: { b: { c: { d: { txHash: 'x' } } } } })).toEqual({
      'a.b.c.d.txHash': 'x',
    });
    expect(evidenceOfExecution({ a: { b: { c: { d: { e: { txHash: 'x' } } } } } })).toEqual({});
    const many = Array.from({ length: 50 }, () => ({ txHash: 'x' }));
    expect(Object.keys(evidenceOfExecution(many))).toHaveLength(10);
  });
});
