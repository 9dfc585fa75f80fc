import type { ChainTransaction, Mined, View } from './chain.js';
import { limitIn } from './chain.js';

export const EVM_CHAIN_ID = 59_144;
/** USDC of linea. */
export const EVM_TOKEN = '0x176211869cA2b568f2A7D4EE941E073a821EE1ff';
export const EVM_SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';

/** How many transactions the account had sent before. */
export const FIRST_NONCE = 7;
/** Most nodes keep the state of this many blocks. */
const KEPT_BLOCKS = 128;
const APPROVAL_TOPIC = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';

/** A transaction of the account. */
export type EvmTransaction = ChainTransaction & {
  readonly nonce: number;
  readonly from: string;
  readonly to: string;
  readonly input: string;
  readonly value: bigint;
};

type EvmView = View<EvmTransaction>;
type Params = readonly unknown[];

const quantity = (value: bigint | number) => `0x${value.toString(16)}`;
const word = (value: bigint | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const topicOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/** The calldata of an `approve`, written out. */
export function approveInput(spender: string, units: bigint): string {
  return `0x095ea7b3${topicOf(spender).slice(2)}${word(units).slice(2)}`;
}

/** The spender and the units of an `approve`. */
export function readApprove(input: string): { spender: string; units: bigint } | undefined {
  const [, spender, units] = /^0x095ea7b30{24}([0-9a-f]{40})([0-9a-f]{64})$/i.exec(input) ?? [];
  if (spender === undefined) return undefined;
  return { spender: `0x${spender}`.toLowerCase(), units: BigInt(`0x${units}`) };
}

/** The next nonce of the account. */
export function nextNonce({ mined, pending }: EvmView, isPending: boolean): number {
  const first = FIRST_NONCE + mined.length;
  let next = first;
  while (isPending && pending.some(({ nonce }) => nonce === next)) next++;
  return next;
}

/** The hash of a block, of which another branch of the chain has another one. */
function blockHashOf({ branches }: EvmView, number: number): string {
  const branch = branches.findLast(({ from }) => from <= number)?.id ?? 0;
  return word((BigInt(branch) << 64n) + BigInt(number));
}

function toRpc({ id, from, to, input, value, nonce }: EvmTransaction) {
  return { hash: id, from, to, input, value: quantity(value), nonce: quantity(nonce) };
}

function logsOf({ transaction, failed }: Mined<EvmTransaction>) {
  const { id, from, to, input } = transaction;
  const approve = to.toLowerCase() === EVM_TOKEN.toLowerCase() ? readApprove(input) : undefined;
  if (failed || approve === undefined) return [];
  const topics = [APPROVAL_TOPIC, topicOf(from), topicOf(approve.spender)];
  return [{ address: EVM_TOKEN, topics, data: word(approve.units), transactionHash: id }];
}

function blockOf({ height }: EvmView, tag: unknown): number {
  if (tag === 'latest' || tag === 'pending' || tag === undefined) return height;
  const block = Number(tag);
  if (block > height) throw new Error('header not found');
  if (block < height - KEPT_BLOCKS) throw new Error('missing trie node');
  return block;
}

function call(view: EvmView, [request, tag]: Params): string {
  const { to, data } = request as { to?: string; data: string };
  // As many nodes, this one runs no program without a receiver.
  if (to === undefined) throw new Error('missing receiver');
  if (data === '0x313ce567') return word(6);
  if (data.startsWith('0xdd62ed3e')) return word(limitIn(view, blockOf(view, tag)));
  if (data.startsWith('0x095ea7b3')) return word(1);
  throw new Error(`the token has no such function: ${data}`);
}

function listLogs(view: EvmView, request: unknown, mostBlocks: number) {
  const { fromBlock, toBlock, topics } = request as Record<string, string> & { topics: string[] };
  const [from, to] = [Number(fromBlock), Number(toBlock)];
  if (to - from >= mostBlocks) throw new Error('query exceeds the range of blocks');
  return view.mined
    .filter(({ block }) => block >= from && block <= to)
    .flatMap(logsOf)
    .filter((log) => log.topics.every((one, index) => one === topics[index]?.toLowerCase()));
}

/** Responds to a JSON-RPC call, from what a node sees. */
export function respondEvm(
  view: EvmView,
  { method, params }: { method: string; params: Params },
  mostBlocks: number,
): unknown {
  const [first, second] = params;
  const mined = view.mined.find(({ transaction }) => transaction.id === first);
  switch (method) {
    case 'eth_chainId':
      return quantity(EVM_CHAIN_ID);
    case 'eth_blockNumber':
      return quantity(view.height);
    case 'eth_getCode':
      return String(first).toLowerCase() === EVM_SPENDER.toLowerCase() ? '0x60' : '0x';
    case 'eth_getBalance':
      return quantity(10n ** 18n);
    case 'eth_gasPrice':
      return quantity(1_000_000_000);
    case 'eth_estimateGas':
      return quantity(50_000);
    case 'eth_call':
      return call(view, params);
    case 'eth_getTransactionCount': {
      const block = blockOf(view, second);
      const until = view.mined.filter((one) => one.block <= block);
      return quantity(nextNonce({ ...view, mined: until }, second === 'pending'));
    }
    case 'eth_getTransactionByHash': {
      const found = mined?.transaction ?? view.pending.find(({ id }) => id === first);
      return found === undefined ? null : toRpc(found);
    }
    case 'eth_getTransactionReceipt':
      return mined === undefined
        ? null
        : {
            transactionHash: mined.transaction.id,
            status: mined.failed ? '0x0' : '0x1',
            blockNumber: quantity(mined.block),
            blockHash: blockHashOf(view, mined.block),
            logs: logsOf(mined),
          };
    case 'eth_getBlockByNumber': {
      const number = Number(first);
      if (number > view.height) return null;
      const inBlock = view.mined.filter(({ block }) => block === number);
      return {
        hash: blockHashOf(view, number),
        parentHash: blockHashOf(view, number - 1),
        transactions: inBlock.map(({ transaction }) => toRpc(transaction)),
      };
    }
    case 'eth_getLogs':
      return listLogs(view, first, mostBlocks);
    default:
      throw new Error(`no such method: ${method}`);
  }
}
