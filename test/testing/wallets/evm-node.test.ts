import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { setUpWallet } from './support.js';

const OWNER = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const GWEI = 1_000_000_000n;

type Fields = { nonce?: number; gas?: bigint; maxPriorityFeePerGas?: bigint };

/** Sends approvals of 5 units to a node, and reads their receipts. */
async function setUpNode() {
  const { linea } = await setUpWallet();
  linea.setBalance(OWNER.address, 10n ** 18n);
  const word = (hex: string) => hex.padStart(64, '0');
  const { address } = linea.tokenOf('usdc');
  const sign = ({ nonce = 0, gas = 60_000n, maxPriorityFeePerGas = 0n }: Fields = {}) =>
    OWNER.signTransaction({
      type: 'eip1559',
      chainId: linea.chainId,
      to: address as `0x${string}`,
      data: `0x095ea7b3${word(linea.spender.slice(2))}${word('5')}`,
      maxFeePerGas: 3n * GWEI,
      ...{ nonce, gas, maxPriorityFeePerGas },
    });
  const send = async (signed: string) =>
    linea.request({ method: 'eth_sendRawTransaction', params: [signed] });
  const receiptOf = async (hash: unknown) =>
    Object(await linea.request({ method: 'eth_getTransactionReceipt', params: [hash] }));
  return { linea, sign, send, receiptOf };
}

it.each([
  [50_000n, '0x1', 5n],
  [49_999n, '0x0', 0n],
  [21_000n, '0x0', 0n],
])('an approval with a gas limit of %d has the status %s', async (gas, status, allowance) => {
  const { linea, sign, send, receiptOf } = await setUpNode();
  const receipt = await receiptOf(await send(await sign({ gas })));
  expect(receipt).toMatchObject({ status, gasUsed: `0x${gas.toString(16)}` });
  expect(linea.allowance('usdc', OWNER.address)).toBe(allowance);
});

it('a node refuses a gas limit below that of every transaction', async () => {
  const { sign, send } = await setUpNode();
  await expect(send(await sign({ gas: 20_999n }))).rejects.toMatchObject({
    code: -32000,
    message: 'intrinsic gas too low',
  });
});

it('a node that is sent a waiting transaction again says that it knows it', async () => {
  const { linea, sign, send } = await setUpNode();
  linea.setAutomaticMining(false);
  const signed = await sign();
  await send(signed);
  await expect(send(signed)).rejects.toMatchObject({ code: -32000, message: 'already known' });
  expect(linea.transactions).toHaveLength(1);
});

it('transactions of one block, and their events, have different places in it', async () => {
  const { linea, sign, send, receiptOf } = await setUpNode();
  linea.setAutomaticMining(false);
  const hashes = [await send(await sign()), await send(await sign({ nonce: 1 }))];
  linea.mine();
  expect(await Promise.all(hashes.map(receiptOf))).toMatchObject([
    { transactionIndex: '0x0', logs: [{ transactionIndex: '0x0', logIndex: '0x0' }] },
    { transactionIndex: '0x1', logs: [{ transactionIndex: '0x1', logIndex: '0x1' }] },
  ]);
});

it.each([
  [0n, GWEI],
  [GWEI, 2n * GWEI],
  [3n * GWEI, 3n * GWEI],
])('with a tip of %d wei gas costs %d wei: the base fee and the tip, up to the maximum', async (tip, price) => {
  const { linea, sign, send, receiptOf } = await setUpNode();
  const hash = await send(await sign({ maxPriorityFeePerGas: tip }));
  expect(BigInt((await receiptOf(hash)).effectiveGasPrice)).toBe(price);
  const params = [OWNER.address, 'latest'];
  const left = await linea.request({ method: 'eth_getBalance', params });
  expect(BigInt(String(left))).toBe(10n ** 18n - 50_000n * price);
});
