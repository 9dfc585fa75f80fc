import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { setUpWallet } from './support.js';

const SENDER = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7';
const GAS = 50_000n;
const GWEI = 1_000_000_000n;

type Fields = { nonce?: number; value?: bigint; maxFeePerGas?: bigint };

/** An account with coins, on a chain that makes blocks only when the test says so. */
async function setUpChain(wei: bigint) {
  const { linea } = await setUpWallet();
  linea.setAutomaticMining(false);
  linea.setBalance(SENDER.address, wei);
  async function send({ nonce = 0, value = 0n, maxFeePerGas = GWEI }: Fields = {}): Promise<Hex> {
    const signed = await SENDER.signTransaction({
      type: 'eip1559',
      chainId: linea.chainId,
      to: OTHER,
      gas: GAS,
      maxPriorityFeePerGas: 0n,
      ...{ nonce, value, maxFeePerGas },
    });
    return linea.request({ method: 'eth_sendRawTransaction', params: [signed] }) as Promise<Hex>;
  }
  const read = async (method: string, ...params: unknown[]) =>
    BigInt((await linea.request({ method, params })) as Hex);
  return {
    ...{ linea, send },
    balanceOf: (address: string) => read('eth_getBalance', address, 'latest'),
    nextNonce: (block: 'latest' | 'pending') =>
      read('eth_getTransactionCount', SENDER.address, block),
  };
}

describe('the node of a mock EVM chain', () => {
  it.each([
    [GAS * GWEI + 7n, true],
    [GAS * GWEI + 6n, false],
  ])('with %d wei in an account accepts a fee of 50,000 gwei and a value of 7 wei: %s', async (wei, isAccepted) => {
    const { linea, send, balanceOf } = await setUpChain(wei);
    const sent = send({ value: 7n });
    if (isAccepted) await sent;
    else {
      await expect(sent).rejects.toMatchObject({
        code: -32000,
        message: 'insufficient funds for gas * price + value',
      });
    }
    linea.mine();
    expect(linea.transactions).toHaveLength(isAccepted ? 1 : 0);
    expect(await balanceOf(SENDER.address)).toBe(isAccepted ? 0n : wei);
    expect(await balanceOf(OTHER)).toBe(isAccepted ? 7n : 0n);
  });

  it('refuses a nonce that a block has, and accepts the one after it', async () => {
    const { linea, send } = await setUpChain(10n ** 18n);
    await send({ nonce: 0 });
    linea.mine();
    await expect(send({ nonce: 0, value: 1n })).rejects.toMatchObject({
      code: -32000,
      message: 'nonce too low',
    });
    await send({ nonce: 1 });
    linea.mine();
    expect(linea.transactions).toMatchObject([
      { nonce: 0, succeeded: true },
      { nonce: 1, succeeded: true },
    ]);
  });

  it.each([
    [GWEI - 1n, false],
    [GWEI, false],
    [1_099_999_999n, false],
    [1_100_000_000n, true],
  ])('replaces a waiting transaction of 1 gwei by one of %d wei: %s', async (fee, isReplaced) => {
    const { linea, send } = await setUpChain(10n ** 18n);
    await send({ nonce: 1, value: 3n });
    const first = await send({ nonce: 0, value: 1n });
    const second = send({ nonce: 0, value: 2n, maxFeePerGas: fee });
    if (isReplaced) await second;
    else {
      await expect(second).rejects.toMatchObject({
        code: -32000,
        message: 'replacement transaction underpriced',
      });
    }
    linea.mine();
    expect(linea.transactions.map(({ value }) => value)).toEqual([isReplaced ? 2n : 1n, 3n]);
    expect(linea.transactions.some(({ hash }) => hash === first)).toBe(!isReplaced);
  });

  it('keeps a transaction waiting until the one before it has arrived', async () => {
    const { linea, send, nextNonce } = await setUpChain(10n ** 18n);
    await send({ nonce: 1 });
    linea.mine();
    expect(linea.transactions).toMatchObject([{ nonce: 1 }]);
    expect(linea.transactions[0]?.block).toBeUndefined();
    expect(await nextNonce('latest')).toBe(0n);
    await send({ nonce: 0 });
    expect(await nextNonce('pending')).toBe(2n);
    linea.mine();
    expect(linea.transactions).toMatchObject([
      { nonce: 0, succeeded: true },
      { nonce: 1, succeeded: true },
    ]);
    expect(await nextNonce('latest')).toBe(2n);
  });
});

it('gas on a mock EVM chain costs one gwei, and the wallet offers twice that', async () => {
  const { wallet, linea } = await setUpWallet();
  expect(await linea.request({ method: 'eth_gasPrice' })).toBe('0x3b9aca00');
  expect(
    await linea.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
  ).toMatchObject({ baseFeePerGas: '0x3b9aca00' });
  const transaction = { from: wallet.evm.address, to: OTHER, value: '0x0' };
  const hash = await wallet.evm.request({ method: 'eth_sendTransaction', params: [transaction] });
  expect(
    await linea.request({ method: 'eth_getTransactionByHash', params: [hash as Hex] }),
  ).toMatchObject({ maxFeePerGas: '0x77359400' });
});
