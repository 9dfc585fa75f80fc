import { CardPlatformError } from './base.js';

/**
 * The client was given an option that cannot work, or lacks the one that a call needs.
 * Thrown before anything is sent; says which option is wrong, never its value.
 */
export class ConfigurationError extends CardPlatformError {
  override readonly name = 'ConfigurationError';
  /** Name of the option, for example `clientKey`. */
  readonly option: string;

  constructor(option: string, message: string, operation?: string) {
    super({ message, code: 'configuration_invalid', outcome: 'not_sent', operation });
    this.option = option;
  }
}
