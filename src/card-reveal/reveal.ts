import { ConfigurationError } from '../errors/index.js';
import { type Clock, systemClock } from '../transport/attempts/clock.js';
import { callHook } from '../transport/response/call-hook.js';
import {
  ownOptions,
  requireClock,
  requireDuration,
  requireFunction,
} from '../transport/settings/check-options.js';
import type {
  AppVisibility,
  DocumentVisibility,
  RevealEndReason,
  RevealOptions,
  RevealSnapshot,
} from './types.js';

/** Whether the user sees the page, and a way to learn when it is hidden. */
type Visibility = {
  isHidden(): boolean;
  /** Calls the listener when it becomes hidden. Returns a function that removes it. */
  onHidden(listener: () => void): () => void;
};

const ALWAYS_VISIBLE: Visibility = { isHidden: () => false, onHidden: () => () => {} };

function ofDocument(page: DocumentVisibility): Visibility {
  const isHidden = () => page.visibilityState === 'hidden';
  return {
    isHidden,
    onHidden: (listener) => {
      const check = () => {
        if (isHidden()) listener();
      };
      page.addEventListener('visibilitychange', check);
      return () => page.removeEventListener('visibilitychange', check);
    },
  };
}

/** The system takes the screenshot for its app switcher while an app is `inactive`. */
const HIDDEN_STATES: readonly unknown[] = ['inactive', 'background'];

function ofApp(app: AppVisibility): Visibility {
  return {
    isHidden: () => HIDDEN_STATES.includes(app.currentState),
    onHidden: (listener) => {
      const subscription = app.addEventListener('change', (state) => {
        if (HIDDEN_STATES.includes(state)) listener();
      });
      return () => subscription.remove();
    },
  };
}

/**
 * Reads the option `visibility`.
 *
 * @throws ConfigurationError
 */
function visibilityOf(given: RevealOptions['visibility']): Visibility {
  const page = globalThis as { document?: DocumentVisibility };
  const source = given ?? page.document;
  if (source === undefined || source === false) return ALWAYS_VISIBLE;
  if (typeof Object(source).addEventListener === 'function') {
    if ('visibilityState' in source) return ofDocument(source);
    if ('currentState' in source) return ofApp(source);
  }
  throw new ConfigurationError(
    'visibility',
    'visibility must be document, the AppState of React Native, or false.',
  );
}

/** Only the reveal keeps the URL, and only while it is shown. */
type Holder = { url: string | undefined };

type RevealEnd = { reason: RevealEndReason; error?: unknown };

/** Keeps the URL behind a getter of the class, so that no printout, copy or JSON contains it. */
class Snapshot implements RevealSnapshot {
  readonly #holder: Holder;
  readonly status: RevealSnapshot['status'];
  declare readonly reason?: RevealEndReason;
  declare readonly error?: unknown;

  constructor(holder: Holder, status: RevealSnapshot['status'], end?: RevealEnd) {
    this.#holder = holder;
    this.status = status;
    Object.assign(this, end);
    Object.freeze(this);
  }

  get url(): string | undefined {
    return this.#holder.url;
  }

  /** What `console.log` prints, whichever of its options are set. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return { ...this };
  }
}

/** How one kind of reveal works. */
type RevealKind = {
  /** Requests the single-use URL. */
  load: (signal: AbortSignal) => PromiseLike<unknown>;
  /** Default of `visibleFor`, in milliseconds. */
  visibleFor: number;
};

/** Checks the options of a reveal. `more` lists the names of the options that only this kind has. */
export function checkRevealOptions<Options extends RevealOptions>(
  given: Options,
  more: readonly string[],
): Options {
  const names = ['load', 'visibility', 'visibleFor', 'clock', ...more];
  const options = ownOptions<Options & { load: unknown }>(given, names);
  if (requireFunction(options.load, 'load') === undefined) {
    throw new ConfigurationError('load', 'load must be a function.');
  }
  return options;
}

/** A single-use secret: `idle` -> `loading` -> `shown` -> `gone`. */
export class Reveal {
  readonly #kind: RevealKind;
  readonly #clock: Clock;
  readonly #visibleFor: number;
  readonly #visibility: Visibility;
  readonly #listeners = new Set<() => void>();
  readonly #holder: Holder = { url: undefined };
  readonly #controller = new AbortController();
  readonly #ends: (() => void)[] = [];
  #snapshot: RevealSnapshot = new Snapshot(this.#holder, 'idle');
  #shown: Promise<void> | undefined;

  constructor(kind: RevealKind, { clock, visibleFor, visibility }: RevealOptions) {
    this.#kind = kind;
    this.#clock = requireClock(clock) ?? systemClock;
    this.#visibleFor = requireDuration(visibleFor ?? kind.visibleFor, 'visibleFor');
    this.#visibility = visibilityOf(visibility);
  }

  readonly getSnapshot = (): RevealSnapshot => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    // One function may be registered twice.
    const own = () => listener();
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  };

  readonly show = async (): Promise<RevealSnapshot> => {
    if (this.#shown === undefined) {
      let settle = () => {};
      // Before anything is called: a listener may call `show` again.
      this.#shown = new Promise((resolve) => {
        settle = resolve;
      });
      this.onEnd(settle);
      this.#load().then(settle, (error) => this.end({ reason: 'failed', error }));
    }
    await this.#shown;
    return this.#snapshot;
  };

  readonly close = (): void => this.end({ reason: 'closed' });

  /** Hides the secret permanently. Only the first reason counts. */
  end(end: RevealEnd): void {
    if (this.#isGone) return;
    this.#holder.url = undefined;
    this.#change('gone', end);
    this.#controller.abort();
    for (const stop of this.#ends.splice(0)) callHook(stop);
  }

  /** Runs the function when the secret is gone; at once if it is gone already. */
  onEnd(stop: () => void): void {
    if (this.#isGone) callHook(stop);
    else this.#ends.push(stop);
  }

  get #isGone(): boolean {
    return this.#snapshot.status === 'gone';
  }

  async #load(): Promise<void> {
    if (this.#visibility.isHidden()) this.end({ reason: 'hidden' });
    if (this.#isGone) return;
    this.onEnd(this.#visibility.onHidden(() => this.end({ reason: 'hidden' })));
    if (!this.#isGone) this.#change('loading');
    // The app was hidden at once, or a listener closed the reveal.
    if (this.#isGone) return;
    try {
      const url = await this.#kind.load(this.#controller.signal);
      // For callers without types.
      if (typeof url !== 'string' || url === '') {
        throw new TypeError('load returned no URL to show.');
      }
      // If it was closed meanwhile, nobody may see the secret any more.
      if (!this.#isGone) this.#showUrl(url);
    } catch (error) {
      this.end({ reason: 'failed', error });
    }
  }

  #showUrl(url: string): void {
    this.#holder.url = url;
    const end = () => this.end({ reason: 'timed_out' });
    this.onEnd(this.#clock.schedule(end, this.#visibleFor));
    this.#change('shown');
  }

  #change(status: RevealSnapshot['status'], end?: RevealEnd) {
    this.#snapshot = new Snapshot(this.#holder, status, end);
    for (const listener of [...this.#listeners]) callHook(listener);
  }
}
