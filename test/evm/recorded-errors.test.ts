import { describe, expect, it } from 'vitest';
import type { EvmCall, EvmWallet } from '../../src/evm/index.js';
import {
  refusalOfNode,
  requestSigned,
  requestTransaction,
} from '../../src/evm/wallets/wallet-requests.js';
import { EVM_FAILURES, WALLET_FAILURES } from '../recorded-errors/evm-failures.js';
import { readRecordedErrors } from '../recorded-errors/recorded-error.js';

const RECORDED = readRecordedErrors('evm');
const CALL: EvmCall = {
  to: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff',
  data: '0x095ea7b3',
  value: 0n,
  chainId: 59144,
};
/** The errors of accounts that sign: the node had a signed transaction. */
const isSigning = (library: string) => /local account|sendRaw|provider\.send|Wallet$/.test(library);

const walletThat = (error: unknown): EvmWallet => ({
  address: CALL.to,
  getChainId: async () => CALL.chainId,
  signMessage: () => Promise.reject(error),
  sendTransaction: () => Promise.reject(error),
});

const caught = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const libraries = [...new Set(RECORDED.map(({ library }) => library))];

it('the recorded errors are those of every failure with every library', () => {
  const signing = libraries.filter(isSigning);
  const browser = libraries.filter((one) => !isSigning(one) && !one.includes('Ledger'));
  expect([signing.length, browser.length]).toEqual([6, 5]);
  const withoutStatus = EVM_FAILURES.filter(({ error }) => error !== undefined);
  expect(RECORDED.filter(({ library }) => isSigning(library))).toHaveLength(
    signing.length * EVM_FAILURES.length,
  );
  expect(RECORDED.filter(({ library }) => browser.includes(library))).toHaveLength(
    browser.length * (withoutStatus.length + WALLET_FAILURES.length),
  );
  for (const { failure, library, error } of RECORDED) {
    if (!/^HTTP/.test(failure.name)) expect(error, `${library}: ${failure.name}`).toBeDefined();
    if (library.includes('Ledger')) continue;
    expect([...EVM_FAILURES, ...WALLET_FAILURES], library).toContainEqual(failure);
  }
});

describe.each(libraries)('a recorded error of %s', (library) => {
  const own = RECORDED.filter((one) => one.library === library);
  const refused = own.filter(({ failure }) => failure.forwards === 'never');
  const unclear = own.filter(({ failure }) => failure.forwards === 'maybe');

  it.each(refused)('proves that nothing was sent: $failure.name', async ({ error, failure }) => {
    const found = await caught(requestTransaction(walletThat(error), CALL));
    expect(found).toMatchObject({ code: failure.code, outcome: 'not_sent' });
  });

  it.each(unclear)('proves nothing: $failure.name', async ({ error }) => {
    const found = await caught(requestTransaction(walletThat(error), CALL));
    expect(found).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(refusalOfNode(error, CALL)).toBeUndefined();
  });

  it.each(
    refused.filter(() => isSigning(library)),
  )('is a refusal of a signed transaction: $failure.name', ({ error, failure }) => {
    expect(refusalOfNode(error, CALL)).toMatchObject({ code: failure.code, outcome: 'not_sent' });
  });

  it.each(own)('before the signature sends nothing: $failure.name', async ({ error }) => {
    const found = await caught(requestSigned(() => Promise.reject(error), CALL));
    expect(found).toMatchObject({ outcome: 'not_sent' });
  });
});
