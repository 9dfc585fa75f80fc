import type { DriftReporter } from './drift.js';

/** The client's options for reading responses. */
export type ResponseSettings = {
  /** Whether every difference from the contract is an error. */
  readonly isStrict: boolean;
  /** `undefined` if nobody asked for reports. */
  readonly drift: DriftReporter | undefined;
};
