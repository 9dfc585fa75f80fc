import { decodeFunctionData, erc20Abi, type Hex } from 'viem';

export const CHAIN_ID = 59_144;
/** USDC of linea. */
export const TOKEN = '0x176211869cA2b568f2A7D4EE941E073a821EE1ff';
export const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
export const OTHER = '0x00000000000000000000000000000000DeaDBeef';

const APPROVAL_TOPIC = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';

/** A transaction, in the pool or in a block. */
export type ScriptedTransaction = {
  hash: string;
  from: string;
  to: string | null;
  input: string;
  value: bigint;
  nonce: bigint;
  /** `undefined` while it waits in the pool. */
  block?: bigint | undefined;
  failed?: boolean;
  /** Events that replace those of the token. */
  logs?: { address: string; topics: string[]; data: string }[];
};

type Params = readonly unknown[];
type Script = (params: Params, usual: () => unknown) => unknown;

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');
const quantity = (value: bigint | number) => `0x${value.toString(16)}`;
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const same = (one: string | null, other: string) => one?.toLowerCase() === other.toLowerCase();

/** The hash of a block. Nodes on another branch have another one for the same number. */
export function blockHash(number: bigint, branch = 0): string {
  return `0xb10c${branch.toString(16).padStart(4, '0')}${number.toString(16).padStart(56, '0')}`;
}

/** The calldata of an `approve`, written out. */
export function approveData(units: bigint, spender = SPENDER): Hex {
  return `0x095ea7b3${spender.slice(2).toLowerCase().padStart(64, '0')}${word(units)}`;
}

/**
 * A chain that only a test changes, and a node that answers from it by method and arguments. It has no
 * timers: nothing is mined unless the test or the wallet says so.
 */
export class ScriptedChain {
  chainId = CHAIN_ID;
  height = 1_000n;
  /** How many blocks the node is behind. */
  behind = 0n;
  decimals = 6n;
  balance = 10n ** 18n;
  tokenBalance = 0n;
  code = new Map<string, string>([[SPENDER.toLowerCase(), '0x60']]);
  transactions: ScriptedTransaction[] = [];
  /** Spent by the spender in a block. */
  spent: { block: bigint; units: bigint }[] = [];
  /** The allowance before the first transaction. */
  firstAllowance = 0n;
  /** Nonces that the account had used before. */
  firstNonce = 7n;
  /** The token refuses to change a limit that is not zero. */
  onlyFromZero = false;
  readonly calls: { method: string; params: Params }[] = [];
  readonly #scripts = new Map<string, Script>();
  #hashes = 0;

  readonly request = async ({ method, params = [] }: { method: string; params?: unknown }) => {
    const list = params as Params;
    this.calls.push({ method, params: list });
    const usual = () => this.#answer(method, list);
    const script = this.#scripts.get(method);
    return script === undefined ? usual() : script(list, usual);
  };

  /** Answers a method otherwise. */
  script(method: string, script: Script): void {
    this.#scripts.set(method, script);
  }

  /** Answers a method as usual again. */
  unscript(method: string): void {
    this.#scripts.delete(method);
  }

  countOf(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  find(hash: string): ScriptedTransaction | undefined {
    return this.transactions.find((one) => one.hash === hash);
  }

  newHash(): string {
    return `0x${(0xabc000 + ++this.#hashes).toString(16).padStart(64, '0')}`;
  }

  /** Puts a transaction into the pool. */
  submit(transaction: Partial<ScriptedTransaction> & { from: string }): ScriptedTransaction {
    const pooled: ScriptedTransaction = {
      hash: this.newHash(),
      to: TOKEN,
      input: '0x',
      value: 0n,
      nonce: this.#nonceOf(transaction.from, true),
      ...transaction,
    };
    this.transactions.push(pooled);
    return pooled;
  }

  /** Mines blocks: the first one contains the pool. */
  mine(blocks = 1n): void {
    for (const one of this.transactions) {
      if (one.block === undefined) one.block = this.height + 1n;
    }
    this.height += blocks;
  }

  /** Removes a transaction as if it had never been sent. */
  forget(hash: string): void {
    this.transactions = this.transactions.filter((one) => one.hash !== hash);
  }

  /** Takes a transaction out of its block: it waits again. */
  unmine(hash: string): void {
    for (const one of this.transactions) if (one.hash === hash) one.block = undefined;
  }

  get seen(): bigint {
    return this.height - this.behind;
  }

  allowanceAt(block: bigint, owner: string, spender = SPENDER): bigint {
    let units = same(spender, SPENDER) ? this.firstAllowance : 0n;
    const changes = [
      ...this.transactions.flatMap((one) => {
        const set = this.#approved(one);
        if (one.block === undefined || one.failed || set === undefined) return [];
        if (!same(one.from, owner) || !same(set.spender, spender)) return [];
        return [{ block: one.block, order: one.nonce, apply: () => set.units }];
      }),
      ...this.spent.map((one) => ({
        block: one.block,
        order: 10n ** 9n,
        apply: (before: bigint) => before - one.units,
      })),
    ].sort((a, b) => Number(a.block - b.block) || Number(a.order - b.order));
    for (const { block: at, apply } of changes) if (at <= block) units = apply(units);
    return units;
  }

  #approved({ to, input: data }: ScriptedTransaction) {
    const input = data.toLowerCase();
    if (!same(to, TOKEN) || !input.startsWith('0x095ea7b3') || input.length < 138) {
      return undefined;
    }
    const { args } = decodeFunctionData({ abi: erc20Abi, data: input.slice(0, 138) as Hex });
    const [spender, units] = args as readonly [string, bigint];
    return { spender, units };
  }

  #nonceOf(owner: string, isPending: boolean, block = this.height): bigint {
    const own = this.transactions.filter(
      ({ from, block: at }) =>
        same(from, owner) && (at === undefined ? isPending : at <= block || isPending),
    );
    const last = own.reduce((max, { nonce }) => (nonce > max ? nonce : max), this.firstNonce - 1n);
    return last + 1n;
  }

  #blockOf(tag: unknown): bigint {
    return tag === 'latest' || tag === 'pending' ? this.seen : BigInt(tag as string);
  }

  #isSeen({ block }: ScriptedTransaction): boolean {
    return block !== undefined && block <= this.seen;
  }

  #logsOf(one: ScriptedTransaction) {
    const set = this.#approved(one);
    const usual =
      set === undefined || one.failed
        ? []
        : [
            {
              address: TOKEN,
              topics: [APPROVAL_TOPIC, topic(one.from), topic(set.spender)],
              data: `0x${word(set.units)}`,
            },
          ];
    return (one.logs ?? usual).map((log) => ({ ...log, transactionHash: one.hash }));
  }

  #call([call, tag, overrides]: Params): unknown {
    const { from, to, data } = call as { from?: string; to?: string; data: string };
    // A node that knows neither calls without a receiver nor other states, as many do.
    if (to === undefined) throw new Error('missing receiver');
    if (overrides !== undefined) return '0x';
    if (data === '0x313ce567') return `0x${word(this.decimals)}`;
    if (data.startsWith('0xdd62ed3e')) {
      const [owner, spender] = [data.slice(34, 74), data.slice(98, 138)];
      return `0x${word(this.allowanceAt(this.#blockOf(tag), `0x${owner}`, `0x${spender}`))}`;
    }
    if (data.startsWith('0x70a08231')) return `0x${word(this.tokenBalance)}`;
    if (data.startsWith('0x095ea7b3')) {
      const units = BigInt(`0x${data.slice(74, 138)}`);
      if (this.onlyFromZero && units > 0n && this.allowanceAt(this.seen, from ?? '') > 0n) {
        throw Object.assign(new Error('execution reverted'), { code: 3 });
      }
      return `0x${word(1)}`;
    }
    throw new Error(`no script for the call ${data}`);
  }

  #answer(method: string, params: Params): unknown {
    const [first, second] = params;
    switch (method) {
      case 'eth_chainId':
        return quantity(this.chainId);
      case 'eth_blockNumber':
        return quantity(this.seen);
      case 'eth_getCode':
        return this.code.get(String(first).toLowerCase()) ?? '0x';
      case 'eth_getBalance':
        return quantity(this.balance);
      case 'eth_gasPrice':
        return quantity(1_000_000_000);
      case 'eth_estimateGas':
        return quantity(50_000);
      case 'eth_call':
        return this.#call(params);
      case 'eth_getTransactionCount': {
        const isPending = second === 'pending';
        return quantity(this.#nonceOf(String(first), isPending, this.#blockOf(second)));
      }
      case 'eth_getTransactionByHash': {
        const found = this.transactions.find(({ hash }) => hash === first);
        if (found === undefined) return null;
        const { hash, from, to, input, value, nonce } = found;
        return { hash, from, to, input, value: quantity(value), nonce: quantity(nonce) };
      }
      case 'eth_getTransactionReceipt': {
        const found = this.transactions.find(({ hash }) => hash === first);
        if (found?.block === undefined || !this.#isSeen(found)) return null;
        return {
          transactionHash: found.hash,
          status: found.failed ? '0x0' : '0x1',
          blockNumber: quantity(found.block),
          blockHash: blockHash(found.block),
          logs: this.#logsOf(found),
        };
      }
      case 'eth_getBlockByNumber': {
        const number = BigInt(String(first));
        if (number > this.seen) return null;
        const mined = this.transactions.filter(({ block }) => block === number);
        return {
          hash: blockHash(number),
          parentHash: blockHash(number - 1n),
          transactions: mined.map(({ hash, from, to, input, value, nonce }) => ({
            ...{ hash, from, to, input, value: quantity(value), nonce: quantity(nonce) },
          })),
        };
      }
      case 'eth_getLogs': {
        const { fromBlock, toBlock, topics } = first as Record<string, string> & {
          topics: string[];
        };
        const [from, to] = [BigInt(fromBlock ?? 0), BigInt(toBlock ?? 0)];
        return this.transactions
          .filter(
            (one) => this.#isSeen(one) && (one.block ?? 0n) >= from && (one.block ?? 0n) <= to,
          )
          .sort((a, b) => Number((a.block ?? 0n) - (b.block ?? 0n)))
          .flatMap((one) => this.#logsOf(one))
          .filter((log) => log.topics.every((one, index) => same(one, topics[index] ?? '')));
      }
      default:
        throw new Error(`no script for ${method}`);
    }
  }
}
