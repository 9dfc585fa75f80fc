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
import { collect, iteratePages, requireCount } from '../../src/flows/pagination.js';
import { poll } from '../../src/flows/polling.js';
import { buildSolanaApproval, buildSolanaMessage } from '../../src/solana/index.js';
import { toWeb3Transaction } from '../../src/solana/web3/index.js';
import { systemClock } from '../../src/transport/attempts/clock.js';
import { errorNaming, errorOf, NOT_COUNTS, NOT_NUMBERS } from './not-numbers.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const KEY = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const DELEGATE = '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp';

describe('an invalid number is rejected by its name', () => {
  it.each([...NOT_NUMBERS, 37, 1.5])('as the decimals of an amount: %s', (value) => {
    const decimals = value as number;
    const isRefused = expect.objectContaining(errorNaming('decimals'));
    expect(() => amountToBaseUnits('100.5', decimals)).toThrow(isRefused);
    expect(() => baseUnitsToAmount(1n, decimals)).toThrow(isRefused);
    if (value === 37) return;
    expect(() => decimalToBaseUnits('100.5', decimals)).toThrow(RangeError);
    expect(() => baseUnitsToDecimal(1n, decimals)).toThrow(RangeError);
  });

  it.each([Number.NaN, 1, '1', -1n, null])('as units: %s', (value) => {
    const units = value as bigint;
    expect(() => baseUnitsToAmount(units, 6)).toThrow(
      expect.objectContaining(errorNaming('units')),
    );
    expect(() => baseUnitsToDecimal(units, 6)).toThrow(RangeError);
  });

  it.each([Number.NaN, 0, 1, '1', -1n, null])('as currentAllowance: %s', (value) => {
    const limit = { network: 'ethereum', currency: 'usdt', spender: SPENDER, amount: '5' };
    const build = () => buildApprovalCalls({ ...limit, currentAllowance: value as bigint });
    expect(build).toThrow(expect.objectContaining(errorNaming('currentAllowance')));
  });

  it.each(NOT_COUNTS)('as the chain id of a call: %s', (chainId) => {
    const call = { to: ADDRESS, data: '0x', value: 0n, chainId: chainId as number } as const;
    expect(() => toSendCallsParams([call], ADDRESS)).toThrow(
      expect.objectContaining(errorNaming('calls[0].chainId')),
    );
  });

  it.each([...NOT_NUMBERS, null, undefined])('as now of checkSiweMessage: %s', (now) => {
    const site = { domain: 'app.example', uri: 'https://app.example', chainId: 1 };
    const message = { ...site, address: ADDRESS, nonce: 'nonce1234' };
    const issuedAt = '2026-01-31T09:00:00.000Z';
    for (const expirationTime of [undefined, issuedAt]) {
      const fields = { ...message, version: '1', issuedAt, expirationTime } as const;
      const text = buildSiweMessage(fields, { rules: 'eip-4361' });
      const check = checkSiweMessage(text, { ...message, now: now as number });
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
  ])('as a date of a Solana message: %s', (value) => {
    const message = { domain: 'app.example', address: KEY, nonce: 'nonce' };
    const date = value as Date;
    expect(() => buildSolanaMessage({ ...message, issuedAt: date })).toThrow(
      expect.objectContaining(errorNaming('issuedAt')),
    );
    expect(() =>
      buildSolanaMessage({ ...message, issuedAt: new Date(0), expirationTime: date }),
    ).toThrow(expect.objectContaining(errorNaming('expirationTime')));
  });

  it.each([...NOT_NUMBERS, 1.5])('as lastValidBlockHeight: %s', (value) => {
    const owner = { owner: KEY, mint: DELEGATE, spender: DELEGATE, decimals: 6, amount: 1n };
    const instructions = [buildSolanaApproval(owner)];
    const input = { feePayer: KEY, blockhash: KEY, instructions };
    expect(() => toWeb3Transaction({ ...input, lastValidBlockHeight: value as number })).toThrow(
      'lastValidBlockHeight',
    );
  });

  const paged = { operation: 'o', pageSize: 1, firstPage: 0, fetchPage: async () => [] };

  it.each(NOT_COUNTS)('as maxPages and limit: %s', async (value) => {
    const pages = iteratePages(paged, { maxPages: value as number });
    expect(await errorOf(() => collect(pages, 1))).toMatchObject({ option: 'maxPages' });
    expect(await errorOf(() => requireCount('limit', value))).toMatchObject({ option: 'limit' });
  });

  it('as the first page, but only by the validation of the request', async () => {
    const seen: unknown[] = [];
    const fetchPage = async (page: number) => {
      seen.push(page);
      return [];
    };
    await collect(iteratePages({ ...paged, firstPage: Number.NaN, fetchPage }), 1);
    expect(seen).toEqual([Number.NaN]);
  });

  it.each([
    ...NOT_NUMBERS,
    0,
    2 ** 31,
  ])('as timeout, interval and maxInterval: %s', async (value) => {
    const defaults = { timeout: 1, interval: 1, maxInterval: 1 };
    const task = {
      operation: 'o',
      read: () => Promise.reject(new Error('it read')),
      isDone: () => true,
      defaults,
    };
    for (const option of ['timeout', 'interval', 'maxInterval']) {
      const error = await errorOf(() => poll(task, { [option]: value }, systemClock));
      expect(error).toMatchObject({ name: 'ConfigurationError', option });
    }
  });
});
