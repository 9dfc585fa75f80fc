import { ENDPOINTS, type EndpointId } from '../../src/contract/endpoints.js';
import type { ClientOptions, JournalEntry } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import type { JournalOptions } from '../../src/journal/options.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { MapStore } from '../support/map-store.js';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
/** The time between two looks after which a missing effect will no longer appear. */
export const SETTLED = 6 * MINUTE;
const SENT_AT = Date.UTC(2026, 2, 1, 12);

/** A time that long after the request, as the service writes it. */
export const at = (ms: number): string => new Date(SENT_AT + ms).toISOString();

/** The body of each read; a function gets the query and the headers. */
export type ReadResponses = { readonly [Id in EndpointId]?: unknown };
const DEFAULTS: ReadResponses = {
  'user.get': { id: 'ada', email: 'ada@example.com' },
  'card.transactions': [],
};

export type Request = Pick<JournalEntry, 'operation' | 'details'>;
export type Scene = ReturnType<typeof setUpScripted>;

/** A withdrawal from the credit wallet. */
export const WITHDRAWAL: Request = {
  operation: 'wallets.credit.withdraw',
  details: { amount: '10' },
};
export const CREDIT_WALLET = { id: 'credit-1', balance: '100', currency: 'usdc', type: 'CREDIT' };

/** A debit in the history of a wallet, that long after the request. */
export const debit = (amount = '10', ms = 1_000) => ({
  name: 'Withdrawal',
  amount,
  currency: 'usdc',
  sign: 'debit',
  date: at(ms),
});

/** A response of the service at this time, which it shows by its own clock. */
export const jsonAt = (time: number, body: unknown, status = 200) =>
  json(body, status, { date: new Date(time).toUTCString() });

/** The reads of a service whose credit wallet has this history. */
export const withHistory = (history: unknown): ReadResponses => ({
  'wallets.credit.get': CREDIT_WALLET,
  'wallets.history.list': history,
});

/** A client whose reads get these responses, and whose other requests get an error of the service. */
export function setUpScripted(
  responses: ReadResponses,
  options: Partial<ClientOptions> & { clock?: FakeClock } = {},
  journal: Partial<JournalOptions> = {},
) {
  const { clock = new FakeClock({ startsAt: SENT_AT, auto: false }) } = options;
  const store = new MapStore();
  const client = clientFor('https://api.example.com', {
    clock,
    journal: createJournal({ store, hasAllRequests: true, ...journal }),
    retry: false,
    fetch: async (url, { method, headers }) => {
      const { pathname, searchParams } = new URL(url);
      const read = ENDPOINTS.find((each) => each.method === 'GET' && each.path === pathname);
      if (method !== 'GET' || read === undefined) return json({ message: 'broken' }, 503);
      const given = { ...DEFAULTS, ...responses }[read.id as EndpointId];
      const response =
        typeof given === 'function' ? await given(searchParams, new Headers(headers)) : given;
      if (!(response instanceof Response)) return jsonAt(clock.now(), response);
      const copy = response.clone();
      if (!copy.headers.has('date')) copy.headers.set('date', new Date(clock.now()).toUTCString());
      return copy;
    },
    ...options,
  });
  return { clock, store, client, lost: new Set<string>() };
}

/** An entry of this request, as the journal writes it when the response is lost. */
export async function loseRequest(
  { client, store, lost }: Scene,
  { operation, details }: Request,
): Promise<JournalEntry> {
  // From now on, the client knows the clock of the service.
  await client.user.get();
  await rejection(client.wallets.credit.withdraw({ amount: '1' }));
  const written = (await client.journal.pending()).find(({ id }) => !lost.has(id));
  if (written === undefined) throw new Error('there must be an entry');
  lost.add(written.id);
  const entry = { ...written, operation, details };
  for (const [key, text] of store) {
    if (!text.includes(entry.id)) continue;
    const page = JSON.parse(text);
    const entries = page.entries.map((each: JournalEntry) => (each.id === entry.id ? entry : each));
    store.set(key, JSON.stringify({ ...page, entries }));
  }
  return entry;
}

/** Looks up an entry twice, as far apart as a verdict needs. */
export async function lookTwice({ client, clock }: Scene, entry: JournalEntry, after = 0) {
  await clock.advance(after);
  await client.journal.reconcile(entry);
  await clock.advance(SETTLED);
  return client.journal.reconcile(entry);
}

/** Looks up a request, beside these other open requests of the same user. */
export async function reconcileScripted(
  request: Request,
  responses: ReadResponses,
  { looks = 2, others = [] as readonly Request[], journal = {} as Partial<JournalOptions> } = {},
) {
  const scene = setUpScripted(responses, {}, journal);
  const entry = await loseRequest(scene, request);
  for (const other of others) await loseRequest(scene, other);
  await scene.clock.advance(MINUTE);
  if (looks === 1) return scene.client.journal.reconcile(entry);
  return lookTwice(scene, entry);
}
