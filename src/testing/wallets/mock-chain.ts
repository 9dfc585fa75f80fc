import type { Blocks } from './blocks.js';

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
