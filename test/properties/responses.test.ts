import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { ApiError } from '../../src/errors/index.js';
import { RetryBudget } from '../../src/transport/attempts/attempt-plan.js';
import { backoffDelay } from '../../src/transport/attempts/send-attempts.js';
import { failureCode, provesNoConnection } from '../../src/transport/outcome/network-error.js';
import { DriftReporter } from '../../src/transport/response/drift.js';
import { readErrorBody } from '../../src/transport/response/error-body.js';
import { readErrorResponse } from '../../src/transport/response/error-response.js';
import { retryAfterMs } from '../../src/transport/response/http-response.js';
import { parseJson } from '../../src/transport/response/json.js';
import { printWithoutSecrets, SecretValues } from '../../src/transport/response/redact.js';
import { readRefusal } from '../../src/transport/response/success-body.js';
import { UNKNOWN_COMMAND } from '../support/call-facts.js';
import { anyText, holds } from './runs.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const headerText = fc.stringMatching(/^[\x20-\x7e]{0,60}$/);
const secret = fc.stringMatching(/^[A-Za-z0-9_-]{12,40}$/);
const NO_SECRETS = new SecretValues([]);
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

describe('Retry-After', () => {
  it('is an integer wait or undefined for any value', () => {
    holds([headerText, headerText], (value, date) => {
      const wait = retryAfterMs(new Headers({ 'retry-after': value, date }), NOW);
      if (wait !== undefined) expect(Number.isInteger(wait) && wait >= 0).toBe(true);
    });
  });

  it('in seconds is that number of seconds', () => {
    holds([fc.integer({ min: 0, max: 999_999_999 })], (seconds) => {
      expect(retryAfterMs(new Headers({ 'retry-after': String(seconds) }), NOW)).toBe(
        seconds * 1000,
      );
    });
  });

  it('as a date is measured against the clock of the service', () => {
    const second = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000);
    holds([second, second], (until, date) => {
      const headers = {
        'retry-after': new Date(until).toUTCString(),
        date: new Date(date).toUTCString(),
      };
      expect(retryAfterMs(new Headers(headers), NOW)).toBe(until > date ? until - date : undefined);
    });
  });
});

describe('the retry limits', () => {
  const options = { baseDelay: 250, maxDelay: 4_000, maxRetryAfter: 30_000 };
  const randomNumber = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it('keep the backoff between zero and its maximum, growing with each retry', () => {
    holds([fc.integer({ min: 1, max: 200 }), randomNumber], (retry, chance) => {
      const wait = backoffDelay(retry, options, () => chance);
      expect(wait >= 0 && wait < 4_000).toBe(true);
      expect(backoffDelay(retry + 1, options, () => chance)).toBeGreaterThanOrEqual(wait);
    });
  });

  it('never overdraw or overfill the retry budget', () => {
    holds(
      [fc.array(fc.constantFrom('timeout', 'failure', 'success'), { maxLength: 300 })],
      (events) => {
        const budget = new RetryBudget();
        let tokens = 500;
        for (const event of events) {
          if (event === 'success') {
            budget.refund();
            tokens = Math.min(500, tokens + 1);
            continue;
          }
          const cost = event === 'timeout' ? 10 : 5;
          expect(budget.spend(event === 'timeout')).toBe(tokens >= cost);
          if (tokens >= cost) tokens -= cost;
        }
      },
    );
  });
});

describe('the text of an error response', () => {
  const errorBody = fc.oneof(
    anyText,
    fc.json(),
    fc
      .record({ message: fc.json(), error: anyText, details: fc.array(anyText) })
      .map((o) => JSON.stringify(o)),
    fc
      .record({ errors: fc.array(fc.record({ field: fc.anything(), message: anyText })) })
      .map((value) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? 0 : one))),
  );

  it('is parsed without failing, cleaned and limited in length', () => {
    holds([errorBody], (text) => {
      const body = readErrorBody({ text, status: 400, headers: new Headers() }, NO_SECRETS);
      expect((body.message ?? '').length).toBeLessThanOrEqual(500);
      expect(body.message ?? '').not.toMatch(CONTROLS);
      for (const { field, message } of body.fieldErrors) {
        expect(field.length <= 100 && message.length <= 300).toBe(true);
        expect(field + message).not.toMatch(CONTROLS);
      }
    });
  });

  it('never contains a secret, wherever the service put it', () => {
    const place = fc.constantFrom(
      'message',
      'error',
      'details',
      'errors',
      'deep',
      'plain',
      'key',
      'inside',
    );
    holds(
      [
        ...([secret, anyText, place, fc.integer({ min: 400, max: 599 })] as const),
        fc.constantFrom(...ENDPOINTS),
      ],
      (key, around, where, status, endpoint) => {
        const text = `${around}${key}${around}`;
        const bodies: Record<string, unknown> = {
          message: { message: text },
          error: { error: text },
          details: { error: 'x', details: [text] },
          errors: { message: 'x', errors: [{ field: text, message: text }] },
          deep: { a: [{ b: { c: text } }] },
          key: { [text]: text },
          inside: { message: JSON.stringify({ message: text }) },
        };
        const body = where === 'plain' ? text : JSON.stringify(bodies[where]);
        const sent = new Headers({ 'x-echo': key, 'x-request-id': key });
        const headers = { get: (name: string) => sent.get(name), toHeaders: () => sent };
        const secrets = new SecretValues([`Bearer ${key}`]);
        const response = { status, headers, text: body };
        const read = readErrorResponse(response, endpoint, secrets, NOW, () => true);
        const error = read.toError({ ...UNKNOWN_COMMAND, operation: endpoint.id });
        expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(key);
        expect(JSON.stringify(error)).not.toContain(key);
      },
    );
  });

  it('is parsed like JSON.parse, except for keys that change a prototype', () => {
    const keys = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'prototype'));
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 1 }), tie('object')),
      object: fc.array(fc.tuple(keys, tie('any')), { maxLength: 4 }),
    })).object as fc.Arbitrary<[string, unknown][]>;
    const toText = (entries: unknown): string => {
      if (
        !Array.isArray(entries) ||
        !entries.every((one) => Array.isArray(one) && one.length === 2)
      ) {
        return JSON.stringify(entries) ?? 'null';
      }
      return `{${entries.map(([key, one]) => `${JSON.stringify(String(key))}:${toText(one)}`).join(',')}}`;
    };
    holds([value], (entries) => {
      const parsed = parseJson(toText(entries));
      const unsafe = (one: unknown): boolean =>
        typeof one === 'object' &&
        one !== null &&
        (Reflect.ownKeys(one).some((key) =>
          ['__proto__', 'constructor', 'prototype'].includes(String(key)),
        ) ||
          (!Array.isArray(one) && Object.getPrototypeOf(one) !== Object.prototype) ||
          Object.values(one).some(unsafe));
      expect(unsafe(parsed)).toBe(false);
    });
    holds([fc.jsonValue()], (plain) => {
      const text = JSON.stringify(plain);
      if (/__proto__|constructor|prototype/.test(text)) return;
      expect(parseJson(text)).toEqual(JSON.parse(text));
    });
  });
});

describe('any error body', () => {
  const canary = 'canary-7f3a9c';
  // Any JSON, in which any text, any key and any field that the reader knows may hold the canary.
  const name = fc.oneof(
    fc.constantFrom('message', 'error', 'detail', 'details', 'errors', 'code', 'errorCode', 'type'),
    fc.constantFrom('title', 'error_description', 'field', 'pointer', 'path', 'name', 'loc'),
    fc.constantFrom(
      'isOtpRequired',
      'userId',
      'phoneNumber',
      'status',
      'success',
      'apiKey',
      canary,
    ),
    anyText,
  );
  const words = anyText.chain((text) => fc.constantFrom(text, canary, `${text} ${canary}`));
  const anyBody = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      words,
      fc.constantFrom(null, true, false, 0, 42, -1.5, 1e308),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map(Object.fromEntries),
      tie('value').map((value) => JSON.stringify(value)),
      tie('value').map((value) => `Failed: ${JSON.stringify(value)}`),
    ),
  })).value;
  const bodyText = fc.oneof(
    anyText,
    anyBody.map((value) => JSON.stringify(value)),
    fc.tuple(anyBody, fc.nat(200)).map(([value, end]) => JSON.stringify(value).slice(0, end)),
  );
  const type = fc.constantFrom('application/json', 'application/problem+json', 'text/html', '');
  const secrets = new SecretValues([canary]);

  const printed = (error: unknown) =>
    inspect(error, { depth: 12, showHidden: true, getters: true }) + JSON.stringify(error);

  it('becomes the typed error of its status, without the canary', () => {
    holds(
      [bodyText, type, fc.integer({ min: 400, max: 599 }), fc.constantFrom(...ENDPOINTS)],
      (text, contentType, status, endpoint) => {
        const sent = new Headers({ 'content-type': contentType });
        const headers = { get: (header: string) => sent.get(header), toHeaders: () => sent };
        const response = { status, headers, text };
        const read = readErrorResponse(response, endpoint, secrets, NOW, () => true);
        const error = read.toError({ ...UNKNOWN_COMMAND, operation: endpoint.id });
        expect(error).toBeInstanceOf(ApiError);
        expect(printed(error)).not.toContain(canary);
        expect((error.serverCode ?? 'x').length).toBeLessThanOrEqual(100);
        expect(error.serverCode ?? 'x').toMatch(/^[\x20-\x7e]+$/);
        expect((error.serverMessage ?? '').length).toBeLessThanOrEqual(500);
        expect(error.serverMessage ?? '').not.toMatch(CONTROLS);
        expect(error.fieldErrors.length).toBeLessThanOrEqual(50);
        expect(error.details.length).toBeLessThanOrEqual(50);
        for (const detail of error.details) expect(detail.length).toBeLessThanOrEqual(300);
      },
    );
  });

  it('with success: false becomes a refusal, without the canary', () => {
    holds([anyBody, fc.constantFrom(...ENDPOINTS)], (value, endpoint) => {
      const data = { ...(typeof value === 'object' ? value : { message: value }), success: false };
      const text = JSON.stringify(data);
      const response = {
        status: 200,
        headers: { get: () => null, toHeaders: () => new Headers() },
        text,
      };
      const parsed = parseJson(text);
      const reading = readRefusal(
        parsed,
        response,
        endpoint,
        () => readErrorBody(response, secrets),
        () => [],
        () => true,
      );
      expect(reading?.means).toBe('refused');
      expect(`${reading?.message} ${reading?.serverCode}`).not.toContain(canary);
    });
  });
});

describe('a failed connection', () => {
  const code = fc.oneof(
    fc.constantFrom('ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'EPROTO'),
    fc.constantFrom(
      'UND_ERR_CONNECT_TIMEOUT',
      'ECONNRESET',
      'EPIPE',
      'UND_ERR_SOCKET',
      'CERT_HAS_EXPIRED',
    ),
    fc.string(),
    fc.anything(),
  );
  const syscall = fc.oneof(
    fc.constantFrom('connect', 'getaddrinfo', 'read', 'write', 'sendto'),
    fc.string(),
  );
  const failure = fc.letrec((tie) => ({
    failure: fc.oneof(
      { maxDepth: 7 },
      fc.record({ code, syscall }, { requiredKeys: [] }),
      fc.record({ code, syscall, cause: tie('failure') }, { requiredKeys: ['cause'] }),
      fc.record({ cause: tie('failure'), errors: fc.array(tie('failure'), { maxLength: 3 }) }),
      fc.anything(),
    ),
  })).failure;
  /** The innermost errors, which the system reported. */
  const sources = (error: unknown): { code?: unknown; syscall?: unknown }[] => {
    if (typeof error !== 'object' || error === null) return [{}];
    const { cause, errors } = error as { cause?: unknown; errors?: unknown };
    const inside = [
      ...(cause === undefined ? [] : [cause]),
      ...(Array.isArray(errors) ? errors : []),
    ];
    return inside.length === 0 ? [error] : inside.flatMap(sources);
  };
  const CERTIFICATE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_|ERR_TLS_CERT_)/;
  const isProof = ({ code, syscall }: { code?: unknown; syscall?: unknown }) =>
    typeof syscall === 'string'
      ? ['connect', 'getaddrinfo'].includes(syscall)
      : code === 'UND_ERR_CONNECT_TIMEOUT' || CERTIFICATE.test(String(code));

  it('proves that nothing was sent only when every innermost error does', () => {
    holds([failure], (error) => {
      if (!provesNoConnection(error)) return;
      expect(sources(error).every(isProof)).toBe(true);
    });
  });

  it('has one well-formed code or none', () => {
    holds([failure], (error) => {
      expect(failureCode(error) ?? 'E1').toMatch(/^[A-Z][A-Z0-9_]{1,59}$/);
    });
  });
});

describe('a result with secrets', () => {
  it('is unchanged for the program and redacted when printed', () => {
    holds([secret, fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.integer())], (key, more) => {
      const plain = { ...more, data: { apiKey: key }, token: key };
      const redacted = printWithoutSecrets(structuredClone(plain), ['data.apiKey', 'token']);
      expect(JSON.stringify(redacted)).toBe(JSON.stringify(plain));
      expect(inspect(redacted, { depth: 10 })).not.toContain(key);
    });
  });
});

describe('drift', () => {
  it('is reported once for each path, regardless of positions in lists', () => {
    const path = fc.array(fc.oneof(fc.nat(20).map(String), fc.constantFrom('a', 'b', 'c')), {
      maxLength: 4,
    });
    holds([fc.array(path, { maxLength: 30 })], (paths) => {
      const reported: string[] = [];
      const reporter = new DriftReporter((report) => reported.push(report.path));
      const report = reporter.reporterFor('x');
      for (const one of paths) report([{ kind: 'other-type', path: one.join('.'), message: 'm' }]);
      const expected = paths.map((one) =>
        one.map((part) => (/^\d+$/.test(part) ? '*' : part)).join('.'),
      );
      expect(reported).toEqual([...new Set(expected)]);
    });
  });

  it('is reported for a thousand paths of one client, and then no more', () => {
    let count = 0;
    const reporter = new DriftReporter(() => void count++);
    for (const operation of ['x', 'y']) {
      const report = reporter.reporterFor(operation);
      for (let index = 0; index < 501; index++) {
        report([{ kind: 'unknown-field', path: `field${index}`, message: 'm' }]);
      }
    }
    expect(count).toBe(1_000);
  });
});
