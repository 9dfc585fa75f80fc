import type { ChainConfig } from '../contract/delegation.js';
import { MockClock } from './clock.js';
import { copyData } from './copy-data.js';
import { applyElapsedTime } from './elapsed-time.js';
import { emptyState } from './empty-state.js';
import { Identifiers } from './identifiers.js';
import { requireInteger } from './numbers.js';
import type { MockPlatformOptions } from './options.js';
import type { MockSnapshot, MockState } from './state.js';

const DEFAULT_START = Date.UTC(2026, 0, 1);
const DEFAULT_SEED = 1;

/** The state, the clock and the id generator of a mock platform. */
export class Simulation {
  readonly clock: MockClock;
  readonly ids: Identifiers;
  state: MockState;
  readonly #chainConfig: ChainConfig | undefined;

  constructor({ startsAt, seed, chainConfig }: MockPlatformOptions) {
    this.clock = new MockClock(startsAt ?? DEFAULT_START);
    this.ids = new Identifiers(requireInteger('seed', seed ?? DEFAULT_SEED));
    this.#chainConfig = chainConfig;
    this.state = emptyState(chainConfig);
  }

  /** Applies everything that is due at the current time. */
  applyElapsedTime(): void {
    applyElapsedTime(this.state, this.clock);
  }

  reset(): void {
    this.state = emptyState(this.#chainConfig);
    this.clock.set();
    this.ids.reset();
  }

  snapshot(): MockSnapshot {
    return { state: copyData(this.state), now: this.clock.now(), ids: this.ids.state };
  }

  restore({ state, now, ids }: MockSnapshot): void {
    this.clock.set(now);
    this.ids.reset(requireInteger('ids', ids));
    this.state = copyData(state);
  }
}
