import { DENIAL, type PlantedBug } from './planted-bug.js';

const POLICY = 'src/contract/retry-policy.ts';
const OUTCOME = 'src/transport/outcome/outcome.ts';
const FAILED_ATTEMPT = 'src/transport/outcome/failed-attempt.ts';
const ATTEMPTS = 'src/transport/attempts/send-attempts.ts';
const DEADLINE = 'src/transport/attempts/deadline.ts';
const TOKENS = 'src/transport/credentials/credentials.ts';

/** Bugs in what an attempt or a call counts as. */
const OUTCOME_BUGS: readonly PlantedBug[] = [
  {
    name: 'any 4xx counts as a refusal, whoever sends it',
    changes: [
      {
        file: OUTCOME,
        declaration: 'outcomeOfAttempt',
        becomes: "(original) => (facts) => original(facts, 'idempotent')",
      },
    ],
    foundBy: [...DENIAL, 'never-sent-again', 'moves-at-most-once'],
  },
  {
    name: 'a phrase in a server error decides the outcome',
    changes: [
      {
        file: FAILED_ATTEMPT,
        declaration: 'refusedResponse',
        becomes: `(original) => (failed) => {
          const attempt = original(failed);
          return attempt.businessCode === undefined ? attempt : { ...attempt, outcome: 'rejected' };
        }`,
      },
    ],
    foundBy: [...DENIAL, 'moves-at-most-once'],
  },
  {
    name: 'evidence of execution is ignored',
    changes: [
      {
        file: 'src/transport/response/success-body.ts',
        declaration: 'readRefusal',
        becomes: `(original) => (...given) => {
          const reading = original(...given);
          return reading && { ...reading, isContradicted: false };
        }`,
      },
    ],
    foundBy: DENIAL,
  },
  {
    name: 'a missing response counts as not sent',
    changes: [
      {
        file: OUTCOME,
        declaration: 'outcomeOfAttempt',
        becomes: `(original) => (facts, retryClass) =>
          facts.status === undefined && facts.connection !== 'established'
            ? 'not_sent'
            : original(facts, retryClass)`,
      },
    ],
    foundBy: ['entry-before-request', ...DENIAL, 'moves-at-most-once', 'never-sent-again'],
  },
  {
    name: 'a reset counts as proof that there was no connection',
    changes: [
      {
        file: 'src/transport/outcome/network-error.ts',
        declaration: 'CONNECTING',
        becomes: "(original) => new Set([...original, 'read'])",
      },
    ],
    foundBy: [...DENIAL, 'moves-at-most-once', 'never-sent-again'],
  },
  {
    name: 'a 5xx is a refusal',
    changes: [
      {
        file: OUTCOME,
        declaration: 'isClientError',
        becomes: '() => (status) => status >= 400 && status !== 408',
      },
    ],
    foundBy: [...DENIAL, 'moves-at-most-once'],
  },
  {
    name: '408 is a refusal',
    changes: [
      {
        file: OUTCOME,
        declaration: 'outcomeOfAttempt',
        becomes: `(original) => (facts, retryClass) =>
          facts.status === 408 && !facts.hasEvidence ? 'rejected' : original(facts, retryClass)`,
      },
    ],
    foundBy: DENIAL,
  },
  {
    name: 'a success status alone counts as executed',
    changes: [
      {
        file: OUTCOME,
        declaration: 'outcomeOfAttempt',
        becomes: `(original) => (facts, retryClass) =>
          isSuccess(facts.status ?? 0) && facts.says !== 'refusal'
            ? 'executed'
            : original(facts, retryClass)`,
      },
    ],
    foundBy: ['success-is-true'],
  },
  {
    name: 'a success status that says nothing counts as refused',
    changes: [
      {
        file: OUTCOME,
        declaration: 'outcomeOfAttempt',
        becomes: `(original) => (facts, retryClass) => {
          const outcome = original(facts, retryClass);
          const saysNothing = isSuccess(facts.status ?? 0) && facts.says !== 'refusal';
          return saysNothing && outcome === 'unknown' ? 'rejected' : outcome;
        }`,
      },
    ],
    foundBy: DENIAL,
  },
  {
    name: 'words that suggest a failure count as a refusal',
    changes: [
      {
        file: OUTCOME,
        declaration: 'outcomeOfAttempt',
        becomes: `(original) => (facts, retryClass) =>
          original(facts.says === 'failure' ? { ...facts, says: 'refusal' } : facts, retryClass)`,
      },
    ],
    foundBy: DENIAL,
  },
  {
    name: 'an empty response to a withdrawal means done',
    changes: [
      {
        file: 'src/contract/response.ts',
        declaration: 'successResponse',
        becomes: "() => response(success, ['success'], { mayBeEmpty: true })",
      },
    ],
    foundBy: ['success-is-true'],
  },
  {
    name: 'other words than success: true count as a success',
    changes: [
      {
        file: 'src/contract/response.ts',
        declaration: 'success',
        becomes: '() => responseBody({})',
      },
    ],
    foundBy: ['success-is-true'],
  },
  {
    name: 'a redirect is a refusal',
    changes: [
      {
        file: FAILED_ATTEMPT,
        declaration: 'redirectResponse',
        becomes: "(original) => (...given) => ({ ...original(...given), outcome: 'rejected' })",
      },
    ],
    // The error itself has the outcome `unknown`, so an entry that was removed is found too.
    foundBy: [...DENIAL, 'entry-exactly-while-unknown'],
  },
  {
    name: 'every aborted call is reported as not sent',
    changes: [
      {
        file: 'src/transport/attempts/attempt.ts',
        declaration: 'judgeFailure',
        becomes: `(original) => (...given) => {
          try {
            return original(...given);
          } catch (error) {
            throw isInstance(error, CallAborted) ? new CallAborted(error.reason, 'not_sent') : error;
          }
        }`,
      },
    ],
    foundBy: ['entry-before-request', ...DENIAL, 'moves-at-most-once'],
  },
  {
    name: 'the last attempt decides the outcome',
    changes: [
      {
        file: OUTCOME,
        declaration: 'combineOutcomes',
        becomes: '() => (_, last) => last',
      },
    ],
    foundBy: DENIAL,
  },
  {
    name: 'a call whose last attempt found no connection counts as not sent',
    changes: [
      {
        file: OUTCOME,
        declaration: 'combineOutcomes',
        becomes: `(original) => (earlier, last, retryClass) =>
          last === 'not_sent' && (retryClass === 'safe' || !mayHaveActed(earlier))
            ? last
            : original(earlier, last, retryClass)`,
      },
    ],
    foundBy: DENIAL,
  },
  {
    name: 'a success without a field that the service never sends is unusable',
    changes: [
      {
        file: 'src/contract/response.ts',
        declaration: 'successResponse',
        becomes: "() => response(responseBody({ done: said }), ['done'])",
      },
    ],
    foundBy: ['success-is-reported'],
  },
];

/** Bugs in retries, tokens and the request. */
const RETRY_BUGS: readonly PlantedBug[] = [
  {
    name: 'an error with the outcome unknown advises to retry',
    changes: [
      {
        file: 'src/transport/outcome/outcome-of-error.ts',
        declaration: 'nextStepOf',
        becomes: `(original) => (error) =>
          outcomeOf(error) === 'unknown' ? 'retry' : original(error)`,
      },
    ],
    // Each call is right: only the application that follows the advice moves the money twice.
    foundBy: ['moves-at-most-once'],
  },
  {
    name: 'a redirect is followed to another origin',
    changes: [
      {
        file: 'src/transport/adapters/fetch.ts',
        declaration: 'fetchAdapter',
        becomes: `(original) => (send, options) => {
          const follow = async (url, init, request) => {
            const response = await send(url, init, request);
            const location = response.headers.get('location');
            return location === null ? response : send(location, init, request);
          };
          return original(follow, options);
        }`,
      },
    ],
    foundBy: ['goes-nowhere-else'],
  },
  {
    name: 'a request of class never is sent again after no response',
    changes: [
      {
        file: POLICY,
        declaration: 'NEVER',
        becomes: '(original) => ({ ...original, maxRequests: 2, afterNoResponse: true })',
      },
    ],
    foundBy: ['never-sent-again', 'moves-at-most-once', 'refresh-token-once'],
  },
  {
    name: 'a request of class never is sent again after 503',
    changes: [
      {
        file: POLICY,
        declaration: 'NEVER',
        becomes: '(original) => ({ ...original, maxRequests: 3, afterStatuses: [503] })',
      },
    ],
    foundBy: ['never-sent-again', 'moves-at-most-once', 'refresh-token-once'],
  },
  {
    name: 'a 401 from anybody leads to another request',
    changes: [
      {
        file: ATTEMPTS,
        declaration: 'Attempts.#renew',
        becomes: `(original) => (failed) =>
          original(failed.status === 401 ? { ...failed, outcome: 'rejected', response: undefined } : failed)`,
      },
    ],
    foundBy: [...DENIAL, 'never-sent-again', 'moves-at-most-once'],
  },
  {
    name: 'calls share the token that the provider returns',
    changes: [
      {
        file: TOKENS,
        declaration: 'TokenSource.get',
        becomes: `(original) => (...given) =>
          (this.shared ??= original(...given).finally(() => {
            this.shared = undefined;
          }))`,
      },
    ],
    foundBy: ['token-of-its-user'],
  },
  {
    name: 'renewals are shared by all users',
    changes: [
      {
        file: TOKENS,
        declaration: 'TokenSource.renew',
        becomes: `(original) => (...given) =>
          [...this.#renewals.values()].at(-1)?.token ?? original(...given)`,
      },
    ],
    foundBy: ['token-of-its-user'],
  },
  {
    name: 'the header of the region is missing',
    changes: [
      {
        file: 'src/transport/request/wire-request.ts',
        declaration: 'buildWireRequest',
        becomes: `(original) => (...given) => {
          const request = original(...given);
          const { 'x-us-env': _, ...headers } = request.headers;
          return request.body === undefined ? { ...request, headers } : request;
        }`,
      },
    ],
    foundBy: ['region-of-its-user'],
  },
];

/** Bugs in time limits, in what stays open, and in what is shown. */
const RESOURCE_BUGS: readonly PlantedBug[] = [
  {
    name: 'time limit and abort do not end an attempt',
    changes: [
      {
        file: DEADLINE,
        declaration: 'Deadline.#race',
        becomes: '() => (_, __, work) => work(() => {})',
      },
    ],
    foundBy: ['ends-in-time', 'abort-ends-call', 'nothing-left-open'],
  },
  {
    name: 'a failed attempt is a rejection that nobody handles, too',
    changes: [
      {
        file: DEADLINE,
        declaration: 'Deadline.#race',
        becomes: `(original) => (...given) => {
          const raced = original(...given);
          raced.finally(() => {});
          return raced;
        }`,
      },
    ],
    foundBy: ['no-stray-error'],
  },
  {
    name: 'a timer is left open',
    changes: [
      {
        file: DEADLINE,
        declaration: 'Deadline.#race',
        becomes: `(original) => (allowed, ...rest) => {
          this.#clock.schedule(() => {}, allowed);
          return original(allowed, ...rest);
        }`,
      },
    ],
    foundBy: ['nothing-left-open', 'ends-in-time'],
  },
  {
    name: 'a listener is left on the signal',
    changes: [
      {
        file: DEADLINE,
        declaration: 'watchSignal',
        becomes: `(original) => (signal, callback) => {
          original(signal, callback);
          return () => {};
        }`,
      },
    ],
    foundBy: ['no-listener-left'],
  },
  {
    name: 'an abort is ignored while the call waits for its next attempt',
    changes: [
      {
        file: DEADLINE,
        declaration: 'Deadline.#abort',
        becomes: `(original) => (signal) => {
          const [first] = this.#running;
          this.#running.delete(first);
          original(signal);
          if (first !== undefined) this.#running.add(first);
        }`,
      },
    ],
    foundBy: ['abort-ends-call'],
  },
  {
    name: 'an interrupted exchange is not cancelled',
    changes: [
      {
        file: DEADLINE,
        declaration: 'Deadline.#race',
        becomes: `(original) => (allowed, reported, work) =>
          original(allowed, reported, () => work(() => {}))`,
      },
    ],
    foundBy: ['nothing-left-open'],
  },
  {
    name: 'secrets of up to 30 characters are not redacted',
    changes: [
      {
        file: 'src/transport/response/redact.ts',
        declaration: 'SHORTEST_SECRET',
        becomes: '() => 31',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
  {
    name: 'only the plain spelling of a secret is redacted',
    changes: [
      {
        file: 'src/transport/response/redact.ts',
        declaration: 'spellings',
        becomes: '() => literal',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
  {
    name: 'the log contains the credentials',
    changes: [
      {
        file: ATTEMPTS,
        declaration: 'logAttempt',
        becomes: `(original) => (plan, result, attempt) => {
          const id = plan.endpoint.id + Object.values(attempt.credentials);
          return original({ ...plan, endpoint: { ...plan.endpoint, id } }, result, attempt);
        }`,
      },
    ],
    foundBy: ['no-secret-shown'],
  },
];

/** Bugs in retries, outcomes, deadlines and credentials. */
export const TRANSPORT_BUGS: readonly PlantedBug[] = [
  ...OUTCOME_BUGS,
  ...RETRY_BUGS,
  ...RESOURCE_BUGS,
];
