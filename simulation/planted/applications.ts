import type { PlantedBug } from './planted-bug.js';

const KEEPER = 'src/sessions/session-keeper.ts';
const WEBHOOK = 'src/webhooks/verify-webhook.ts';

/** Bugs in sessions. */
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
    name: 'the error of a store is passed on with its message',
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

/** Bugs in webhooks. */
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
        find: "firstText(payload, ['event_id', 'eventId', ...(isNested ? ['id'] : [])])",
        replace: "firstText(payload, isNested ? ['id'] : [])",
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

/** Bugs in the proxy and in the options for TanStack Query. */
const WEB_BUGS: readonly PlantedBug[] = [
  {
    name: 'the proxy reports not_sent for an unknown outcome',
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
        file: 'src/server/create-card-proxy.ts',
        find: 'return writeResponse(withoutSecrets(response, new SecretValues(known)));',
        replace:
          'return writeResponse({ ...response, body: { ...Object(response.body), session: known.at(-1) } });',
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
    name: 'a page retries a failure that its proxy has reported',
    changes: [
      {
        file: 'src/transport/attempts/send-attempts.ts',
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

/** Bugs in delegation flows. */
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
    name: 'an approval that a reorganization removed is requested again',
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
    name: 'a wallet that does not respond counts as having sent nothing',
    changes: [
      {
        file: 'src/delegation/run.ts',
        find: 'if (hadNoEffect(error)) this.update({ approval: undefined });',
        replace: 'if (error) this.update({ approval: undefined });',
      },
    ],
    foundBy: ['approval-asked-once'],
  },
  {
    name: 'a flow trusts a state in which the proof was submitted',
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

/** Bugs in the code around calls: sessions, webhooks, the proxy, queries and delegations. */
export const APPLICATION_BUGS: readonly PlantedBug[] = [
  ...SESSION_BUGS,
  ...WEBHOOK_BUGS,
  ...WEB_BUGS,
  ...DELEGATION_BUGS,
];
