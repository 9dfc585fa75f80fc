/** One check of the suite; without `failure` it passed. */
export type CheckResult = { name: string; failure?: string };

/** What the suite is told. Plain data: it crosses processes. */
export type Surroundings = {
  sandbox: { url: string; clientKey: string; clientId: string };
  isBrowser: boolean;
  /** Whether the runtime is known to send a POST again when a connection that it reused breaks. */
  resends: boolean;
};

/** A runtime that is there and can run the suite. */
export type ReadyRuntime = {
  version: string;
  run: (suite: string, surroundings: Surroundings) => Promise<readonly CheckResult[]>;
};

/** A runtime of the matrix. */
export type Runtime = {
  name: string;
  /** Whether a run in CI fails without it. */
  isRequiredInCi: boolean;
  /** Gets it; throws with the reason when it is not to be had here. */
  prepare: () => Promise<ReadyRuntime> | ReadyRuntime;
};

/** How long a suite may take: it takes a second or two. */
export const SUITE_TIMEOUT_MS = 60_000;
