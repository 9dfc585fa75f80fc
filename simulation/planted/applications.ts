import type { PlantedBug } from './planted-bug.js';

const CALL = 'src/transport/journaled-call.ts';
const RECORDER = 'src/journal/recorder.ts';
const TIMES = 'src/journal/entry-times.ts';
const COUNT = 'src/journal/count-effects.ts';
const KEEPER = 'src/sessions/session-keeper.ts';
const WEBHOOK = 'src/webhooks/verify-webhook.ts';

/** Mistakes of the journal. */
const JOURNAL_BUGS: readonly PlantedBug[] = [
  {
    name: 'the entry is written after the request has left',
    changes: [
      {
        file: CALL,
        find: '    takeNote = await recording;',
        replace: '    recording.then((note) => {\n      takeNote = note;\n    }, () => undefined);',
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
    name: 'reconcile says not_executed while the service may still work on it',
    changes: [
      {
        file: TIMES,
        find: 'isSettled: reads.now() - at >= settleTime + lasts,',
        replace: 'isSettled: reads.now() - at >= 0,',
      },
    ],
    foundBy: ['reconcile-is-true', 'denial-is-true', 'moves-at-most-once'],
  },
  {
    name: 'the difference of the clocks is not known to reconcile',
    changes: [
      { file: TIMES, find: 'time >= at - CLOCK_DIFFERENCE_MS &&', replace: 'time >= at &&' },
      {
        file: TIMES,
        find: 'const earliest = Math.min(written, at) - WRONG_CLOCK_MS;',
        replace: 'const earliest = written;',
      },
      {
        file: TIMES,
        find: 'const at = written + (clockOffset ?? reads.clockOffset ?? 0);',
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
        find: 'if (!isExplainedBy(others) && isExplainedBy([...others, matching])) {',
        replace: 'if (matching.length > 0) {',
      },
    ],
    foundBy: ['reconcile-is-true'],
  },
  {
    name: 'an entry of another user is looked up',
    changes: [
      {
        file: 'src/journal/open-journal.ts',
        find: "  if (isKnown && user !== entry.user) return undecided('the entry is of another user');\n",
        replace: '',
      },
    ],
    foundBy: ['reconcile-is-true', 'moves-at-most-once'],
  },
  {
    name: 'the webhooks of other users of the tenant are not counted',
    changes: [
      {
        file: 'src/journal/rivals.ts',
        find: "operation.startsWith('webhooks.');",
        replace: "operation === 'webhooks';",
      },
    ],
    foundBy: ['reconcile-is-true', 'moves-at-most-once'],
  },
  {
    name: 'done requests are not remembered',
    changes: [
      {
        file: RECORDER,
        find: "if (outcome === 'executed') await rememberDone(store, slot, entry, 'executed');",
        replace: '',
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
        find: '  return Math.abs(Number(shown) - requested) <= margin;',
        replace: '  return margin > 0 && shown === amount;',
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

/** Mistakes of sessions. */
const SESSION_BUGS: readonly PlantedBug[] = [
  {
    name: 'a token is used in the millisecond in which it expires',
    changes: [
      {
        file: KEEPER,
        find: 'return this.#settings.clock.now() >= expiresAt;',
        replace: 'return this.#settings.clock.now() > expiresAt;',
      },
    ],
    foundBy: ['no-expired-token'],
  },
  {
    name: 'a session provides the token of whoever is signed in',
    changes: [
      {
        file: KEEPER,
        find: 'return this.active?.id === id ? this.active : undefined;',
        replace: 'return id === "" ? undefined : this.active;',
      },
      {
        file: KEEPER,
        find: 'if (region !== undefined && region !== record.region) {',
        replace: 'if (region === undefined && id === "") {',
      },
    ],
    foundBy: ['token-of-its-user'],
  },
  {
    name: 'a snapshot holds the token',
    changes: [
      {
        file: 'src/sessions/session-view.ts',
        find: 'session: this.sessionOf(record), expiresAt };',
        replace:
          'session: { ...this.sessionOf(record), ...{ held: record.accessToken } }, expiresAt };',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
  {
    name: 'the error of a store is passed on',
    changes: [
      {
        file: 'src/sessions/record-store.ts',
        find: "const failed = (cause?: unknown) => new SessionError('session_store_failed', { cause });",
        replace: 'const failed = (cause?: unknown) => cause as Error;',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
];

/** Mistakes of webhooks. */
const WEBHOOK_BUGS: readonly PlantedBug[] = [
  {
    name: 'the tolerance of a webhook is an hour',
    changes: [
      {
        file: 'src/webhooks/limits.ts',
        find: 'const DEFAULT_TOLERANCE_SECONDS = 300;',
        replace: 'const DEFAULT_TOLERANCE_SECONDS = 3_600;',
      },
    ],
    foundBy: ['events-handled'],
  },
  {
    name: 'a webhook with a wrong signature is accepted',
    changes: [
      {
        file: WEBHOOK,
        find: 'if (!matches.includes(true)) {',
        replace: 'if (matches.length === 0) {',
      },
    ],
    foundBy: ['events-handled'],
  },
  {
    name: 'the signature does not cover the body',
    changes: [
      {
        file: WEBHOOK,
        find: 'if (!matches.includes(true)) {',
        replace: 'if (!matches.includes(true) && signed.length % 2 === 0) {',
      },
    ],
    foundBy: ['events-handled'],
  },
  {
    name: 'the id of an event is missing',
    changes: [
      {
        file: 'src/webhooks/scheme.ts',
        find: "firstText(payload, ['event_id', 'eventId'])",
        replace: "firstText(payload, ['id'])",
      },
    ],
    foundBy: ['events-handled'],
  },
  {
    name: 'a genuine webhook is refused',
    changes: [
      { file: WEBHOOK, find: 'if (!(age <= toleranceSeconds)) {', replace: 'if (!(age <= 1)) {' },
    ],
    foundBy: ['events-handled'],
  },
];

/** Mistakes of the proxy and of the options for TanStack Query. */
const WEB_BUGS: readonly PlantedBug[] = [
  {
    name: 'the proxy reports not_sent for what it does not know',
    changes: [
      {
        file: 'src/server/error-response.ts',
        find: '  const outcome = outcomeOf(error);\n',
        replace:
          "  const outcome = outcomeOf(error) === 'unknown' ? 'not_sent' : outcomeOf(error);\n",
      },
    ],
    foundBy: ['denial-is-true', 'moves-at-most-once'],
  },
  {
    name: 'the proxy sends the session of the server to the page',
    changes: [
      {
        file: 'src/server/call-service.ts',
        find: 'return withoutSecrets(response, [...secrets, ...tokens], endpoint);',
        replace: 'return { ...response, body: { ...Object(response.body), session: tokens[0] } };',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
  {
    name: 'the proxy forgets the region of the session',
    changes: [
      { file: 'src/server/call-service.ts', find: '    region: session?.region,\n', replace: '' },
    ],
    foundBy: ['region-of-its-user'],
  },
  {
    name: 'a page sends again what its proxy has reported',
    changes: [
      {
        file: 'src/transport/attempts/retry-decision.ts',
        find: "if (failed.kind === 'final' || failed.isReported) return false;",
        replace:
          "if (failed.kind === 'final') return false;\n  if (failed.isReported && failed.outcome === 'not_sent') return true;\n  if (failed.isReported && failed.status === 504) return true;",
      },
    ],
    foundBy: ['never-sent-again', 'moves-at-most-once'],
  },
  {
    name: 'a mutation is retried by the library',
    changes: [
      {
        file: 'src/query/options-of-call.ts',
        find: "    networkMode: 'always',\n    retry: false,",
        replace: "    networkMode: 'always',",
      },
      {
        file: 'src/query/options-of-call.ts',
        find: "...(retryClass === 'never' ? runOnce(id, call) : { mutationFn: call }),",
        replace: '...(retryClass === runOnce.name ? runOnce(id, call) : { mutationFn: call }),',
      },
    ],
    foundBy: ['never-sent-again', 'moves-at-most-once'],
  },
  {
    name: 'queries forget the region',
    changes: [
      {
        file: 'src/query/options-of-call.ts',
        find: '{ ...options, region }',
        replace: '{ ...options, region: region === "us" ? "global" : region }',
      },
    ],
    foundBy: ['region-of-its-user'],
  },
];

/** Mistakes of delegation flows. */
const DELEGATION_BUGS: readonly PlantedBug[] = [
  {
    name: 'a resumed flow asks for the approval again',
    changes: [
      {
        file: 'src/delegation/run-delegation.ts',
        find: '  await recoverApproval(run);\n',
        replace:
          '  if (run.state.approval?.transactionId === undefined) run.update({ approval: undefined });\n  await recoverApproval(run);\n',
      },
    ],
    foundBy: ['approval-asked-once'],
  },
  {
    name: 'an approval that a reorganisation took back is asked for again',
    changes: [
      {
        file: 'src/delegation/run-delegation.ts',
        find: 'let transactionId = run.state.approval && (await verifyEarlier(run));',
        replace:
          'let transactionId = run.state.approval && (await verifyEarlier(run).catch(() => run.update({ approval: undefined })));',
      },
    ],
    foundBy: ['approval-asked-once'],
  },
  {
    name: 'the state is not saved before the wallet is asked',
    changes: [
      {
        file: 'src/delegation/run.ts',
        find: "    this.update({ approval: { status: 'requested' } });\n",
        replace: '',
      },
    ],
    foundBy: ['approval-asked-once'],
  },
  {
    name: 'the wallet that does not respond has sent nothing',
    changes: [
      {
        file: 'src/delegation/run.ts',
        find: 'if (sentNothing(error)) this.update({ approval: undefined });',
        replace: 'if (error) this.update({ approval: undefined });',
      },
    ],
    foundBy: ['approval-asked-once'],
  },
  {
    name: 'a flow trusts the state that the proof was submitted',
    changes: [
      {
        file: 'src/delegation/run-delegation.ts',
        find: 'if (transactionId === undefined || !(await isRegistered(run, 1))) return false;',
        replace: 'if (transactionId === undefined) return false;',
      },
    ],
    foundBy: ['approval-asked-once'],
  },
];

export const APPLICATION_BUGS: readonly PlantedBug[] = [
  ...JOURNAL_BUGS,
  ...SESSION_BUGS,
  ...WEBHOOK_BUGS,
  ...WEB_BUGS,
  ...DELEGATION_BUGS,
];
