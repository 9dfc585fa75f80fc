import type { PlantedBug } from './planted-bug.js';

const CALL = 'src/transport/journaled-call.ts';
const RECORDER = 'src/journal/recorder.ts';
const RECONCILE = 'src/journal/reconcile.ts';
const VERDICT = 'src/journal/verdict.ts';

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
        find: 'const outcome = isInstance(error, CallAborted) ? error.outcome : outcomeOf(error);',
        replace: "const outcome = isInstance(error, CallAborted) ? 'rejected' : outcomeOf(error);",
      },
    ],
    foundBy: ['entry-exactly-while-unknown'],
  },
  {
    name: 'reconcile returns not_executed while the service may still be working on the request',
    changes: [
      {
        file: RECONCILE,
        find: 'if (earliest - emptySince >= work) {',
        replace: 'if (earliest - emptySince >= 0) {',
      },
    ],
    foundBy: ['reconcile-is-true', 'denial-is-true', 'moves-at-most-once', 'entry-before-request'],
  },
  {
    name: 'reconcile trusts the clock of the device',
    changes: [
      {
        file: RECORDER,
        find: '...(since !== undefined && { since }),',
        replace: 'since: since === undefined ? clock.now() : clock.now(),',
      },
      {
        file: RECONCILE,
        find: "  if (times.earliest < windowOf(entry, settleTime).start) {\n    return found('undecided', 'the clock of the service has gone back');\n  }\n",
        replace: '',
      },
    ],
    foundBy: ['reconcile-is-true', 'denial-is-true', 'moves-at-most-once', 'entry-before-request'],
  },
  {
    name: 'reconcile does not count other requests',
    changes: [
      {
        file: VERDICT,
        find: 'if (others.some((other) => choicesOf(other).includes(effect))) {',
        replace: 'if (others.length > 99) {',
      },
    ],
    foundBy: ['reconcile-is-true'],
  },
  {
    name: 'reconcile excludes debits of other amounts',
    changes: [
      {
        file: 'src/journal/look-tools.ts',
        find: "isSameAmount(amount, details.amount) || 'maybe'",
        replace: 'isSameAmount(amount, details.amount)',
      },
    ],
    foundBy: ['reconcile-is-true', 'moves-at-most-once', 'denial-is-true'],
  },
  {
    name: 'an entry of another user is looked up',
    changes: [
      {
        file: RECONCILE,
        find: "  if (isKnown && user !== entry.user) return 'the entry is of another user';\n",
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
    seeds: { first: 41, count: 20 },
  },
  {
    name: 'executed requests are not remembered',
    changes: [
      {
        file: RECORDER,
        find: "const state = outcome === 'executed' ? outcome : undefined;",
        replace: 'const state = undefined as undefined | "executed";',
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
        find: 'secretInputs.includes(name) ? undefined : (textOfWallets(value) ?? textOf(value))',
        replace: 'textOfWallets(value) ?? textOf(value)',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
];
