/** A transaction that sets a limit, or takes the place of one that did. */
export type ChainTransaction = {
  /** Its hash or signature. */
  readonly id: string;
  /** The id of the transaction that the wallet sent first: a copy with another fee has the same. */
  readonly origin: string;
  /** The limit that it sets, in base units; `undefined` if it sets none for the spender. */
  readonly units: bigint | undefined;
  /** Whether it is an approval and nothing else. */
  readonly isExact: boolean;
};

/** A transaction in a block. */
export type Mined<T> = {
  readonly transaction: T;
  readonly block: number;
  readonly failed: boolean;
};

/** What one node sees of a chain. It never changes: a node that lags has an older one. */
export type View<T> = {
  readonly height: number;
  /** Oldest first. */
  readonly mined: readonly Mined<T>[];
  readonly pending: readonly T[];
  /** The branches that its blocks are on, by the first block of each, oldest first. */
  readonly branches: readonly { readonly id: number; readonly from: number }[];
};

/** What differs between the chains. */
export type ChainRules<T> = {
  /** How many blocks are made at once. */
  readonly blocks: number;
  /** Whether a transaction can be in the next block. */
  isDue(transaction: T, view: View<T>): boolean;
  /** Whether no block can contain a transaction any more. */
  isOver(transaction: T, view: View<T>): boolean;
};

/** The most confirmations that a transaction has ever had, as a success and as a failure. */
type Depths = { success: number; failure: number };

/** The limit that the newest successful approval has set, up to a block. */
export function limitIn<T extends ChainTransaction>(
  { mined, height }: View<T>,
  block = height,
): bigint {
  const last = mined.findLast(
    ({ transaction, failed, block: at }) =>
      !failed && at <= block && transaction.units !== undefined,
  );
  return last?.transaction.units ?? 0n;
}

/** How many views a node can be behind. */
const MOST_VIEWS = 8;
const FIRST_HEIGHT = 5_000;

const find = <T extends ChainTransaction>({ mined }: View<T>, id: string) =>
  mined.find(({ transaction }) => transaction.id === id);

/** A chain with a mempool, whose newest blocks can be replaced. It has no timers. */
export class Chain<T extends ChainTransaction> {
  isCongested = false;
  failsNext = false;
  readonly #rules: ChainRules<T>;
  readonly #views: View<T>[] = [{ height: FIRST_HEIGHT, mined: [], pending: [], branches: [] }];
  #branches = 0;
  readonly #depths = new Map<string, Depths>();

  constructor(rules: ChainRules<T>) {
    this.#rules = rules;
  }

  /** What a node sees that is this many steps behind. */
  view(behind = 0): View<T> {
    return this.#views[Math.max(0, this.#views.length - 1 - behind)] as View<T>;
  }

  /** Puts a transaction into the mempool. */
  submit(transaction: T, replaces?: string): void {
    const view = this.view();
    if (this.#isIn(view, transaction.id)) return;
    const pending = view.pending.filter(({ id }) => id !== replaces);
    this.#now({ ...view, pending: [...pending, transaction] });
  }

  /** Takes a transaction out of the mempool for good. */
  evict(id: string): void {
    const view = this.view();
    this.#now({ ...view, pending: view.pending.filter((one) => one.id !== id) });
  }

  /** Makes blocks. The newest one contains the transactions whose turn it is. */
  mine(): void {
    const height = this.view().height + this.#rules.blocks;
    let view: View<T> = { ...this.view(), height };
    for (const transaction of this.isCongested ? [] : view.pending) {
      if (!this.#rules.isDue(transaction, view)) continue;
      const failed = this.failsNext;
      this.failsNext = false;
      view = {
        ...view,
        mined: [...view.mined, { transaction, block: height, failed }],
        pending: view.pending.filter(({ id }) => id !== transaction.id),
      };
    }
    const current = view;
    const pending = view.pending.filter((one) => !this.#rules.isOver(one, current));
    this.#add({ ...view, pending });
    this.#noteDepths();
  }

  /** Removes the newest blocks. Their transactions wait again, or are lost. */
  reorganize(depth: number, isLost: boolean): void {
    const view = this.view();
    const height = view.height - depth;
    const removed = view.mined.filter(({ block }) => block > height);
    const waiting = isLost ? [] : removed.map(({ transaction }) => transaction);
    this.#add({
      height,
      mined: view.mined.filter(({ block }) => block <= height),
      pending: [...waiting, ...view.pending],
      branches: [
        ...view.branches.filter(({ from }) => from <= height),
        { id: ++this.#branches, from: height + 1 },
      ],
    });
  }

  /** The most confirmations that a transaction has ever had. */
  depthsOf(id: string): Readonly<Depths> {
    return this.#depths.get(id) ?? { success: 0, failure: 0 };
  }

  /**
   * Whether a transaction waits and can be in a block, or is in one: where it has failed, another
   * branch may let it succeed.
   */
  isAlive(id: string): boolean {
    const view = this.view();
    const waits = view.pending.some((one) => one.id === id && !this.#rules.isOver(one, view));
    return waits || find(view, id) !== undefined;
  }

  /** The transactions that share an origin, and are in the chain or its mempool. */
  copiesOf(origin: string): T[] {
    const { mined, pending } = this.view();
    return [...mined.map(({ transaction }) => transaction), ...pending].filter(
      (one) => one.origin === origin,
    );
  }

  #isIn({ mined, pending }: View<T>, id: string): boolean {
    return pending.some((one) => one.id === id) || mined.some((one) => one.transaction.id === id);
  }

  #add(view: View<T>): void {
    this.#views.push(view);
    if (this.#views.length > MOST_VIEWS) this.#views.shift();
  }

  /** Changes the newest view, without a new block. */
  #now(view: View<T>): void {
    this.#views[this.#views.length - 1] = view;
  }

  #noteDepths(): void {
    const { height, mined } = this.view();
    for (const { transaction, block, failed } of mined) {
      const depth = height - block + 1;
      const { success, failure } = this.depthsOf(transaction.id);
      this.#depths.set(transaction.id, {
        success: failed ? success : Math.max(success, depth),
        failure: failed ? Math.max(failure, depth) : failure,
      });
    }
  }
}
