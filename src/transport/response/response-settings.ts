import type { DriftReporter } from './drift.js';

/** What a client's options say about reading responses. */
export type ResponseSettings = {
  /** Whether every difference from the contract is an error. */
  readonly isStrict: boolean;
  readonly drift: DriftReporter;
};
