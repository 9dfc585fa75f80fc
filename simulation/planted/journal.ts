import { DENIAL, type PlantedBug } from './planted-bug.js';

const CALL = 'src/transport/run-call.ts';
const RECORDER = 'src/journal/recorder.ts';
const RECONCILE = 'src/journal/reconcile.ts';

/** Code that changes the outcome with which an entry is settled. */
const settlingWith = (outcome: string) => `(original) => async (request) => {
  const settle = await original(request);
  return (outcome, ...more) => settle(${outcome}, ...more);
}`;

/** Bugs in the journal. */
export const JOURNAL_BUGS: readonly PlantedBug[] = [
  {
    name: 'the entry is written after the request has left',
    changes: [
      {
        file: CALL,
        declaration: 'runJournaled',
        becomes: `(original) => (journal, checked, call, run) =>
          original(journal, checked, call, () => {
            const record = call.plan.beforeSending;
            call.plan.beforeSending = async (credentials) => {
              record(credentials).catch(() => undefined);
            };
            return run();
          })`,
      },
    ],
    foundBy: ['entry-before-request', 'entry-exactly-while-unknown'],
  },
  {
    name: 'an entry is removed although its outcome is unknown',
    changes: [
      {
        file: RECORDER,
        declaration: 'createRecorder.record',
        becomes: settlingWith("outcome === 'unknown' ? 'rejected' : outcome"),
      },
    ],
    foundBy: ['entry-exactly-while-unknown', 'crash-leaves-entry'],
  },
  {
    name: 'an entry stays when the service has refused the request',
    changes: [
      {
        file: RECORDER,
        declaration: 'createRecorder.record',
        becomes: settlingWith("outcome === 'rejected' ? 'unknown' : outcome"),
      },
    ],
    foundBy: ['entry-exactly-while-unknown'],
  },
  {
    name: 'an aborted call counts as refused',
    changes: [
      {
        file: CALL,
        declaration: 'runJournaled',
        becomes: `(original) => (journal, checked, call, run) =>
          original(journal, checked, call, async () => {
            try {
              return await run();
            } catch (error) {
              throw isInstance(error, CallAborted) ? new CallAborted(error.reason, 'rejected') : error;
            }
          })`,
      },
    ],
    foundBy: ['entry-before-request', 'entry-exactly-while-unknown', ...DENIAL],
  },
  {
    name: 'reconcile returns not_executed while the service may still be working on the request',
    changes: [
      {
        file: RECONCILE,
        declaration: 'conclude',
        becomes: `(original) => (question, finding, times) => {
          const result = original(question, finding, times);
          if (finding.shows !== 'absent') return result;
          return { ...result, verdict: 'not_executed', kept: { ...result.kept, verdict: 'not_executed' } };
        }`,
      },
    ],
    // An entry that was removed while its call went on is missing at the end of the call.
    foundBy: [
      'reconcile-is-true',
      ...DENIAL,
      'moves-at-most-once',
      'entry-before-request',
      'entry-exactly-while-unknown',
    ],
  },
  {
    name: 'reconcile trusts the clock of the device',
    changes: [
      {
        file: RECORDER,
        declaration: 'entryFor',
        becomes: `(original) => async (request, options, times) => {
          const entry = await original(request, options, times);
          return { ...entry, since: entry.at };
        }`,
      },
    ],
    foundBy: ['reconcile-is-true', ...DENIAL, 'moves-at-most-once', 'entry-before-request'],
  },
  {
    name: 'reconcile does not count other requests',
    changes: [
      {
        file: 'src/journal/finding.ts',
        declaration: 'findingByEffects',
        becomes: `(original) => ({ similar, ...question }, ...rest) =>
          original({ ...question, similar: { ...similar, executed: [], possible: [] } }, ...rest)`,
      },
    ],
    foundBy: ['reconcile-is-true'],
  },
  {
    name: 'reconcile excludes debits of other amounts',
    changes: [
      {
        file: 'src/journal/look-tools.ts',
        declaration: 'toSeen',
        becomes: `(original) => (row) => ({
          ...original(row),
          matches: (details) => isSameAmount(row.amount, details.amount),
        })`,
      },
    ],
    foundBy: ['reconcile-is-true', 'moves-at-most-once', ...DENIAL],
  },
  {
    name: 'an entry of another user is looked up',
    changes: [
      {
        file: RECONCILE,
        declaration: 'readsFor',
        becomes: `(original) => (client, entry, signal) => {
          const { user = client.options.user } = entry;
          return original({ ...client, options: { ...client.options, user } }, entry, signal);
        }`,
      },
    ],
    foundBy: ['reconcile-is-true', 'moves-at-most-once'],
    actors: ['offices'],
  },
  {
    name: 'reconcile does not count the webhooks of other users of the tenant',
    changes: [
      {
        file: 'src/journal/similar-requests.ts',
        declaration: 'isSimilar',
        becomes: `(original) => (entry, other, lookupOf) =>
          original(entry, other, (operation) => ({ ...lookupOf(operation), isOfTenant: false }))`,
      },
    ],
    foundBy: ['reconcile-is-true', 'moves-at-most-once'],
    actors: ['offices'],
  },
  {
    name: 'recover passes a verdict to every program',
    changes: [
      {
        file: 'src/journal/journal.ts',
        declaration: 'claimOf',
        becomes: '(original) => ({ handledAt, ...stored }, time) => original(stored, time)',
      },
    ],
    foundBy: ['one-handler-at-a-time'],
    actors: ['offices'],
  },
  {
    name: 'executed requests are not remembered',
    changes: [
      {
        file: RECORDER,
        declaration: 'createRecorder.record',
        becomes: settlingWith("outcome === 'executed' ? 'rejected' : outcome"),
      },
    ],
    foundBy: ['reconcile-is-true', 'crash-leaves-entry'],
  },
  {
    name: 'an entry holds the access token',
    changes: [
      {
        file: RECORDER,
        declaration: 'entryFor',
        becomes: `(original) => async (request, ...rest) => {
          const entry = await original(request, ...rest);
          return { ...entry, tokenHash: request.accessToken };
        }`,
      },
    ],
    foundBy: ['no-secret-shown'],
  },
  {
    name: 'an entry holds the whole input',
    changes: [
      {
        file: 'src/contract/auth.ts',
        declaration: 'login',
        becomes: `(original) => {
          const details = ['password', 'email'];
          const reconcile = { details, takesFromWallets: false, undecidedBecause: 'a login' };
          return { ...original, isRecorded: true, reconcile };
        }`,
      },
      {
        file: 'src/journal/entry-details.ts',
        declaration: 'isSecretDetail',
        becomes: '() => () => () => false',
      },
      {
        file: 'src/journal/entry-details.ts',
        declaration: 'detailsOf',
        becomes: '(original) => (endpoint, input) => original(endpoint, input, () => false)',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
];
