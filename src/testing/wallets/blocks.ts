import { requireInteger } from '../numbers.js';

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
