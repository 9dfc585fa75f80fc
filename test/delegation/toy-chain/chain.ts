/** A transaction of the toy chain: it sets the limit of a spender, or only uses up its nonce. */
export type ToyTransaction = {
  readonly id: string;
  readonly from: string;
  readonly nonce: number;
  readonly fee: number;
  /** `undefined`: a transfer of nothing to the sender, with which wallets cancel. */
  readonly approve: { readonly spender: string; readonly amount: bigint } | undefined;
  /** The last block that may contain it. `undefined`: it never expires. */
  readonly validUntil: number | undefined;
};

/** A transaction in a block. */
export type MinedTransaction = ToyTransaction & {
  readonly height: number;
  readonly succeeded: boolean;
};

const BLOCK_TIME_MS = 2_000;

/**
 * A chain with accounts that count their transactions, a mempool, and blocks that can be removed
 * again. It has no consensus and no signatures: only the parts of a real chain that a delegation
 * can observe.
 */
export class ToyChain {
  readonly id: string;
  /** The pending transactions by id. */
  readonly mempool = new Map<string, ToyTransaction>();
  /** Blocks stay empty while it is congested. */
  isCongested = false;
  /** Whether the next approval that is mined fails. */
  failsNext = false;
  /** The transactions of all blocks, oldest first. */
  #mined: MinedTransaction[] = [];
  #height = 0;
  readonly #spent = new Map<string, bigint>();
  #transactionCount = 0;
  #elapsed = 0;

  constructor(id: string) {
    this.id = id;
  }

  get height(): number {
    return this.#height;
  }

  newId(): string {
    return `0x${String(++this.#transactionCount).padStart(64, '0')}`;
  }

  /** All mined transactions up to a block, oldest first. */
  minedUntil(height = this.height): MinedTransaction[] {
    return this.#mined.filter((transaction) => transaction.height <= height);
  }

  find(id: string): MinedTransaction | undefined {
    return this.#mined.find((transaction) => transaction.id === id);
  }

  /** How many transactions of an account are in blocks: the nonce of its next one. */
  nonceOf(account: string, height = this.height): number {
    return this.minedUntil(height).filter(({ from }) => from === account).length;
  }

  pendingNonceOf(account: string): number {
    let nonce = this.nonceOf(account);
    while ([...this.mempool.values()].some((one) => one.from === account && one.nonce === nonce)) {
      nonce++;
    }
    return nonce;
  }

  /** Whether a transaction can still be mined. */
  isPossible({ id, from, nonce, validUntil }: ToyTransaction): boolean {
    if (this.find(id) !== undefined) return true;
    return nonce >= this.nonceOf(from) && (validUntil === undefined || validUntil > this.height);
  }

  /** Takes a transaction into the mempool. One with the same nonce is replaced if the fee is higher. */
  submit(transaction: ToyTransaction): void {
    if (!this.isPossible(transaction)) throw new Error('the transaction is no longer valid');
    for (const other of this.mempool.values()) {
      if (other.from !== transaction.from || other.nonce !== transaction.nonce) continue;
      if (other.fee >= transaction.fee) throw new Error('replacement transaction underpriced');
      this.mempool.delete(other.id);
    }
    this.mempool.set(transaction.id, transaction);
  }

  drop(id: string): void {
    this.mempool.delete(id);
  }

  /** Adds a block with every transaction of the mempool that fits. */
  mine(): void {
    const height = ++this.#height;
    const pending = [...this.mempool.values()].sort((one, other) => one.nonce - other.nonce);
    for (const transaction of this.isCongested ? [] : pending) {
      const { id, from, nonce, approve } = transaction;
      if (nonce !== this.nonceOf(from) || this.#isExpired(transaction, height)) continue;
      const succeeded = approve === undefined || !this.failsNext;
      if (!succeeded) this.failsNext = false;
      this.#mined.push({ ...transaction, height, succeeded });
      this.mempool.delete(id);
    }
    for (const transaction of pending) {
      const isUsed = transaction.nonce < this.nonceOf(transaction.from);
      if (isUsed || this.#isExpired(transaction, height)) this.mempool.delete(transaction.id);
    }
  }

  /** Lets time pass: a block every two seconds. */
  advance(milliseconds: number): void {
    this.#elapsed += milliseconds;
    for (; this.#elapsed >= BLOCK_TIME_MS; this.#elapsed -= BLOCK_TIME_MS) this.mine();
  }

  /** Replaces the newest blocks with empty ones. Their transactions are pending again, or lost. */
  reorganize(depth: number, areLost = false): void {
    const kept = this.minedUntil(this.#height - depth);
    const removed = this.#mined.slice(kept.length);
    this.#mined = kept;
    if (areLost) return;
    for (const { id, from, nonce, fee, approve, validUntil } of removed) {
      this.mempool.set(id, { id, from, nonce, fee, approve, validUntil });
    }
  }

  /**
   * Returns how much a spender may still spend. The newest approval replaces every earlier limit.
   */
  allowance(owner: string, spender: string, height = this.height): bigint {
    const approval = this.minedUntil(height).findLast(
      ({ from, approve, succeeded }) => from === owner && approve?.spender === spender && succeeded,
    );
    const limit = approval?.approve?.amount ?? 0n;
    const spent = approval === undefined ? 0n : (this.#spent.get(approval.id) ?? 0n);
    return limit > spent ? limit - spent : 0n;
  }

  /** Spends a part of the current limit. */
  spend(owner: string, spender: string, amount: bigint): void {
    const approval = this.minedUntil().findLast(
      ({ from, approve, succeeded }) => from === owner && approve?.spender === spender && succeeded,
    );
    if (approval === undefined || this.allowance(owner, spender) < amount) return;
    this.#spent.set(approval.id, (this.#spent.get(approval.id) ?? 0n) + amount);
  }

  #isExpired({ validUntil }: ToyTransaction, height: number): boolean {
    return validUntil !== undefined && height > validUntil;
  }
}
