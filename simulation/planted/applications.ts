import { DENIAL, type PlantedBug } from './planted-bug.js';

const KEEPER = 'src/sessions/session-keeper.ts';
const WEBHOOK = 'src/webhooks/verify-webhook.ts';
const CALL_SERVICE = 'src/server/call-service.ts';
const QUERY = 'src/query/create-queries.ts';
const RUN = 'src/delegation/run.ts';
const RUN_DELEGATION = 'src/delegation/run-delegation.ts';

/** Bugs in sessions. */
const SESSION_BUGS: readonly PlantedBug[] = [
  {
    name: 'a token is used in the millisecond in which it expires',
    changes: [
      {
        file: KEEPER,
        declaration: 'SessionKeeper.#isExpired',
        becomes: '() => ({ expiresAt }) => this.#settings.clock.now() > expiresAt',
      },
    ],
    foundBy: ['no-expired-token'],
  },
  {
    name: 'a session provides the token of whoever is signed in',
    changes: [
      {
        file: KEEPER,
        declaration: 'SessionKeeper.#activeWith',
        becomes: "() => (id) => (id === '' ? undefined : this.active)",
      },
      {
        file: KEEPER,
        declaration: 'SessionKeeper.#provideKnown',
        becomes: '(original) => (id, request) => original(id, { ...request, region: undefined })',
      },
    ],
    foundBy: ['token-of-its-user'],
  },
  {
    name: 'a snapshot holds the token',
    changes: [
      {
        file: 'src/sessions/create-sessions.ts',
        declaration: 'SessionView.#describe',
        becomes: `(original) => (state) => {
          const shown = original(state);
          if (shown.status !== 'signed_in') return shown;
          return { ...shown, session: { ...shown.session, held: state.record.accessToken } };
        }`,
      },
    ],
    foundBy: ['no-secret-shown'],
  },
  {
    name: 'the error of a store is passed on with its message',
    changes: [
      {
        file: 'src/sessions/record-store.ts',
        declaration: 'failed',
        becomes: '() => (cause) => cause',
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
        file: WEBHOOK,
        declaration: 'DEFAULT_TOLERANCE_SECONDS',
        becomes: '() => 3_600',
      },
    ],
    foundBy: ['events-handled'],
  },
  {
    name: 'a webhook with a wrong signature is accepted',
    changes: [{ file: WEBHOOK, declaration: 'isSignedBy', becomes: '() => async () => true' }],
    foundBy: ['events-handled'],
  },
  {
    name: 'the signature does not cover the body',
    changes: [
      {
        file: WEBHOOK,
        declaration: 'isSignedBy',
        becomes: `(original) => async (key, signature, signed) =>
          signed.length % 2 === 1 || original(key, signature, signed)`,
      },
    ],
    foundBy: ['events-handled'],
  },
  {
    name: 'the id of an event is missing',
    changes: [
      {
        file: 'src/webhooks/scheme.ts',
        declaration: 'eventIdOf',
        becomes: `(original) => ({ event_id: _, eventId: __, ...payload }) => original(payload)`,
      },
    ],
    foundBy: ['events-handled'],
  },
  {
    name: 'a genuine webhook is refused',
    changes: [
      {
        file: WEBHOOK,
        declaration: 'requireFresh',
        becomes: '(original) => (timestamp, _, now) => original(timestamp, 1, now)',
      },
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
        declaration: 'pageResponseTo',
        becomes: `(original) => (error) => {
          const response = original(error);
          return response.outcome === 'unknown' ? { ...response, outcome: 'not_sent' } : response;
        }`,
      },
    ],
    foundBy: [...DENIAL, 'moves-at-most-once'],
  },
  {
    name: 'the proxy sends the session of the server to the page',
    changes: [
      {
        file: CALL_SERVICE,
        declaration: 'callService',
        becomes: `(original) => async (settings, call, tokens) => {
          const response = await original(settings, call, tokens);
          // Nobody redacts what nobody has noted.
          const [session] = tokens.splice(0);
          return { ...response, body: { ...Object(response.body), session } };
        }`,
      },
    ],
    foundBy: ['no-secret-shown'],
  },
  {
    name: 'the proxy forgets the region of the session',
    changes: [
      {
        file: CALL_SERVICE,
        declaration: 'callService',
        becomes: `(original) => (settings, { session, ...call }, tokens) =>
          original(settings, { ...call, session: session && { ...session, region: undefined } }, tokens)`,
      },
    ],
    foundBy: ['region-of-its-user', 'read-succeeds'],
  },
  {
    name: 'a page retries a failure that its proxy has reported',
    changes: [
      {
        file: 'src/transport/attempts/send-attempts.ts',
        declaration: 'canRetry',
        becomes: `(original) => (failed, ...rest) => {
          const { kind, isReported, outcome, status } = failed;
          const mayPass = outcome === 'not_sent' || status === 504;
          return (kind !== 'final' && isReported && mayPass) || original(failed, ...rest);
        }`,
      },
    ],
    foundBy: ['never-sent-again', 'moves-at-most-once'],
  },
  {
    name: 'a mutation is retried by the library',
    changes: [
      {
        file: QUERY,
        declaration: 'mutationOptions',
        becomes: `(original) => (owner, id, send, retryClass) => {
          const create = original(owner, id, send, retryClass === 'never' ? 'safe' : retryClass);
          return () => {
            const { retry: _, ...options } = create();
            return options;
          };
        }`,
      },
    ],
    foundBy: ['never-sent-again', 'moves-at-most-once'],
  },
  {
    name: 'queries forget the region',
    changes: [
      {
        file: QUERY,
        declaration: 'caller',
        becomes:
          "(original) => (settings, ...rest) => original({ ...settings, region: 'global' }, ...rest)",
      },
    ],
    foundBy: ['region-of-its-user'],
  },
];

/** The pages that delegate. */
const ON_BOTH_CHAINS = { actors: ['evm', 'solana'] };

/** Bugs in what the delegations of both chains share. */
const DELEGATION_BUGS: readonly PlantedBug[] = [
  {
    name: 'a resumed flow asks for the approval again',
    changes: [
      {
        file: RUN_DELEGATION,
        declaration: 'delegate',
        becomes: `(original) => (run) => {
          if (run.state.approval?.transactionId === undefined) run.update({ approval: undefined });
          return original(run);
        }`,
      },
    ],
    foundBy: ['approval-asked-once'],
    ...ON_BOTH_CHAINS,
  },
  {
    name: 'an approval that a reorganization removed is requested again',
    changes: [
      {
        file: RUN_DELEGATION,
        declaration: 'verifyEarlier',
        becomes: `(original) => (run) =>
          original(run).catch(() => {
            run.update({ approval: undefined });
          })`,
      },
    ],
    foundBy: ['approval-asked-once'],
    ...ON_BOTH_CHAINS,
  },
  {
    name: 'the state is not saved before the wallet is asked',
    changes: [
      {
        file: RUN,
        declaration: 'DelegationRun.promptApproval',
        becomes: `() => async (ask) => {
          const transactionId = await ask();
          this.update({ approval: { status: 'sent', transactionId } });
          return transactionId;
        }`,
      },
    ],
    foundBy: ['approval-asked-once', 'delegation-ends'],
    ...ON_BOTH_CHAINS,
  },
  {
    name: 'a wallet that does not respond counts as having sent nothing',
    changes: [
      {
        file: RUN,
        declaration: 'DelegationRun.promptApproval',
        becomes: `(original) => (ask) =>
          original(ask).catch((error) => {
            this.update({ approval: undefined });
            throw error;
          })`,
      },
    ],
    foundBy: ['approval-asked-once'],
    ...ON_BOTH_CHAINS,
  },
  {
    name: 'a flow trusts a state in which the proof was submitted',
    changes: [
      {
        file: 'src/delegation/registered-wallets.ts',
        declaration: 'isRegistered',
        becomes: `(original) => async (run, maxChecks) =>
          maxChecks === 1 || original(run, maxChecks)`,
      },
    ],
    foundBy: ['proof-is-verified'],
    ...ON_BOTH_CHAINS,
  },
];

/** Bugs in the code around calls: sessions, webhooks, the proxy, queries and delegations. */
export const APPLICATION_BUGS: readonly PlantedBug[] = [
  ...SESSION_BUGS,
  ...WEBHOOK_BUGS,
  ...WEB_BUGS,
  ...DELEGATION_BUGS,
  {
    name: 'a refresh token is sent again after a lost response',
    changes: [
      {
        file: 'src/sessions/options.ts',
        declaration: 'leavesRefreshToken',
        becomes: '() => () => true',
      },
    ],
    foundBy: ['refresh-token-once'],
  },
  {
    name: 'a refresh token is sent again after the page of a proxy',
    changes: [
      {
        file: 'src/sessions/options.ts',
        declaration: 'leavesRefreshToken',
        becomes: `(original) => (error) => {
          const { status = 0 } = Object(error);
          return original(error) || (status >= 500 && status !== 502 && status !== 504);
        }`,
      },
    ],
    foundBy: ['refresh-token-once'],
    actors: ['tablet'],
  },
  {
    name: 'a renewal whose response got lost counts as not sent',
    changes: [
      {
        file: 'src/transport/outcome/outcome.ts',
        declaration: 'combineOutcomes',
        becomes: `(original) => (earlier, last, retryClass) =>
          retryClass === 'never' && last === 'unknown'
            ? 'not_sent'
            : original(earlier, last, retryClass)`,
      },
    ],
    foundBy: ['refresh-token-once'],
    // The other calls of a tablet only read.
    actors: ['tablet'],
  },
  {
    name: 'a refresh token is not marked before it is sent',
    changes: [
      {
        file: 'src/sessions/refresh-token-claim.ts',
        declaration: 'RefreshTokenClaim.take',
        becomes: '() => async () => this.record.refreshToken',
      },
    ],
    foundBy: ['refresh-token-once'],
  },
];
