import { bytesToHex } from '@noble/hashes/utils.js';
import type { Endpoint } from '../contract/endpoint.js';
import { CardPlatformError, type Outcome } from '../errors/index.js';
import { SessionError } from '../sessions/session-error.js';
import { checkStore } from '../stores/key-value-store.js';
import type { Clock } from '../transport/attempts/clock.js';
import { serviceTime } from '../transport/response/http-response.js';
import type { RecordedRequest, Recorder } from '../transport/settings/journal-option.js';
import { detailsOf } from './entry-details.js';
import { USUAL_TIMEOUT_MS } from './entry-window.js';
import type { JournalEntry } from './journal-types.js';
import type { JournalOptions } from './options.js';
import { pagesOf } from './pages.js';
import { findUser, learnFrom, namedUser, tokenHashOf, userMissing } from './users.js';

/** A random id of 32 hex digits, and not predictable where the runtime has secure random numbers. */
function randomId(): string {
  const bytes = new Uint8Array(16);
  const { crypto } = globalThis as { crypto?: { getRandomValues(target: Uint8Array): unknown } };
  if (crypto === undefined) {
    for (let index = 0; index < bytes.length; index++) bytes[index] = Math.random() * 256;
  } else {
    crypto.getRandomValues(bytes);
  }
  return bytesToHex(bytes);
}

// Behind a proxy, a request for a user has no token here.
const isOfUser = ({ credentials }: Endpoint) => credentials.includes('accessToken');

function notKnownInTime({ id: operation }: Endpoint): CardPlatformError {
  return new CardPlatformError({
    code: 'journal_failed',
    operation,
    outcome: 'not_sent',
    isRetryable: true,
    message: 'journal.user returned a user only after the token of this request had been chosen.',
  });
}

async function entryFor(
  { endpoint, input, region, user: named, accessToken, totalTimeout, hasSecret }: RecordedRequest,
  { store }: JournalOptions,
  { clock, since, isProxied }: { clock: Clock; since: number | undefined; isProxied: boolean },
): Promise<JournalEntry> {
  const tokenHash = accessToken === undefined ? undefined : tokenHashOf(accessToken);
  const isOfSession = isProxied && isOfUser(endpoint);
  const user = isOfUser(endpoint)
    ? (named ?? (await findUser(store, clock, tokenHash)))
    : undefined;
  // Nobody could ever find such an entry: it has neither a user nor a token.
  if (isOfSession && user === undefined) throw userMissing();
  return {
    id: randomId(),
    operation: endpoint.id,
    at: clock.now(),
    ...(since !== undefined && { since }),
    ...(totalTimeout > USUAL_TIMEOUT_MS && { lasts: totalTimeout }),
    // The proxy sends all of them to the region of the session, whatever the page calls it.
    region: isOfSession ? 'global' : region,
    ...(user !== undefined && { user }),
    ...(tokenHash !== undefined && { tokenHash }),
    details: detailsOf(endpoint, input, hasSecret),
  };
}

/** The service's time, as the responses of a journal's clients have shown it. */
export type SeenTime = { latest: number | undefined };

/** Returns the journal as the transport uses it. */
export function createRecorder(
  options: JournalOptions,
  seen: Readonly<SeenTime>,
  { clock, isProxied }: { clock: Clock; isProxied: boolean },
): Recorder {
  const { store } = options;
  const pages = pagesOf(store, clock);
  const requireStill: Recorder['requireStill'] = async (endpoint, user, tokens = []) => {
    if (endpoint.isRecorded === false || !isOfUser(endpoint)) return;
    const now = await namedUser(options);
    // Its entry would have no user, and the next request knows one.
    if (user === undefined && now !== undefined) throw notKnownInTime(endpoint);
    if (user !== now) throw new SessionError('session_mismatch');
    if (user !== undefined) return;
    const find = (token?: string) => findUser(store, clock, token && tokenHashOf(token));
    const [first, renewed] = await Promise.all(tokens.map(find));
    if (first !== undefined && renewed !== undefined && first !== renewed) {
      throw new SessionError('session_mismatch');
    }
  };
  return {
    namedUser(endpoint) {
      const isNeeded = isProxied || endpoint.isRecorded !== false;
      return isNeeded && isOfUser(endpoint) ? namedUser(options) : undefined;
    },
    requireStill,
    async record(request) {
      const learn = (result: unknown) =>
        learnFrom(store, clock, request.endpoint, result).catch(() => undefined);
      if (request.endpoint.isRecorded === false) return (_, result) => learn(result);
      await requireStill(request.endpoint, request.user);
      await checkStore(store, clock);
      const entry = await entryFor(request, options, { clock, since: seen.latest, isProxied });
      await pages.add(entry);
      return async (outcome: Outcome, result?: unknown, headers?: Pick<Headers, 'get'>) => {
        if (outcome === 'unknown') return;
        await learn(result);
        const state = outcome === 'executed' ? outcome : undefined;
        const doneBy = headers && serviceTime(headers, isProxied);
        await pages.change(
          entry.id,
          (stored) => state && { ...stored, state, ...(doneBy !== undefined && { doneBy }) },
        );
      };
    },
  };
}
