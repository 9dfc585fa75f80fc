import { equalsIgnoringCase } from '../../../contract/formats/ignore-case.js';
import { isObject } from '../../../contract/formats/is-object.js';
import { invalidParams, MockNodeError, quantity } from './json-rpc.js';
import type { EvmLedger } from './ledger.js';
import {
  blockToRpc,
  GAS,
  GAS_PRICE,
  logsToRpc,
  receiptToRpc,
  transactionToRpc,
} from './transactions.js';

type Params = readonly unknown[];
type Method = (ledger: EvmLedger, params: Params) => unknown;

function textAt(params: Params, index: number): string {
  const value = params[index];
  return typeof value === 'string' ? value : '';
}

/** The block of a tag, as far as the node knows it. */
function blockAt({ blocks }: EvmLedger, tag: unknown): number {
  if (tag === 'earliest') return 0;
  return typeof tag === 'string' && /^0x[0-9a-f]+$/i.test(tag) ? Number(tag) : blocks.known;
}

function callOf(ledger: EvmLedger, params: Params) {
  const [call, , overrides] = params;
  // Without an EVM this node refuses programs, as some real ones do. Callers then read one value at
  // a time.
  if (overrides !== undefined) throw invalidParams('too many arguments, want at most 2');
  const { to, from, data, input } = Object(call) as Record<string, unknown>;
  if (typeof to !== 'string') throw invalidParams('missing field `to`');
  const calldata = typeof input === 'string' ? input : data;
  return {
    to,
    from: typeof from === 'string' ? from : `0x${'0'.repeat(40)}`,
    data: typeof calldata === 'string' ? calldata.toLowerCase() : '0x',
    token: ledger.tokenAt(to),
  };
}

function call(ledger: EvmLedger, params: Params): string {
  const { token, from, data } = callOf(ledger, params);
  // An address without code returns nothing, and so does the platform's contract: its code is STOP.
  return token === undefined ? '0x' : token.call(from, data, blockAt(ledger, params[1]));
}

function estimateGas(ledger: EvmLedger, params: Params): string {
  call(ledger, [params[0], 'latest']);
  return quantity(GAS);
}

function minedUpTo(ledger: EvmLedger, hash: string, block: number) {
  return ledger.mined.find(
    (one) => equalsIgnoringCase(one.hash, hash) && (one.block ?? 0) <= block,
  );
}

function transaction(ledger: EvmLedger, params: Params) {
  const hash = textAt(params, 0);
  const found =
    minedUpTo(ledger, hash, ledger.blocks.known) ??
    ledger.pending.find((one) => equalsIgnoringCase(one.hash, hash));
  return found === undefined ? null : transactionToRpc(found);
}

function receipt(ledger: EvmLedger, params: Params) {
  const found = minedUpTo(ledger, textAt(params, 0), ledger.blocks.known);
  return found === undefined ? null : receiptToRpc(found);
}

function block(ledger: EvmLedger, [tag, isFull]: Params) {
  const number = blockAt(ledger, tag);
  if (number > ledger.blocks.known) return null;
  return blockToRpc({
    chainId: ledger.settings.chainId,
    number,
    timestamp: ledger.blocks.timeOf(number),
    transactions: ledger.mined.filter((one) => one.block === number),
    isFull: isFull === true,
  });
}

function logs(ledger: EvmLedger, [filter]: Params) {
  if (!isObject(filter)) throw invalidParams('missing filter');
  const { fromBlock, toBlock, address, topics = [] } = filter;
  const [first, last] = [blockAt(ledger, fromBlock), blockAt(ledger, toBlock)];
  const addresses = [address].flat().filter((one) => one !== undefined);
  const expectedTopics = Array.isArray(topics) ? topics : [];
  const matches = (value: string, expected: unknown) =>
    expected === null ||
    expected === undefined ||
    [expected].flat().some((one) => equalsIgnoringCase(one, value));
  return ledger.mined
    .filter(({ block: at = 0 }) => at >= first && at <= Math.min(last, ledger.blocks.known))
    .flatMap(logsToRpc)
    .filter((log) => addresses.length === 0 || matches(log.address, addresses))
    .filter((log) =>
      expectedTopics.every((topic, index) => matches(log.topics[index] ?? '', topic)),
    );
}

function transactionCount(ledger: EvmLedger, params: Params): string {
  const address = textAt(params, 0);
  const isPending = params[1] === 'pending';
  return quantity(
    isPending
      ? ledger.nextNonce(address)
      : ledger.transactionCount(address, blockAt(ledger, params[1])),
  );
}

const METHODS: Readonly<Record<string, Method>> = {
  eth_chainId: ({ settings }) => quantity(settings.chainId),
  net_version: ({ settings }) => String(settings.chainId),
  eth_blockNumber: ({ blocks }) => quantity(blocks.known),
  eth_getBalance: (ledger, params) => quantity(ledger.balanceOf(textAt(params, 0))),
  eth_getCode: (ledger, params) => (ledger.hasCode(textAt(params, 0)) ? '0x00' : '0x'),
  eth_getTransactionCount: transactionCount,
  eth_call: call,
  eth_estimateGas: estimateGas,
  eth_gasPrice: () => quantity(GAS_PRICE),
  eth_maxPriorityFeePerGas: () => '0x0',
  eth_getTransactionByHash: transaction,
  eth_getTransactionReceipt: receipt,
  eth_getBlockByNumber: block,
  eth_getLogs: logs,
};

/** Responds to a JSON-RPC read as a node does. Throws the node's error. */
export function respond(ledger: EvmLedger, method: string, params: unknown): unknown {
  const run = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (run === undefined) {
    throw new MockNodeError(-32601, `the method ${method} does not exist/is not available`);
  }
  return run(ledger, Array.isArray(params) ? params : []);
}
