import { quantity, wordOf } from './json-rpc.js';

/** A transaction as a test sees it. */
export type MockEvmTransaction = {
  /** Its hash. */
  readonly hash: `0x${string}`;
  /** The sender. */
  readonly from: string;
  /** The contract or account that it calls. */
  readonly to: string;
  /** Calldata. */
  readonly data: `0x${string}`;
  /** The coins that it sends, in wei. */
  readonly value: bigint;
  /** Its place among the transactions of the sender. */
  readonly nonce: number;
  /** The highest price of one unit of gas, in wei. */
  readonly maxFeePerGas: bigint;
  /** The block that it is in; `undefined` until it is mined. */
  readonly block?: number;
  /** Whether it succeeded; `undefined` until it is mined. */
  readonly succeeded?: boolean;
};

/** A transaction as the tiny EVM chain keeps it. */
export type EvmTransaction = MockEvmTransaction & {
  readonly gas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly chainId: number;
  readonly r: string;
  readonly s: string;
  readonly yParity: number;
  /** Its place in its block. */
  readonly index?: number;
  /** The place of its event in its block. */
  readonly logIndex?: number;
  log?: { address: string; topics: string[]; data: string };
};

const NO_BLOOM = `0x${'0'.repeat(512)}`;
/** The gas that a transaction uses, unless its limit is lower. A call of a token needs as much. */
export const GAS = 50_000n;
/** The price of one unit of gas, in wei. */
export const GAS_PRICE = 1_000_000_000n;

/** The gas that a transaction uses: never more than its limit. */
export const gasUsedBy = ({ gas }: Pick<EvmTransaction, 'gas'>): bigint => (gas < GAS ? gas : GAS);

/** The price that a transaction pays for gas (EIP-1559): the base fee and its tip, up to its maximum. */
export function gasPriceOf({
  maxFeePerGas,
  maxPriorityFeePerGas,
}: Pick<EvmTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>): bigint {
  const price = GAS_PRICE + maxPriorityFeePerGas;
  return price < maxFeePerGas ? price : maxFeePerGas;
}

/** The hash of a block. It names the block, and is not computed from its contents. */
function blockHash(chainId: number, block: number): string {
  return `0xb10c${chainId.toString(16).padStart(12, '0')}${block.toString(16).padStart(48, '0')}`;
}

function placeOf({ chainId, block, index = 0 }: EvmTransaction) {
  return {
    blockHash: block === undefined ? null : blockHash(chainId, block),
    blockNumber: block === undefined ? null : quantity(block),
    transactionIndex: block === undefined ? null : quantity(index),
  };
}

/** A transaction as `eth_getTransactionByHash` returns it. */
export function transactionToRpc(transaction: EvmTransaction) {
  const { hash, from, to, data, value, nonce, gas, chainId, r, s, yParity } = transaction;
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction;
  return {
    type: '0x2',
    chainId: quantity(chainId),
    hash,
    from: from.toLowerCase(),
    to: to.toLowerCase(),
    input: data,
    value: quantity(value),
    nonce: quantity(nonce),
    gas: quantity(gas),
    gasPrice: quantity(transaction.block === undefined ? maxFeePerGas : gasPriceOf(transaction)),
    maxFeePerGas: quantity(maxFeePerGas),
    maxPriorityFeePerGas: quantity(maxPriorityFeePerGas),
    accessList: [],
    r,
    s,
    v: quantity(yParity),
    yParity: quantity(yParity),
    ...placeOf(transaction),
  };
}

/** The events of a mined transaction as `eth_getLogs` returns them. */
export function logsToRpc(transaction: EvmTransaction) {
  const { log, hash, logIndex = 0 } = transaction;
  if (log === undefined) return [];
  const place = { ...placeOf(transaction), transactionHash: hash };
  return [{ ...log, ...place, logIndex: quantity(logIndex), removed: false }];
}

/** A mined transaction as `eth_getTransactionReceipt` returns it. */
export function receiptToRpc(transaction: EvmTransaction) {
  const { hash, from, to, succeeded } = transaction;
  return {
    type: '0x2',
    status: succeeded === true ? '0x1' : '0x0',
    transactionHash: hash,
    from: from.toLowerCase(),
    to: to.toLowerCase(),
    contractAddress: null,
    gasUsed: quantity(gasUsedBy(transaction)),
    cumulativeGasUsed: quantity(gasUsedBy(transaction)),
    effectiveGasPrice: quantity(gasPriceOf(transaction)),
    logs: logsToRpc(transaction),
    logsBloom: NO_BLOOM,
    ...placeOf(transaction),
  };
}

/** A block as `eth_getBlockByNumber` returns it. */
export function blockToRpc(block: {
  chainId: number;
  number: number;
  timestamp: number;
  transactions: readonly EvmTransaction[];
  isFull: boolean;
}) {
  const { chainId, number, transactions, isFull } = block;
  return {
    number: quantity(number),
    hash: blockHash(chainId, number),
    parentHash: number === 0 ? wordOf(0) : blockHash(chainId, number - 1),
    timestamp: quantity(block.timestamp),
    baseFeePerGas: quantity(GAS_PRICE),
    gasLimit: quantity(30_000_000),
    gasUsed: quantity(transactions.reduce((sum, one) => sum + gasUsedBy(one), 0n)),
    difficulty: '0x0',
    extraData: '0x',
    logsBloom: NO_BLOOM,
    miner: `0x${'0'.repeat(40)}`,
    mixHash: wordOf(0),
    nonce: '0x0000000000000000',
    receiptsRoot: wordOf(0),
    sha3Uncles: wordOf(0),
    size: '0x3e8',
    stateRoot: wordOf(0),
    transactionsRoot: wordOf(0),
    uncles: [],
    transactions: isFull
      ? transactions.map(transactionToRpc)
      : transactions.map(({ hash }) => hash),
  };
}
