import { describe, expect, it } from 'vitest';
import { baseUnitsToDecimal, decimalToBaseUnits } from '../../src/contract/formats/decimal.js';
import {
  amountToBaseUnits,
  baseUnitsToAmount,
  buildApprovalCalls,
  buildSiweMessage,
  checkSiweMessage,
  toSendCallsParams,
} from '../../src/evm/index.js';
import { collect, iteratePages, requireLimit } from '../../src/flows/pagination.js';
import { poll } from '../../src/flows/polling.js';
import { buildSolanaApproval, buildSolanaMessage } from '../../src/solana/index.js';
import { toWeb3Transaction } from '../../src/solana/web3/index.js';
import { caught, NOT_COUNTS, NOT_NUMBERS, names } from './not-numbers.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const KEY = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const DELEGATE = '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp';

describe('a number that a helper cannot use is refused by name', () => {
  it.each([...NOT_NUMBERS, 37, 1.5])('decimals of an amount: %s', (value) => {
    const decimals = value as number;
    const isRefused = expect.objectContaining(names('decimals'));
    expect(() => amountToBaseUnits('100.5', decimals)).toThrow(isRefused);
    expect(() => baseUnitsToAmount(1n, decimals)).toThrow(isRefused);
    if (value === 37) return;
    expect(() => decimalToBaseUnits('100.5', decimals)).toThrow(RangeError);
    expect(() => baseUnitsToDecimal(1n, decimals)).toThrow(RangeError);
  });

  it.each([Number.NaN, 1, '1', -1n, null])('units: %s', (value) => {
    const units = value as bigint;
    expect(() => baseUnitsToAmount(units, 6)).toThrow(expect.objectContaining(names('units')));
    expect(() => baseUnitsToDecimal(units, 6)).toThrow(RangeError);
  });

  it.each([Number.NaN, 0, 1, '1', -1n, null])('currentAllowance: %s', (value) => {
    const limit = { network: 'ethereum', currency: 'usdt', spender: SPENDER, amount: '5' };
    const build = () => buildApprovalCalls({ ...limit, currentAllowance: value as bigint });
    expect(build).toThrow(expect.objectContaining(names('currentAllowance')));
  });

  it.each(NOT_COUNTS)('chain id of a call: %s', (chainId) => {
    const call = { to: ADDRESS, data: '0x', value: 0n, chainId: chainId as number } as const;
    expect(() => toSendCallsParams([call], ADDRESS)).toThrow(
      expect.objectContaining(names('calls')),
    );
  });

  it.each([...NOT_NUMBERS, null, undefined])('now of checkSiweMessage: %s', (now) => {
    const site = { domain: 'app.example', uri: 'https://app.example', chainId: 1 };
    const said = { ...site, address: ADDRESS, nonce: 'nonce1234' };
    const issuedAt = '2026-01-31T09:00:00.000Z';
    for (const expirationTime of [undefined, issuedAt]) {
      const text = buildSiweMessage({ ...said, version: '1', issuedAt, expirationTime });
      const check = checkSiweMessage(text, { ...said, now: now as number });
      expect(check).toMatchObject({ ok: false, issues: [{ path: 'now' }] });
    }
  });

  it.each([
    null,
    0,
    '',
    Number.NaN,
    new Date(Number.NaN),
    new Date(-1),
    new Date(8.64e15),
  ])('a date of a Solana message: %s', (value) => {
    const said = { domain: 'app.example', address: KEY, nonce: 'nonce' };
    const date = value as Date;
    expect(() => buildSolanaMessage({ ...said, issuedAt: date })).toThrow(
      expect.objectContaining(names('issuedAt')),
    );
    expect(() =>
      buildSolanaMessage({ ...said, issuedAt: new Date(0), expirationTime: date }),
    ).toThrow(expect.objectContaining(names('expirationTime')));
  });

  it.each([...NOT_NUMBERS, 1.5])('lastValidBlockHeight: %s', (value) => {
    const owner = { owner: KEY, mint: DELEGATE, delegate: DELEGATE, decimals: 6, amount: 1n };
    const instructions = [buildSolanaApproval(owner)];
    const input = { feePayer: KEY, blockhash: KEY, instructions };
    expect(() => toWeb3Transaction({ ...input, lastValidBlockHeight: value as number })).toThrow(
      'lastValidBlockHeight',
    );
  });

  const paged = { operation: 'o', pageSize: 1, firstPage: 0, fetchPage: async () => [] };

  it.each(NOT_COUNTS)('maxPages and limit: %s', async (value) => {
    const pages = iteratePages(paged, { maxPages: value as number });
    expect(await caught(() => collect(pages, 1))).toMatchObject({ option: 'maxPages' });
    expect(await caught(() => requireLimit(value))).toMatchObject({ option: 'limit' });
  });

  it('a first page that is not a number reaches the check of the request', async () => {
    const seen: unknown[] = [];
    const fetchPage = async (page: number) => {
      seen.push(page);
      return [];
    };
    await collect(iteratePages({ ...paged, firstPage: Number.NaN, fetchPage }), 1);
    expect(seen).toEqual([Number.NaN]);
  });

  it.each([...NOT_NUMBERS, 0, 2 ** 31])('timeout, interval and maxInterval: %s', async (value) => {
    const defaults = { timeout: 1, interval: 1, maxInterval: 1 };
    const task = {
      operation: 'o',
      read: () => Promise.reject(new Error('it read')),
      isDone: () => true,
      defaults,
    };
    for (const option of ['timeout', 'interval', 'maxInterval']) {
      const error = await caught(() => poll(task, { [option]: value }));
      expect(error).toMatchObject({ name: 'ConfigurationError', option });
    }
  });
});
