import { ConfigurationError, isApiError, isCardPlatformError } from '../errors/index.js';
import { refusesLogin } from '../errors/is-own-answer.js';
import { requireStore } from '../stores/key-value-store.js';
import { hostOf } from '../transport/adapters/runtime.js';
import { systemClock } from '../transport/attempts/clock.js';
import { outcomeOf } from '../transport/outcome/outcome-of-error.js';
import {
  ownOptions,
  requireClock,
  requireDuration,
  requireFunction,
} from '../transport/settings/check-options.js';
import type { SessionLocks, SessionsOptions } from './types.js';

/**
 * Whether the service refused to renew: a dead refresh token, or a login that needs the user. An error
 * page of a proxy, a network failure and a 5xx prove nothing. A wrong client key is not the user's fault.
 */
function isRefusal(error: unknown): boolean {
  if (!isCardPlatformError(error) || error.outcome !== 'rejected') return false;
  if (error.code === 'otp_required' || error.code === 'oauth_refused') return true;
  return isApiError(error) && refusesLogin(error);
}

/** The statuses of a service that fails. Others are of gateways, also when they have lost its response. */
const STATUSES_OF_FAILURES: readonly number[] = [500, 503];

/**
 * Whether a refresh token that was about to be sent can still be used: it provably did not arrive, the
 * service refused the request, or most likely said itself that it failed. Gateways use 503 too when they
 * have lost a response, with a text, a page or nothing as its body.
 */
function leavesRefreshToken(error: unknown): boolean {
  const outcome = outcomeOf(error);
  if (outcome === 'not_sent' || outcome === 'rejected') return true;
  return isApiError(error) && STATUSES_OF_FAILURES.includes(error.status) && error.isJson;
}

const NAMES: Readonly<Record<keyof SessionsOptions, true>> = {
  store: true,
  key: true,
  renew: true,
  endsSession: true,
  keepsRefreshToken: true,
  renewTimeout: true,
  renewBefore: true,
  storeTimeout: true,
  maxRecordBytes: true,
  locks: true,
  clock: true,
};

const MINUTE_MS = 60_000;

function requireKey(key: unknown): string {
  if (typeof key === 'string' && /^[a-z0-9._-]{1,200}$/.test(key)) return key;
  throw new ConfigurationError(
    'key',
    'key must be 1 to 200 characters: a-z, 0-9, dots, hyphens and underscores.',
  );
}

/** A server's processes serve many users, who must not wait for each other. */
function browserLocks(): SessionLocks | undefined {
  const { navigator } = globalThis as { navigator?: { locks?: SessionLocks } };
  return hostOf() === 'browser' ? navigator?.locks : undefined;
}

function requireLocks(locks: SessionsOptions['locks']): SessionLocks | undefined {
  if (locks === undefined) return browserLocks();
  if (locks === false) return undefined;
  if (typeof locks?.request === 'function') return locks;
  throw new ConfigurationError('locks', 'locks must have the function request, or be false.');
}

/**
 * Checks the options of `createSessions`.
 *
 * @throws ConfigurationError that says which option is wrong
 */
export function checkOptions(given: SessionsOptions) {
  const options = ownOptions<SessionsOptions>(given, Object.keys(NAMES));
  const { renewTimeout = 30_000, renewBefore = 5 * MINUTE_MS, storeTimeout = 30_000 } = options;
  return {
    store: requireStore(options.store, 'store'),
    key: requireKey(options.key ?? 'card-platform.session'),
    renew: requireFunction(options.renew, 'renew'),
    endsSession: requireFunction(options.endsSession, 'endsSession') ?? isRefusal,
    keepsRefreshToken:
      requireFunction(options.keepsRefreshToken, 'keepsRefreshToken') ?? leavesRefreshToken,
    renewTimeout: requireDuration(renewTimeout, 'renewTimeout'),
    renewBefore: requireDuration(renewBefore, 'renewBefore', 0),
    storeTimeout: requireDuration(storeTimeout, 'storeTimeout'),
    maxRecordBytes: requireBytes(options.maxRecordBytes ?? 2_047),
    locks: requireLocks(options.locks),
    clock: requireClock(options.clock) ?? systemClock,
  };
}

/** The checked options. */
export type SessionSettings = ReturnType<typeof checkOptions>;

function requireBytes(value: unknown): number {
  if (Number.isInteger(value) && Number(value) > 0) return Number(value);
  throw new ConfigurationError(
    'maxRecordBytes',
    'maxRecordBytes must be a whole number of bytes above 0.',
  );
}
