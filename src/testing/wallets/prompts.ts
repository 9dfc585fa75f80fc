import { type Duration, toMilliseconds } from '../clock.js';
import type { MockPlatform } from '../platform.js';

/** The kinds of prompts of a wallet. */
export type MockPromptKind =
  | 'connect'
  | 'sign-message'
  | 'send-transaction'
  | 'sign-transaction'
  | 'switch-network'
  | 'add-network';

/** A prompt that a wallet has shown. */
export type MockPrompt = {
  /** The kind of the prompt. */
  readonly kind: MockPromptKind;
  /** The text to sign, for `sign-message`. */
  readonly text?: string | undefined;
  /** Whether the user has accepted or declined; `open` until then. */
  readonly state: 'open' | 'accepted' | 'declined';
};

/** A prompt that stays open until the test ends it. */
export type HeldPrompt = {
  /** Resolves when the wallet shows the prompt. */
  readonly opened: Promise<MockPrompt>;
  /** Accepts the prompt, now or when it is shown. */
  accept(): void;
  /** Declines the prompt, now or when it is shown. */
  decline(): void;
};

/** An error of a wallet, with a code of EIP-1193. */
export class MockWalletError extends Error {
  override readonly name = 'ProviderRpcError';

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const USER_REJECTED = 4001;

type Decision = Promise<'accepted' | 'declined'>;
type Plan = (prompt: MockPrompt) => Decision;

/** The prompts of one wallet, and the planned decisions of its user. */
export class Prompts {
  readonly shown: MockPrompt[] = [];
  readonly #platform: MockPlatform;
  readonly #work: Work;
  readonly #plans: Plan[] = [];

  constructor(platform: MockPlatform, work: Work) {
    this.#platform = platform;
    this.#work = work;
  }

  declineNext(): void {
    this.#plans.push(async () => 'declined');
  }

  holdNext(): HeldPrompt {
    const shown = deferred<MockPrompt>();
    const decided = deferred<'accepted' | 'declined'>();
    this.#plans.push((prompt) => {
      shown.resolve(prompt);
      return this.#work.waitFor(decided.promise);
    });
    return {
      opened: shown.promise,
      accept: () => decided.resolve('accepted'),
      decline: () => decided.resolve('declined'),
    };
  }

  delayNext(duration: Duration): void {
    const wait = toMilliseconds(duration);
    this.#plans.push(() => {
      const due = this.#platform.now + wait;
      return this.#work.waitFor(this.#work.until(due).then(() => 'accepted' as const));
    });
  }

  /** Asks the user. Rejects with code 4001 when the user declines. */
  async ask(kind: MockPromptKind, text?: string): Promise<void> {
    const prompt: { -readonly [Key in keyof MockPrompt]: MockPrompt[Key] } = {
      kind,
      text,
      state: 'open',
    };
    this.shown.push(prompt);
    prompt.state = (await this.#plans.shift()?.(prompt)) ?? 'accepted';
    if (prompt.state === 'declined') {
      throw new MockWalletError(USER_REJECTED, 'User rejected the request.');
    }
  }
}

/**
 * Counts the running tasks of wallets, so that the platform's clock stands still meanwhile: a
 * signature takes real time, and none of the platform's.
 */
export class Work {
  readonly #platform: MockPlatform;
  readonly #due = new Set<number>();
  #running = 0;

  constructor(platform: MockPlatform) {
    this.#platform = platform;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** The next time at which a slow prompt ends, up to a time. */
  nextDue(limit: number): number | undefined {
    const due = [...this.#due].filter((time) => time <= limit);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await task();
    } finally {
      this.#running--;
    }
  }

  /** Waits for a user or for the clock, which is not work. */
  async waitFor<T>(event: Promise<T>): Promise<T> {
    this.#running--;
    // Counted at once when the event comes, so that the clock stands still from then on.
    return event.finally(() => this.#running++);
  }

  /** Resolves when the platform's clock has reached a time. */
  until(time: number): Promise<void> {
    if (this.#platform.now >= time) return Promise.resolve();
    this.#due.add(time);
    return new Promise((resolve) => {
      const stop = this.#platform.onTimeChange(() => {
        if (this.#platform.now < time) return;
        stop();
        this.#due.delete(time);
        resolve();
      });
    });
  }
}

function deferred<T>() {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value: T) => settle?.(value) };
}
