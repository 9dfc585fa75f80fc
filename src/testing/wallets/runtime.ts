import type { MockPlatform } from '../platform.js';
import type { Work } from './prompts.js';

/** The platform's clock, by which the flows wait. */
export type MockChainRuntime = {
  /** Returns the platform's time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Moves the platform's clock. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

// Kept from before a test replaces the timers.
const { setTimeout: startTimer } = globalThis;

/** Lets everything happen that is ready. */
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
