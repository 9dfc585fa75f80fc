import type { Endpoint } from '../contract/endpoint.js';
import { isObject } from '../contract/formats/is-object.js';
import { ConfigurationError, type Outcome } from '../errors/index.js';
import { checkStore, type KeyValueStore } from '../stores/key-value-store.js';
import type { Clock } from '../transport/attempts/clock.js';
import { serviceTime } from '../transport/response/http-response.js';
import type { RecordedRequest, Recorder } from '../transport/settings/journal-option.js';
import { detailsOf } from './entry-details.js';
import { USUAL_TIMEOUT_MS } from './entry-window.js';
import type { JournalEntry } from './journal-types.js';
import { findUser, LONGEST_USER, learnUser } from './known-users.js';
import type { JournalOptions } from './options.js';
import { pagesOf } from './pages.js';
import { randomId, tokenHashOf } from './token-hash.js';

function requireUser(user: string): string {
  if (user.length <= LONGEST_USER) return user;
  throw new ConfigurationError(
    'journal.user',
    `journal.user must not be longer than ${LONGEST_USER} characters.`,
  );
}

/** The refusal of a request, or a look, whose user is not known. */
export function userMissing(): ConfigurationError {
  return new ConfigurationError(
    'journal.user',
    'journal.user is missing: behind a proxy, the page has no access token that shows whose requests these are. Pass the id that your login route returns.',
  );
}

/** The user of a token: as the caller names it, or as a login has reported it. */
export async function userOf(
  { store, user }: JournalOptions,
  clock: Clock,
  tokenHash: string | undefined,
): Promise<string | undefined> {
  const named = typeof user === 'function' ? await user() : user;
  if (typeof named === 'string' && named !== '') return requireUser(named);
  return tokenHash === undefined ? undefined : findUser(store, clock, tokenHash);
}

async function entryFor(
  { endpoint, input, region, accessToken, totalTimeout, hasSecret }: RecordedRequest,
  options: JournalOptions,
  { clock, since, isProxied }: { clock: Clock; since: number | undefined; isProxied: boolean },
): Promise<JournalEntry> {
  const tokenHash = accessToken === undefined ? undefined : tokenHashOf(accessToken);
  // Behind a proxy, a request for a user has no token here.
  const isOfUser = endpoint.credentials.includes('accessToken');
  const user = isOfUser ? await userOf(options, clock, tokenHash) : undefined;
  // Nobody could ever find such an entry: it has neither a user nor a token.
  if (isOfUser && isProxied && user === undefined) throw userMissing();
  return {
    id: randomId(),
    operation: endpoint.id,
    at: clock.now(),
    ...(since !== undefined && { since }),
    ...(totalTimeout > USUAL_TIMEOUT_MS && { lasts: totalTimeout }),
    region,
    ...(user !== undefined && { user }),
    ...(tokenHash !== undefined && { tokenHash }),
    details: detailsOf(endpoint, input, hasSecret),
  };
}

/** Remembers whose token a login has issued. */
async function learnFrom(
  store: KeyValueStore,
  clock: Clock,
  { issuedToken }: Endpoint,
  result: unknown,
): Promise<void> {
  if (issuedToken === undefined || !isObject(result)) return;
  const accessToken = result[issuedToken.token];
  if (typeof accessToken !== 'string') return;
  await learnUser(store, clock, tokenHashOf(accessToken), result[issuedToken.userId]);
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
  return {
    async record(request) {
      const learn = (result: unknown) =>
        learnFrom(store, clock, request.endpoint, result).catch(() => undefined);
      if (request.endpoint.isRecorded === false) return (_, result) => learn(result);
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
