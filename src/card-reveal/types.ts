import type { ImageToken } from '../contract/card-tokens.js';
import type { Clock } from '../transport/attempts/clock.js';

/**
 * Why a secret is no longer shown.
 *
 * - `closed`: you called `close`.
 * - `timed_out`: its time was over.
 * - `hidden`: the page or the app was no longer visible.
 * - `finished`: the PIN page has ended. That does not show whether the PIN was set.
 * - `failed`: there was nothing to show; see `error`.
 */
export type RevealEndReason = 'closed' | 'timed_out' | 'hidden' | 'finished' | 'failed';

/** The state of a reveal. No printout, copy or JSON of it contains the URL. */
export type RevealSnapshot = {
  /** `idle` -> `loading` -> `shown` -> `gone`, never back. */
  readonly status: 'idle' | 'loading' | 'shown' | 'gone';
  /** Why it is gone. */
  readonly reason?: RevealEndReason | undefined;
  /** Why there was nothing to show; with reason `failed`. */
  readonly error?: unknown;
  /**
   * The URL to put into the image, frame or WebView; `undefined` unless it is shown at this moment,
   * even in a snapshot that you have kept.
   */
  readonly url: string | undefined;
};

/** The visibility of a page: `document` fits. */
export type DocumentVisibility = {
  readonly visibilityState: string;
  /** Adds a listener for changes of the visibility. */
  addEventListener(type: 'visibilitychange', listener: () => void): void;
  /** Removes it. */
  removeEventListener(type: 'visibilitychange', listener: () => void): void;
};

/** The visibility of a React Native app: `AppState` fits. */
export type AppVisibility = {
  readonly currentState: string | null | undefined;
  /** Adds a listener for changes of the state, and returns an object that removes it. */
  addEventListener(
    type: 'change',
    listener: (state: string) => void,
  ): {
    /** Removes the listener. */
    remove(): void;
  };
};

/** Options of both kinds of reveal. */
export type RevealOptions = {
  /**
   * Reports whether the user sees the page: `document`, or `AppState` in React Native. The secret
   * is hidden as soon as the user no longer does. Default: the page's `document`, if there is one.
   * `false` ignores it.
   */
  visibility?: DocumentVisibility | AppVisibility | false | undefined;
  /** How long the secret is shown, in milliseconds. Default 30 seconds; 10 minutes for a PIN page. */
  visibleFor?: number | undefined;
  /** The clock, for tests. Default: the clock of the machine. */
  clock?: Clock | undefined;
};

/** Options of {@link createCardReveal}. */
export type CardRevealOptions = RevealOptions & {
  /**
   * Requests the image: `userClient.card.createDetailsToken({}, options)` or
   * `createPinToken({}, options)`. Called once.
   */
  load: (options: { signal: AbortSignal }) => PromiseLike<Pick<ImageToken, 'imageUrl'>>;
};

/** A secret that is shown once, for a limited time. */
export type CardReveal = {
  /**
   * Requests the secret and shows it. A second call requests nothing. Never rejects: see `error` of
   * the snapshot.
   */
  show(): Promise<RevealSnapshot>;
  /** Hides the secret permanently. A URL that is still loading is discarded. */
  close(): void;
  /** Returns the state: the same object until it changes. */
  getSnapshot(): RevealSnapshot;
  /** Calls the listener after each change. Returns a function that removes it. */
  subscribe(listener: () => void): () => void;
};
