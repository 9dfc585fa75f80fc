import type { ChainConfig } from '../contract/delegation.js';
import { MockClock } from './clock.js';
import { emptyState } from './empty-state.js';
import { Identifiers } from './identifiers.js';
import { requireWhole } from './numbers.js';
import { settle } from './passing-time.js';
import type { MockPlatformOptions, MockSnapshot } from './set-up.js';
import type { MockState } from './state.js';

const DEFAULT_START = Date.UTC(2026, 0, 1);
const DEFAULT_SEED = 1;

/** What a platform remembers, its time, and where its ids come from. */
export class World {
  readonly clock: MockClock;
  readonly ids: Identifiers;
  state: MockState;
  readonly #chainConfig: ChainConfig | undefined;

  constructor({ startsAt, seed, chainConfig }: MockPlatformOptions) {
    this.clock = new MockClock(startsAt ?? DEFAULT_START);
    this.ids = new Identifiers(requireWhole('seed', seed ?? DEFAULT_SEED));
    this.#chainConfig = chainConfig;
    this.state = emptyState(chainConfig);
  }

  /** What ends by itself ends, once its time has come. */
  settle(): void {
    settle(this.state, this.clock);
  }

  reset(): void {
    this.state = emptyState(this.#chainConfig);
    this.clock.set();
    this.ids.reset();
  }

  snapshot(): MockSnapshot {
    return { state: structuredClone(this.state), now: this.clock.now(), ids: this.ids.state };
  }

  restore({ state, now, ids }: MockSnapshot): void {
    this.clock.set(now);
    this.ids.reset(requireWhole('ids', ids));
    this.state = structuredClone(state);
  }
}
