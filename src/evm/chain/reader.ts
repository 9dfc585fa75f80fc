import { throwIfAborted } from '../../contract/formats/abort-reason.js';
import { isObject } from '../../contract/formats/is-object.js';
import { invalid } from '../../delegation/check-values.js';
import type { DriverContext } from '../../delegation/driver.js';
import {
  createReadingContext,
  ifReadable,
  type ReadingOptions,
} from '../../delegation/reading-context.js';
import { APPROVAL_TOPIC, addressTopic, DECIMALS, encodeBalanceOf } from '../approval/calldata.js';
import type { EvmCall } from '../approval/calls.js';
import { allowanceCall, parseAllowance } from './allowance.js';
import {
  type Allowance,
  type BatchResult,
  type ChainFacts,
  chainFactsCall,
  encodeBatch,
  parseBatch,
  type ViewCall,
} from './chain-facts.js';
import {
  type Block,
  type BlockHeader,
  type EvmNode,
  hex,
  isHex,
  isQuantity,
  type Log,
  parseBlock,
  parseBlockHeader,
  parseLogs,
  parseReceipt,
  parseTransaction,
  type Receipt,
  type Transaction,
} from './json-rpc.js';
import { isRevert, revertReason } from './revert.js';

/** The result of a call that was run on the node, and why the contract refused it, if known. */
type CallResult = { readonly passed: boolean; readonly reason?: string | undefined };

/** A token may also refuse by returning `false`. */
const RETURNED_FALSE = 'approve returned false';

/** Runs a read with a time limit, and with errors that contain no secret. */
type Read = DriverContext['read'];

/** Block as JSON-RPC names it. */
type BlockTag = 'latest' | 'pending' | bigint;

const TOKEN = 'the decimals: is the token on this chain?';

/**
 * Reads the chain. Every response is validated, because nodes fail and lie. A failed read is tried
 * once more after a pause, so that one 429 does not end a flow.
 */
export class ChainReader {
  readonly #node: EvmNode;
  readonly #read: Read;
  readonly #pause: () => Promise<void>;

  constructor(node: EvmNode, read: Read, pause: () => Promise<void>) {
    this.#node = node;
    this.#read = read;
    this.#pause = pause;
  }

  /** Everything about a delegation that is known before it: in one read where the node can. */
  async facts(place: Allowance): Promise<ChainFacts> {
    const { params, parse } = chainFactsCall(place);
    const call = () => this.#request('eth_call', params, parse);
    const found = await ifReadable(this.#read('the token and the spender', call));
    if (found !== undefined) return found;
    // Some nodes refuse a call without a receiver.
    const { token, spender, owner } = place;
    const chainId = await this.chainId();
    const spenderHasCode = await this.hasCode(spender);
    const decimals = await this.#ask(
      TOKEN,
      'eth_call',
      [{ to: token, data: DECIMALS }, 'latest'],
      word,
    );
    const [currentAllowance, balance, ownerCode] = await Promise.all([
      ifReadable(this.allowance(place)),
      ifReadable(this.balance(owner)),
      ifReadable(this.code(owner)),
    ]);
    return { chainId, spenderHasCode, decimals, currentAllowance, balance, ownerCode };
  }

  /**
   * The first word of the results of several view calls, in one read where possible. `undefined` for a
   * call that failed, or an address without a contract.
   */
  async batch(calls: readonly ViewCall[]): Promise<Pick<BatchResult, 'chainId' | 'words'>> {
    const params = [{ data: encodeBatch(calls) }, 'latest'];
    const parse = (response: unknown) => parseBatch(response, calls.length);
    const call = () => this.#request('eth_call', params, parse);
    const results = await ifReadable(this.#read('the contracts', call));
    if (results !== undefined) return results;
    // Some nodes refuse a call without a receiver.
    const chainId = await this.chainId();
    const read = ({ to, data }: ViewCall) =>
      this.#ask('a contract', 'eth_call', [{ to, data }, 'latest'], wordOrNull);
    const words = await Promise.all(calls.map((call) => ifReadable(read(call))));
    return { chainId, words: words.map((found) => found ?? undefined) };
  }

  /** Whether an address is a contract, or an account that has been given code (EIP-7702). */
  async hasCode(address: string): Promise<boolean> {
    return (await this.code(address)) !== '0x';
  }

  /** The code of an address; `0x` if it has none. */
  code(address: string): Promise<string> {
    return this.#ask('the code', 'eth_getCode', [address, 'latest'], (response) =>
      isHex(response) ? response : undefined,
    );
  }

  chainId(): Promise<number> {
    return this.#quantity('its chain id', 'eth_chainId').then(Number);
  }

  blockNumber(): Promise<bigint> {
    return this.#quantity('the block number', 'eth_blockNumber');
  }

  /** How many transactions of an account are mined as of a block; `pending` adds those that wait. */
  transactionCount(address: string, at: BlockTag): Promise<bigint> {
    const params = [address, tag(at)];
    return this.#quantity('the transaction count', 'eth_getTransactionCount', params);
  }

  /** What a spender may spend, in base units. */
  allowance({ token, owner, spender }: Allowance, at: BlockTag = 'latest'): Promise<bigint> {
    const { what, method, params } = allowanceCall(token, owner, spender, tag(at));
    return this.#ask(what, method, params, parseAllowance);
  }

  /** The native coins of an account, in wei. */
  balance(address: string): Promise<bigint> {
    return this.#quantity('the balance', 'eth_getBalance', [address, 'latest']);
  }

  /** The tokens of an account, in base units. */
  tokenBalance(token: string, owner: string): Promise<bigint> {
    const params = [{ to: token, data: encodeBalanceOf(owner) }, 'latest'];
    return this.#ask('the token balance', 'eth_call', params, word);
  }

  /** What one unit of gas costs now, in wei. */
  gasPrice(): Promise<bigint> {
    return this.#quantity('the gas price', 'eth_gasPrice');
  }

  /** How much gas a call of an account needs. */
  estimateGas(from: string, call: EvmCall): Promise<bigint> {
    return this.#quantity('the gas estimate', 'eth_estimateGas', [callOf(from, call)]);
  }

  /**
   * Runs an `approve` of an account on the node, without sending it. `undefined` when the node did not
   * report how it ended.
   */
  tryApprove(from: string, call: EvmCall): Promise<CallResult | undefined> {
    const params = [callOf(from, call), 'latest'];
    const run = async (): Promise<CallResult | undefined> => {
      try {
        const response = await this.#node.request({ method: 'eth_call', params });
        if (!isHex(response)) return undefined;
        const isFalse = isHex(response, 32) && BigInt(response) === 0n;
        return isFalse ? { passed: false, reason: RETURNED_FALSE } : { passed: true };
      } catch (error) {
        if (isRevert(error)) return { passed: false, reason: revertReason(error) };
        throw error;
      }
    };
    return ifReadable(this.#read('a test run', run));
  }

  /** `null` when the transaction is not mined. */
  receipt(hash: string): Promise<Receipt | null> {
    return this.#ask('the receipt', 'eth_getTransactionReceipt', [hash], (response) =>
      response === null ? null : parseReceipt(response, hash),
    );
  }

  /** `null` when the node does not know the transaction. */
  transaction(hash: string): Promise<Transaction | null> {
    return this.#ask('the transaction', 'eth_getTransactionByHash', [hash], (response) =>
      response === null ? null : parseTransaction(response),
    );
  }

  /** `null` when the node does not have the block yet. */
  blockHeader(number: bigint): Promise<BlockHeader | null> {
    return this.#ask('a block', 'eth_getBlockByNumber', [hex(number), false], (response) =>
      response === null ? null : parseBlockHeader(response),
    );
  }

  /** A block with its transactions. */
  block(number: bigint): Promise<Block> {
    return this.#ask('a block', 'eth_getBlockByNumber', [hex(number), true], parseBlock);
  }

  /** The events of an owner's approvals of a spender, oldest first. */
  approvals({ token, owner, spender }: Allowance, from: bigint, to: bigint): Promise<Log[]> {
    const topics = [APPROVAL_TOPIC, addressTopic(owner), addressTopic(spender)];
    const params = [{ address: token, topics, fromBlock: hex(from), toBlock: hex(to) }];
    return this.#ask('the approvals', 'eth_getLogs', params, parseLogs);
  }

  #quantity(what: string, method: string, params: unknown[] = []): Promise<bigint> {
    return this.#ask(what, method, params, (response) =>
      isQuantity(response) ? BigInt(response) : undefined,
    );
  }

  #ask<T>(
    what: string,
    method: string,
    params: unknown[],
    parse: (response: unknown) => T | undefined,
  ): Promise<T> {
    const request = () => this.#request(method, params, parse);
    return this.#read(what, () => request().catch(() => this.#pause().then(request)));
  }

  async #request<T>(
    method: string,
    params: unknown[],
    parse: (response: unknown) => T | undefined,
  ): Promise<T> {
    const response = await this.#node.request({ method, params });
    const parsed = parse(response ?? null);
    if (parsed === undefined) throw new Error('not a valid response');
    return parsed;
  }
}

function callOf(from: string, { to, data }: EvmCall) {
  return { from, to, data };
}

function word(response: unknown): bigint | undefined {
  return isHex(response, 32) ? BigInt(response) : undefined;
}

/** A contract that returns nothing is readable: it has no value. */
function wordOrNull(response: unknown): bigint | null | undefined {
  return isHex(response) ? (word(response) ?? null) : undefined;
}

function tag(at: BlockTag): string {
  return typeof at === 'bigint' ? hex(at) : at;
}

const PAUSE_MS = 500;

/** Checks the node and the options of a function that is not a flow, and returns its reader. */
export function plainReader(options: ReadingOptions & { node: EvmNode }): ChainReader {
  if (!isObject(options)) return invalid('options', 'must be an object');
  throwIfAborted(options.signal);
  const { node } = options;
  if (typeof node?.request !== 'function') invalid('node', 'cannot send a request');
  const { read, sleep } = createReadingContext(options);
  return new ChainReader(node, read, () => sleep(PAUSE_MS));
}
