import { isMissing } from '../contract/formats/credential.js';
import { ACCESS_TOKEN_LIFETIME_MS } from '../contract/formats/token-lifetimes.js';
import { ConfigurationError } from '../errors/index.js';
import { requireCredential } from '../transport/adapters/header-safety.js';
import { SessionError } from './session-error.js';

/** Returns a user id; `undefined` if it is missing or blank. */
export function readUserId(value: unknown): string | undefined {
  if (isMissing(value)) return undefined;
  if (typeof value === 'string') return value;
  throw new ConfigurationError('userId', 'userId must be a string.');
}

function readLifetime(value: unknown, name: 'expiresIn' | 'refreshExpiresIn'): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw new ConfigurationError(name, `${name} must be a number of milliseconds above 0.`);
}

function readKind(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[\w.-]{1,40}$/.test(value)) return value;
  throw new ConfigurationError('kind', 'kind must be a word of at most 40 characters.');
}

function readRefreshToken(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && !isMissing(value)) return value;
  throw new ConfigurationError('refreshToken', 'refreshToken must be a string that is not blank.');
}

/**
 * Reads the tokens of a login or a renewal.
 *
 * @throws ConfigurationError that says which field is wrong, without its value
 */
export function readTokens(given: unknown, now: number, renewBefore: number) {
  const tokens: Record<string, unknown> = Object(given);
  if (!isMissing(tokens['phase'])) {
    throw new ConfigurationError(
      'phase',
      'the login ended in onboarding (phase is set) and started no session. Finish onboarding, then log in again.',
    );
  }
  const { expiresIn = ACCESS_TOKEN_LIFETIME_MS, refreshExpiresIn } = tokens;
  const lifetime = readLifetime(expiresIn, 'expiresIn');
  return {
    accessToken: requireCredential(tokens['accessToken'], 'accessToken'),
    refreshToken: readRefreshToken(tokens['refreshToken']),
    refreshExpiresAt:
      refreshExpiresIn === undefined
        ? undefined
        : now + readLifetime(refreshExpiresIn, 'refreshExpiresIn'),
    userId: readUserId(tokens['userId']),
    kind: readKind(tokens['kind']),
    expiresAt: now + lifetime,
    renewAt: now + lifetime - Math.min(renewBefore, lifetime / 2),
  };
}

/** Returns the user id from two sources. Each may be `undefined`, but they must not differ. */
export function sameUser(one: string | undefined, other: string | undefined): string | undefined {
  if (one !== undefined && other !== undefined && one !== other) {
    throw new SessionError('session_mismatch');
  }
  return one ?? other;
}
