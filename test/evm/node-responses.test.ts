import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseBlock,
  parseBlockHeader,
  parseLogs,
  parseReceipt,
  parseTransaction,
} from '../../src/evm/chain/json-rpc.js';
import { holds } from '../properties/runs.js';

const HASH = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'cd'.repeat(20)}`;
const log = { address: ADDRESS, topics: [HASH], data: '0x', transactionHash: HASH };
const receipt = {
  transactionHash: HASH,
  status: '0x1',
  blockNumber: '0x10',
  blockHash: `0x${'ef'.repeat(32)}`,
  logs: [log],
};
const transaction = {
  hash: HASH,
  from: ADDRESS,
  to: ADDRESS,
  input: '0x095ea7b3',
  value: '0x0',
  nonce: '0x7',
};

const NO_OBJECT = [undefined, null, true, 5, '0x', [], 'a text'];
const NO_QUANTITY = [undefined, null, 5, '5', '0x', '0xg', `0x${'1'.repeat(65)}`, {}];
const NO_BYTES = [undefined, null, 5, '0x1', 'ab', '0xzz', {}];
const NO_HASH = [...NO_BYTES, ADDRESS, `${HASH}00`];
const NO_ADDRESS = [...NO_BYTES, '0x', HASH];

const broken = <T extends object>(valid: T, bad: { readonly [Name in keyof T]?: unknown[] }) =>
  Object.entries(bad).flatMap(([name, values]) =>
    (values as unknown[]).map((value) => ({ ...valid, [name]: value })),
  );

describe('a receipt', () => {
  it('is read', () => {
    expect(parseReceipt(receipt, HASH.toUpperCase().replace('0X', '0x'))).toEqual({
      succeeded: true,
      blockNumber: 16n,
      blockHash: `0x${'ef'.repeat(32)}`,
      logs: [log],
    });
  });

  it.each(['0x0', '0x00', '0x2', '0xff'])('with the status %s is that of a failure', (status) => {
    expect(parseReceipt({ ...receipt, status }, HASH)?.succeeded).toBe(false);
  });

  it.each([
    ...NO_OBJECT,
    ...broken(receipt, {
      transactionHash: [undefined, null, `0x${'11'.repeat(32)}`],
      status: NO_QUANTITY,
      blockNumber: NO_QUANTITY,
      blockHash: NO_HASH,
      logs: [undefined, null, {}, [null], [{}]],
    }),
  ])('of another transaction or shape is none: %j', (response) => {
    expect(parseReceipt(response, HASH)).toBeUndefined();
  });
});

describe('events', () => {
  it('are read; one without readable topics is about nothing', () => {
    expect(parseLogs([log, { ...log, topics: ['0x1'] }, { ...log, topics: 'none' }])).toEqual([
      log,
      { ...log, topics: [] },
      { ...log, topics: [] },
    ]);
  });

  it.each([
    undefined,
    null,
    {},
    'none',
    ...NO_OBJECT.map((one) => [log, one]),
    ...broken(log, { address: NO_ADDRESS, data: NO_BYTES, transactionHash: NO_HASH }).map((one) => [
      log,
      one,
    ]),
  ])('of another shape are none, not fewer: %j', (response) => {
    expect(parseLogs(response)).toBeUndefined();
  });
});

describe('a transaction', () => {
  it('is read; one that creates a contract has no receiver', () => {
    expect(parseTransaction(transaction)).toEqual({ ...transaction, value: 0n, nonce: 7n });
    expect(parseTransaction({ ...transaction, to: null })?.to).toBeNull();
  });

  it.each([
    ...NO_OBJECT,
    ...broken(transaction, {
      hash: NO_HASH,
      from: NO_ADDRESS,
      input: NO_BYTES,
      value: NO_QUANTITY,
      nonce: NO_QUANTITY,
    }),
  ])('of another shape is none: %j', (response) => {
    expect(parseTransaction(response)).toBeUndefined();
  });
});

describe('a block', () => {
  it('has the transactions that can be read', () => {
    const transactions = [{ ...transaction, nonce: 'own type' }, transaction, HASH];
    expect(parseBlock({ transactions })?.transactions).toMatchObject([{ nonce: 7n }]);
  });

  it.each([...NO_OBJECT, {}, { transactions: {} }])('of another shape is none: %j', (response) => {
    expect(parseBlock(response)).toBeUndefined();
  });
});

describe('the header of a block', () => {
  const header = { hash: HASH, parentHash: `0x${'ef'.repeat(32)}` };

  it('is read', () => {
    expect(parseBlockHeader({ ...header, transactions: [HASH] })).toEqual(header);
  });

  it.each([
    ...NO_OBJECT,
    ...broken(header, { hash: NO_HASH, parentHash: NO_HASH }),
  ])('of another shape is none: %j', (response) => {
    expect(parseBlockHeader(response)).toBeUndefined();
  });
});

it('no response of a node makes a parser throw', () => {
  holds([fc.jsonValue()], (response) => {
    parseReceipt(response, HASH);
    parseLogs(response);
    parseTransaction(response);
    parseBlock(response);
    parseBlockHeader(response);
  });
});
