import type { PlantedBug } from './planted-bug.js';

const CALL = 'src/transport/journaled-call.ts';
const RECORDER = 'src/journal/recorder.ts';
const TIMES = 'src/journal/entry-times.ts';
const COUNT = 'src/journal/count-effects.ts';

/** Bugs in the journal. */
export const JOURNAL_BUGS: readonly PlantedBug[] = [
  {
    name: 'the entry is written after the request has left',
    changes: [
      {
        file: CALL,
        find: '    settleEntry = await recording;',
        replace:
          '    recording.then((settle) => {\n      settleEntry = settle;\n    }, () => undefined);',
      },
    ],
    foundBy: ['entry-before-request', 'entry-exactly-while-unknown'],
  },
  {
    name: 'an entry is removed although its outcome is unknown',
    changes: [
      {
        file: RECORDER,
        find: "if (outcome === 'unknown') return;",
        replace: "if (outcome === 'unknown' && request.endpoint.id === 'auth.login') return;",
      },
    ],
    foundBy: ['entry-exactly-while-unknown'],
  },
  {
    name: 'an entry stays when the service has refused the request',
    changes: [
      {
        file: RECORDER,
        find: "if (outcome === 'unknown') return;",
        replace: "if (outcome === 'unknown' || outcome === 'rejected') return;",
      },
    ],
    foundBy: ['entry-exactly-while-unknown'],
  },
  {
    name: 'an aborted call leaves no entry',
    changes: [
      {
        file: CALL,
        find: 'const outcome = isInstance(error, Aborted) ? error.outcome : outcomeOf(error);',
        replace: "const outcome = isInstance(error, Aborted) ? 'rejected' : outcomeOf(error);",
      },
    ],
    foundBy: ['entry-exactly-while-unknown'],
  },
  {
    name: 'reconcile returns not_executed while the service may still be working on the request',
    changes: [
      {
        file: TIMES,
        find: 'isSettled: reads.now() - at >= settleTime + lasts,',
        replace: 'isSettled: reads.now() - at >= 0,',
      },
    ],
    foundBy: ['reconcile-is-true', 'denial-is-true', 'moves-at-most-once', 'entry-before-request'],
  },
  {
    name: 'reconcile ignores the difference between the clocks',
    changes: [
      { file: TIMES, find: 'time >= at - CLOCK_DIFFERENCE_MS &&', replace: 'time >= at &&' },
      {
        file: TIMES,
        find: 'const earliest = Math.min(written, at) - WRONG_CLOCK_MS;',
        replace: 'const earliest = written;',
      },
      {
        file: TIMES,
        find: 'const at = written + (reads.clockOffset ?? 0);',
        replace: 'const at = written;',
      },
    ],
    foundBy: ['reconcile-is-true', 'moves-at-most-once'],
  },
  {
    name: 'reconcile does not count other requests',
    changes: [
      {
        file: COUNT,
        find: 'return isOneMore && isOfNoOther',
        replace: 'return own.length > 0',
      },
    ],
    foundBy: ['reconcile-is-true'],
  },
  {
    name: 'an entry of another user is looked up',
    changes: [
      {
        file: 'src/journal/journal.ts',
        find: "  if (isKnown && user !== entry.user) return undecided('the entry is of another user');\n",
        replace: '',
      },
    ],
    foundBy: ['reconcile-is-true', 'moves-at-most-once'],
  },
  {
    name: 'reconcile does not count the webhooks of other users of the tenant',
    changes: [
      {
        file: 'src/journal/rivals.ts',
        find: "operation.startsWith('webhooks.');",
        replace: "operation === 'webhooks';",
      },
    ],
    foundBy: ['reconcile-is-true', 'moves-at-most-once'],
    seeds: { first: 101, count: 20 },
  },
  {
    name: 'executed requests are not remembered',
    changes: [
      {
        file: RECORDER,
        find: "const state = outcome === 'executed' ? outcome : undefined;",
        replace: 'const state = undefined;',
      },
    ],
    foundBy: ['reconcile-is-true'],
  },
  {
    name: 'amounts are compared as texts',
    changes: [
      {
        file: 'src/journal/same-amount.ts',
        find: 'isDecimal(one) && isDecimal(other) && shortest(String(one)) === shortest(String(other))',
        replace: 'one === other',
      },
      {
        file: 'src/journal/same-amount.ts',
        find: "  return Math.abs(Number(debited) - Number(requested)) <= margin ? 'maybe' : false;",
        replace: '  return margin > 0 && debited === requested;',
      },
    ],
    foundBy: ['reconcile-is-true'],
  },
  {
    name: 'an entry holds the access token',
    changes: [
      {
        file: RECORDER,
        find: '...(session !== undefined && { session }),',
        replace: '...(session !== undefined && { session: accessToken }),',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
  {
    name: 'an entry holds the whole input',
    changes: [
      {
        file: 'src/journal/entry-details.ts',
        find: "'auth.login': [],",
        replace: "'auth.login': ['password', 'email'],",
      },
      {
        file: 'src/journal/entry-details.ts',
        find: 'secretInputs.includes(name) ? undefined : textOf(input[name])',
        replace: 'textOf(input[name])',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
];
