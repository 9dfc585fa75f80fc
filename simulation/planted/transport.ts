import type { PlantedBug } from './planted-bug.js';

const POLICY = 'src/contract/retry-policy.ts';
const OUTCOME = 'src/transport/outcome/outcome.ts';
const ATTEMPTS = 'src/transport/attempts/send-attempts.ts';
const DEADLINE = 'src/transport/attempts/deadline.ts';

/** Bugs in retries, outcomes, deadlines and credentials. */
export const TRANSPORT_BUGS: readonly PlantedBug[] = [
  {
    name: 'a request of class never is sent again after no response',
    changes: [
      {
        file: POLICY,
        find: "  class: 'never',\n  maxRequests: 1,\n  afterConnectFailure: 2,\n  afterNoResponse: false,",
        replace:
          "  class: 'never',\n  maxRequests: 2,\n  afterConnectFailure: 2,\n  afterNoResponse: true,",
      },
    ],
    foundBy: ['never-sent-again', 'moves-at-most-once'],
  },
  {
    name: 'a request of class never is sent again after 503',
    changes: [
      {
        file: POLICY,
        find: '  afterNoResponse: false,\n  afterStatuses: [],\n  afterRateLimit: false,',
        replace: '  afterNoResponse: false,\n  afterStatuses: [503],\n  afterRateLimit: false,',
      },
      { file: POLICY, find: '  maxRequests: 1,\n', replace: '  maxRequests: 3,\n' },
    ],
    foundBy: ['never-sent-again', 'moves-at-most-once'],
  },
  {
    name: 'any 4xx counts as a refusal, whoever sends it',
    changes: [
      {
        file: OUTCOME,
        find: "isClientError(status) && (isRefusal || retryClass !== 'never')",
        replace: 'isClientError(status)',
      },
    ],
    foundBy: ['denial-is-true', 'never-sent-again', 'moves-at-most-once'],
  },
  {
    name: 'a phrase in a server error decides the outcome',
    changes: [
      {
        file: 'src/transport/outcome/failed-attempt.ts',
        find: '...outcomesOf(attemptFacts, retryClass, { isDocumentedRefusal, reported: stated }),',
        replace:
          "outcome: isDocumentedRefusal ? 'rejected' : outcomesOf(attemptFacts, retryClass, { reported: stated }).outcome,",
      },
    ],
    foundBy: ['denial-is-true', 'moves-at-most-once'],
  },
  {
    name: 'evidence of execution is ignored',
    changes: [
      {
        file: 'src/transport/response/read-response.ts',
        find: 'Object.keys(evidence).length > 0 ||\n      saysSuccess(data) ||\n      holdsResult(data, endpoint.reaches ?? endpoint, status),',
        replace: 'false,',
      },
    ],
    foundBy: ['denial-is-true'],
  },
  {
    name: 'a missing response counts as not sent',
    changes: [
      {
        file: OUTCOME,
        find: "facts.connection === 'none' ? 'not_sent' : 'unknown'",
        replace: "facts.connection !== 'established' ? 'not_sent' : 'unknown'",
      },
    ],
    foundBy: ['denial-is-true', 'moves-at-most-once', 'never-sent-again'],
  },
  {
    name: 'a reset counts as proof that there was no connection',
    changes: [
      {
        file: 'src/transport/outcome/network-error.ts',
        find: "const CONNECTING = new Set(['connect', 'getaddrinfo']);",
        replace: "const CONNECTING = new Set(['connect', 'getaddrinfo', 'read']);",
      },
    ],
    foundBy: ['denial-is-true', 'moves-at-most-once', 'never-sent-again'],
  },
  {
    name: 'a 5xx is a refusal',
    changes: [
      {
        file: OUTCOME,
        find: 'status >= 400 && status < 500 && status !== 408',
        replace: 'status >= 400 && status !== 408',
      },
    ],
    foundBy: ['denial-is-true', 'moves-at-most-once'],
  },
  {
    name: '408 is a refusal',
    changes: [
      {
        file: OUTCOME,
        find: 'return isClientError(status) && (isRefusal',
        replace: "return status === 408 ? 'rejected' : isClientError(status) && (isRefusal",
      },
    ],
    foundBy: ['denial-is-true'],
  },
  {
    name: 'a success status alone counts as executed',
    changes: [
      {
        file: OUTCOME,
        find: "return says === 'success' ? 'executed' : 'unknown';",
        replace: "return 'executed';",
      },
    ],
    foundBy: ['success-is-true'],
  },
  {
    name: 'a success status that says nothing counts as refused',
    changes: [
      {
        file: OUTCOME,
        find: "return says === 'success' ? 'executed' : 'unknown';",
        replace: "return says === 'success' ? 'executed' : 'rejected';",
      },
    ],
    foundBy: ['denial-is-true'],
  },
  {
    name: 'words that suggest a failure count as a refusal',
    changes: [
      {
        file: OUTCOME,
        find: "const isRefusal = says === 'refusal';",
        replace: "const isRefusal = says === 'refusal' || says === 'failure';",
      },
    ],
    foundBy: ['denial-is-true'],
  },
  {
    name: 'an empty response to a withdrawal means done',
    changes: [
      {
        file: 'src/contract/response.ts',
        find: "export const successResponse = response(success, ['success']);",
        replace:
          "export const successResponse = response(success, ['success'], { mayBeEmpty: true });",
      },
    ],
    foundBy: ['success-is-true'],
  },
  {
    name: 'other words than success: true count as a success',
    changes: [
      {
        file: 'src/contract/response.ts',
        find: 'const success = responseBody({ success: said });',
        replace: 'const success = responseBody({});',
      },
    ],
    foundBy: ['success-is-true'],
  },
  {
    name: 'a redirect is a refusal',
    changes: [
      {
        file: 'src/transport/outcome/failed-attempt.ts',
        find: "    response,\n    outcome: 'unknown',\n    kind: 'final',",
        replace: "    response,\n    outcome: 'rejected',\n    kind: 'final',",
      },
    ],
    // The error itself has the outcome `unknown`, so an entry that was removed is found too.
    foundBy: ['denial-is-true', 'entry-exactly-while-unknown'],
  },
  {
    name: 'every aborted call is reported as not sent',
    changes: [
      {
        file: 'src/transport/attempts/attempt.ts',
        find: 'throw new CallAborted(failure.reason, outcomeOfExchange({ facts, retryClass }));',
        replace: "throw new CallAborted(failure.reason, 'not_sent');",
      },
    ],
    foundBy: ['denial-is-true', 'moves-at-most-once'],
  },
  {
    name: 'the last attempt decides the outcome',
    changes: [
      {
        file: OUTCOME,
        find: 'return EFFECT[earlier] > EFFECT[last] ? earlier : last;',
        replace: 'return last;',
      },
    ],
    seeds: { first: 41, count: 20 },
    foundBy: ['denial-is-true'],
  },
  {
    name: 'a 401 from anybody leads to another request',
    changes: [
      {
        file: ATTEMPTS,
        find: "const isRefused = failed.status === 401 && failed.outcome === 'rejected';",
        replace: 'const isRefused = failed.status === 401;',
      },
    ],
    foundBy: ['denial-is-true', 'never-sent-again', 'moves-at-most-once'],
  },
  {
    name: 'calls share the token that the provider returns',
    changes: [
      {
        file: 'src/transport/credentials/token-source.ts',
        find: "    return this.#ask({ reason: 'request', region }, operation);",
        replace:
          "    return (this.#shared ??= this.#ask({ reason: 'request', region }, operation).finally(() => {\n      this.#shared = undefined;\n    }));",
      },
      {
        file: 'src/transport/credentials/token-source.ts',
        find: '  readonly #clock: Clock;\n',
        replace: '  readonly #clock: Clock;\n  #shared: Promise<string> | undefined;\n',
      },
    ],
    foundBy: ['token-of-its-user'],
  },
  {
    name: 'renewals are shared by all users',
    changes: [
      {
        file: 'src/transport/credentials/token-source.ts',
        find: 'const renewal = this.#renewals.get(rejected) ??',
        replace: 'const renewal = [...this.#renewals.values()].at(-1) ??',
      },
    ],
    foundBy: ['token-of-its-user'],
  },
  {
    name: 'the header of the region is dropped',
    changes: [
      {
        file: 'src/transport/request/wire-request.ts',
        find: "if (region === 'us' && endpoint.routing !== 'none' && !routedByQuery)",
        replace:
          "if (region === 'us' && endpoint.routing !== 'none' && !routedByQuery && body !== undefined)",
      },
    ],
    foundBy: ['region-of-its-user'],
  },
  {
    name: 'the deadline does not cover the body',
    changes: [
      {
        file: 'src/transport/attempts/attempt.ts',
        find: '      return send();\n    });',
        replace:
          '      return send();\n    }).catch((failure) => {\n      const { exchange } = started;\n      if (exchange?.facts.status === undefined || !isInstance(failure, CallInterrupted)) throw failure;\n      return exchange.response;\n    });',
      },
      {
        file: 'src/transport/attempts/attempt.ts',
        find: '        started.exchange?.cancel();\n',
        replace: '',
      },
    ],
    foundBy: ['ends-in-time', 'abort-ends-call', 'nothing-left-open'],
  },
  {
    name: 'a timer is left open',
    changes: [
      {
        file: DEADLINE,
        find: '        (value) => {\n          stop();\n          resolve(value);',
        replace: '        (value) => {\n          resolve(value);',
      },
      {
        file: DEADLINE,
        find: 'const stop = () => {\n        cancelTimer();',
        replace: 'const stop = () => {',
      },
    ],
    foundBy: ['nothing-left-open', 'ends-in-time'],
  },
  {
    name: 'a listener is left on the signal',
    changes: [
      {
        file: 'src/transport/attempts/deadline.ts',
        find: '    if (watch.callbacks.size > 0) return;',
        replace: '    if (watch.callbacks.size >= 0) return;',
      },
    ],
    foundBy: ['no-listener-left'],
  },
  {
    name: 'an abort is ignored while the call waits for its next attempt',
    changes: [
      {
        file: DEADLINE,
        find: 'for (const interrupt of [...this.#running]) interrupt(interruption);',
        replace: 'for (const interrupt of [...this.#running].slice(1)) interrupt(interruption);',
      },
    ],
    foundBy: ['abort-ends-call'],
  },
  {
    name: 'a timed-out exchange is not cancelled',
    changes: [
      {
        file: DEADLINE,
        find: '        cancel?.();',
        replace: '        if (interruption.kind === "aborted") cancel?.();',
      },
    ],
    foundBy: ['nothing-left-open'],
  },
  {
    name: 'long secrets are not redacted',
    changes: [
      {
        file: 'src/transport/response/redact.ts',
        find: 'const long = bare.filter((text) => text.length >= SHORTEST_SECRET);',
        replace:
          'const long = bare.filter((text) => text.length >= SHORTEST_SECRET && text.length <= 30);',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
  {
    name: 'the log contains the credentials',
    changes: [
      {
        file: 'src/transport/attempts/send-attempts.ts',
        find: 'const fields: LogFields = {\n    operation: endpoint.id,\n',
        replace:
          'const fields: LogFields = {\n    operation: endpoint.id + Object.values(attempt.credentials),\n',
      },
    ],
    foundBy: ['no-secret-shown'],
  },
];
