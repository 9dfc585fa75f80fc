import { requireInteger } from '../check-options.js';

/** The part of the platform's clock that the chains use. */
export type ChainClock = { readonly now: number };

/**
 * The blocks of a chain. By default the platform's clock makes them, one for each block time; in
 * manual mode only `mine` does.
 */
export class Blocks {
  readonly #clock: ChainClock;
  readonly #blockTime: number;
  #height = 1_000;
  #madeAt: number;
  #isAutomatic = true;
  #lag = 0;
  #times: { height: number; time: number }[];

  constructor(clock: ChainClock, blockTime: number) {
    this.#clock = clock;
    this.#blockTime = blockTime;
    this.#madeAt = clock.now;
    this.#times = [{ height: this.#height, time: clock.now }];
  }

  get isAutomatic(): boolean {
    return this.#isAutomatic;
  }

  set isAutomatic(value: boolean) {
    this.#catchUpWithClock();
    this.#isAutomatic = value;
  }

  /** The number of the newest block. */
  get newest(): number {
    this.#catchUpWithClock();
    return this.#height;
  }

  /** The number of the newest block that the node knows: an older one while it lags. */
  get known(): number {
    return Math.max(0, this.newest - this.#lag);
  }

  /** Makes blocks and returns the number of the first one. */
  make(count = 1): number {
    const first = this.newest + 1;
    this.#height += requireInteger('blocks', count, 1);
    this.#times.push({ height: this.#height, time: this.#clock.now });
    return first;
  }

  lagBehind(blocks: number): void {
    this.#lag = requireInteger('blocks', blocks);
  }

  /** When a block was made, in seconds since 1970. */
  timeOf(number: number): number {
    const made = this.#times.find(({ height }) => height >= number);
    return Math.floor((made?.time ?? this.#clock.now) / 1_000);
  }

  #catchUpWithClock(): void {
    const { now } = this.#clock;
    const count = this.#isAutomatic ? Math.floor((now - this.#madeAt) / this.#blockTime) : 0;
    if (count <= 0) {
      if (!this.#isAutomatic || now < this.#madeAt) this.#madeAt = now;
      return;
    }
    this.#madeAt += count * this.#blockTime;
    this.#height += count;
    this.#times.push({ height: this.#height, time: now });
  }
}

type Ledger = {
  readonly blocks: Blocks;
  readonly pending: readonly unknown[];
  revertsNext: boolean;
  mine(count: number): void;
  drop(): void;
};

/** The controls that a test has over both mock chains. */
export abstract class MockChain {
  readonly #ledger: Ledger;

  /** @internal */
  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /**
   * Sets whether transactions are mined at once (the default), or only by {@link mine}. Without
   * automatic mining, the clock makes no blocks either.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.evm('linea').setAutomaticMining(false);
   * ```
   */
  setAutomaticMining(isAutomatic: boolean): void {
    this.#ledger.blocks.isAutomatic = isAutomatic;
    if (isAutomatic && this.#ledger.pending.length > 0) this.#ledger.mine(1);
  }

  /**
   * Makes blocks, the first with the waiting transactions.
   *
   * @throws TypeError for a number of blocks below 1
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.solana.mine(151);
   * ```
   */
  mine(blocks = 1): void {
    this.#ledger.mine(blocks);
  }

  /**
   * Removes the waiting transactions from the mempool, as nodes do with those that pay too little. On
   * Solana, the network does not accept them again.
   *
   * @throws Error when none is waiting
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.evm('linea').setAutomaticMining(false);
   * // After your app has sent a transaction:
   * chains.evm('linea').dropPending();
   * ```
   */
  dropPending(): void {
    if (this.#ledger.pending.length === 0) throw new Error('no transaction is waiting');
    this.#ledger.drop();
  }

  /**
   * Makes the next transaction fail on the chain, although its simulations succeed.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.evm('linea').revertNext();
   * ```
   */
  revertNext(): void {
    this.#ledger.revertsNext = true;
  }

  /**
   * Makes the node lag some blocks behind, as one of several nodes behind a URL may. `0` ends the
   * lag.
   *
   * @throws TypeError for anything but a whole number from 0
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.solana.lagBehind(2);
   * ```
   */
  lagBehind(blocks: number): void {
    this.#ledger.blocks.lagBehind(blocks);
  }
}
