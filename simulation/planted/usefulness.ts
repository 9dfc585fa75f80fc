import type { PlantedBug } from './planted-bug.js';

/** A client that is useless breaks an invariant in one of ten worlds, on seeds that nobody has tried. */
const TEN = { first: 301, count: 10 };

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
    seeds: TEN,
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
    seeds: TEN,
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
    seeds: TEN,
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
    seeds: TEN,
  },
];
