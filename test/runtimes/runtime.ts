/** The result of one check. Without `failure` it passed. */
export type CheckResult = { name: string; failure?: string };

/** Options of the suite. Plain data, because they cross processes. */
export type SuiteOptions = {
  sandbox: { url: string; clientKey: string; clientId: string };
  isBrowser: boolean;
  /** Whether the runtime resends a POST when a reused connection breaks. */
  resends: boolean;
  /** Whether it has Web Crypto. Without it, deliveries of webhooks are neither signed nor verified. */
  hasWebCrypto: boolean;
  /** Whether a signal has the `reason` that it was aborted with. */
  hasAbortReason: boolean;
};

/** An installed runtime that can run the suite. */
export type ReadyRuntime = {
  version: string;
  run: (suite: string, suiteOptions: SuiteOptions) => Promise<readonly CheckResult[]>;
};

/** A runtime of the matrix. */
export type Runtime = {
  name: string;
  /** Whether a run in CI fails without it. */
  isRequiredInCi: boolean;
  /** The origin of its requests, where the sandbox does not allow it by default. */
  origin?: string;
  /** Installs the runtime. Throws with the reason when it is not available here. */
  prepare: () => Promise<ReadyRuntime> | ReadyRuntime;
};

/** Time limit of a suite, which normally takes a second or two. */
export const SUITE_TIMEOUT_MS = 60_000;
