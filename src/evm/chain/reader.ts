import type { DriverContext } from '../../delegation/driver.js';
import { APPROVAL_TOPIC, addressTopic } from '../approval/on-chain.js';
import { allowanceCall, parseAllowance } from './allowance-call.js';
import { hex, isQuantity } from './json-rpc.js';
import type { EvmNode } from './node.js';
import type { Block, Log, Receipt, Transaction } from './responses.js';
import { parseBlock, parseLogs, parseReceipt, parseTransaction } from './responses.js';

/** Runs a read with a time limit, and with errors that contain no secret. */
export type Read = DriverContext['read'];

/** Block as JSON-RPC names it. */
export type BlockTag = 'latest' | bigint;

/** Reads the chain. Every response is validated, because nodes fail and lie. */
export class ChainReader {
  readonly #node: EvmNode;
  readonly #read: Read;

  constructor(node: EvmNode, read: Read) {
    this.#node = node;
    this.#read = read;
  }

  chainId(): Promise<number> {
    return this.#quantity('its chain id', 'eth_chainId').then(Number);
  }

  blockNumber(): Promise<bigint> {
    return this.#quantity('the block number', 'eth_blockNumber');
  }

  /** How many transactions of an account are mined as of a block. */
  transactionCount(address: string, at: BlockTag): Promise<bigint> {
    const params = [address, tag(at)];
    return this.#quantity('the transaction count', 'eth_getTransactionCount', params);
  }

  /** What a spender may spend, in base units. */
  allowance(token: string, owner: string, spender: string, at: BlockTag): Promise<bigint> {
    const { what, method, params } = allowanceCall(token, owner, spender, tag(at));
    return this.#ask(what, method, params, parseAllowance);
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

  /** A block with its transactions. */
  block(number: bigint): Promise<Block> {
    return this.#ask('a block', 'eth_getBlockByNumber', [hex(number), true], parseBlock);
  }

  /** The events of an owner's approvals of a spender, oldest first. */
  approvals(
    token: string,
    owner: string,
    spender: string,
    [from, to]: readonly [bigint, bigint],
  ): Promise<Log[]> {
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
    understand: (response: unknown) => T | undefined,
  ): Promise<T> {
    return this.#read(what, async () => {
      const response = await this.#node.request({ method, params });
      const understood = understand(response ?? null);
      if (understood === undefined) throw new Error('not a valid response');
      return understood;
    });
  }
}

function tag(at: BlockTag): string {
  return at === 'latest' ? at : hex(at);
}
