import { ConfigurationError } from '../errors/index.js';

/** The limits of a delivery. */
export type WebhookLimits = { now: number; toleranceSeconds: number; maxBodyBytes: number };

type Given = { readonly [Name in keyof WebhookLimits]?: WebhookLimits[Name] | undefined };

/** Far above any event of the platform, and hashed within milliseconds. */
const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;
const DEFAULT_TOLERANCE_SECONDS = 300;

function refuse(option: keyof WebhookLimits, rule: string): never {
  throw new ConfigurationError(option, `${option} must be ${rule}.`);
}

/**
 * Returns the limits of a check. With an infinite tolerance, deliveries of any age would pass, and
 * with `NaN` none, so both are refused before anything is read.
 *
 * @throws ConfigurationError that names the option
 */
export function webhookLimits(given: Given): WebhookLimits {
  const {
    now = Date.now(),
    toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
    maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
  } = given;
  if (!Number.isFinite(now) || now < 0) refuse('now', 'milliseconds since 1970');
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds <= 0) {
    refuse('toleranceSeconds', 'seconds above zero');
  }
  if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes <= 0) {
    refuse('maxBodyBytes', 'a whole number above zero');
  }
  return { now, toleranceSeconds, maxBodyBytes };
}
