import type { PlantedBug } from './planted-bug.js';

/** Clients that do no harm and are of no use. */
export const USEFULNESS_BUGS: readonly PlantedBug[] = [
  {
    name: 'reconcile never decides anything',
    changes: [
      {
        file: 'src/journal/reconcile.ts',
        declaration: 'lookUp',
        becomes: `(original) => async (...given) => {
          const looked = await original(...given);
          return { ...looked, result: { ...looked.result, verdict: 'undecided' } };
        }`,
      },
    ],
    foundBy: ['settled-entry-is-decided'],
  },
  {
    name: 'every refusal counts as unknown',
    changes: [
      {
        file: 'src/transport/outcome/outcome.ts',
        declaration: 'outcomeOfAttempt',
        becomes: `(original) => (facts, retryClass) => {
          const outcome = original(facts, retryClass);
          return outcome === 'rejected' && !isSuccess(facts.status ?? 0) ? 'unknown' : outcome;
        }`,
      },
    ],
    foundBy: ['refusal-is-rejected'],
  },
  {
    name: 'nothing is retried',
    changes: [
      {
        file: 'src/transport/attempts/send-attempts.ts',
        declaration: 'canRetry',
        becomes: '() => () => false',
      },
    ],
    foundBy: ['read-succeeds'],
  },
  {
    name: 'every failed renewal ends the session',
    changes: [
      {
        file: 'src/sessions/options.ts',
        declaration: 'isRefusal',
        becomes: '() => () => true',
      },
    ],
    foundBy: ['healthy-session-stays'],
  },
];
