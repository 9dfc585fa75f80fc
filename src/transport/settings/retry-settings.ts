import { ConfigurationError } from '../../errors/index.js';
import type { RetrySettings } from '../attempts/attempt-plan.js';
import type { RetryOptions } from './options.js';
import { ownOptions } from './own-options.js';
import { requireDuration } from './requirements.js';

const DEFAULT_RETRY: RetrySettings = {
  maxRetries: 5,
  baseDelay: 250,
  maxDelay: 4_000,
  maxRetryAfter: 30_000,
};

/**
 * Checks the `retry` option and fills in the rest.
 *
 * @throws ConfigurationError
 */
export function requireRetry(value: unknown, base: RetrySettings = DEFAULT_RETRY): RetrySettings {
  if (value === false) return { ...base, maxRetries: 0 };
  if (value === true || value === undefined) return base;
  if (typeof value !== 'object' || value === null) {
    throw new ConfigurationError('retry', 'retry must be true, false or an object.');
  }
  const options = ownOptions<RetryOptions>(value, Object.keys(DEFAULT_RETRY), 'retry.');
  const { maxRetries = base.maxRetries } = options;
  if (!Number.isInteger(maxRetries) || maxRetries < 0 || maxRetries > 5) {
    throw new ConfigurationError('retry.maxRetries', 'retry.maxRetries must be 0 to 5.');
  }
  const duration = (name: 'baseDelay' | 'maxDelay' | 'maxRetryAfter') =>
    requireDuration(options[name] ?? base[name], `retry.${name}`, 0);
  return {
    maxRetries,
    baseDelay: duration('baseDelay'),
    maxDelay: duration('maxDelay'),
    maxRetryAfter: duration('maxRetryAfter'),
  };
}
