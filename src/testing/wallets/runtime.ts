import type { MockPlatform } from '../platform.js';
import type { Work } from './prompts.js';

/** The platform's clock, for the waits of the flows. */
export type MockChainRuntime = {
  /** Returns the platform's time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Moves the platform's clock. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

// Kept, because a test may replace the timers later.
const { setTimeout: startTimer } = globalThis;

/** Resolves when everything that is ready has run. */
const turn = () => new Promise<void>((resolve) => startTimer(resolve, 0));

/** The clock of the platform. It stands still while a wallet works, because that takes real time. */
export function createRuntime(platform: MockPlatform, work: Work): MockChainRuntime {
  return {
    now: () => platform.now,
    async sleep(milliseconds, signal) {
      const end = platform.now + milliseconds;
      for (;;) {
        do await turn();
        while (!work.isIdle && !signal?.aborted);
        if (signal?.aborted || platform.now >= end) return;
        platform.advance((work.nextDue(end) ?? end) - platform.now);
      }
    },
  };
}
