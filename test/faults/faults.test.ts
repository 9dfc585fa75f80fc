import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADAPTERS } from '../support/adapters.js';
import { clientFor, rejection } from '../support/clients.js';
import { callWithFault, TIMEOUT_MS } from './call-with-fault.js';
import { type FaultName, FaultServer } from './fault-server.js';
import { type MatrixRow, RETRY_MATRIX } from './retry-matrix.js';

const server = new FaultServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const oneRequest = () => 1;
const noResponse = (row: MatrixRow) => row.noResponse;
const on500 = (row: MatrixRow) => row.on500;
const on502 = (row: MatrixRow) => row.on502;

type Outcome = (row: MatrixRow) => string;
type Likelier = (row: MatrixRow) => string | undefined;
type Expected = {
  hits: (row: MatrixRow) => number;
  error: Record<string, unknown>;
  outcome: Outcome;
  probably: Likelier;
};

/** A status alone proves nothing, so a success whose body is not usable is only probable. */
const unread: Likelier = (row) => (row.class === 'safe' ? undefined : 'executed');
/** In class never, only a documented refusal proves that the service refused the request. */
const unreadRefusal: Outcome = (row) => (row.class === 'never' ? 'unknown' : 'rejected');
const likelyRefusal: Likelier = (row) => (row.class === 'never' ? 'rejected' : undefined);
const none: Likelier = () => undefined;

const expectError = (
  hits: Expected['hits'],
  name: string,
  outcome: string | Outcome,
  more = {},
  probably = none,
): Expected => ({
  hits,
  error: { name, ...more },
  outcome: typeof outcome === 'string' ? () => outcome : outcome,
  probably,
});
const ofSuccess = (hits: Expected['hits'], name: string, more = {}) =>
  expectError(hits, name, 'unknown', more, unread);
const connection = expectError(noResponse, 'ConnectionError', 'unknown');
const unusable = ofSuccess(oneRequest, 'ResponseValidationError', { status: 200 });
const noJson = ofSuccess(oneRequest, 'ProtocolError', { status: 200 });
const brokenOff = ofSuccess(noResponse, 'BodyReadError', { status: 200 });
const tooLarge = ofSuccess(oneRequest, 'ResponseTooLargeError');
const redirect = (status: number, locationOrigin?: string) =>
  expectError(oneRequest, 'RedirectError', 'unknown', { status, locationOrigin });
const bodyTimeout = { phase: 'body', timeoutMs: TIMEOUT_MS };

/**
 * Table A1 of the reliability requirements: the requests, the error and the outcome for each fault.
 */
const EXPECTED: Partial<Record<FaultName, Expected>> = {
  reset: connection,
  close: connection,
  'half a status line': connection,
  '101 that nobody asked for': connection,
  garbage: connection,
  stall: expectError(noResponse, 'TimeoutError', 'unknown', { phase: 'headers' }),
  'body stalls': ofSuccess(noResponse, 'TimeoutError', bodyTimeout),
  'body drips': ofSuccess(noResponse, 'TimeoutError', bodyTimeout),
  'error body stalls': expectError(on500, 'TimeoutError', 'unknown', bodyTimeout),
  'body breaks': brokenOff,
  'chunks break': brokenOff,
  'no chunk comes': brokenOff,
  'no chunk comes before it closes': brokenOff,
  'no byte comes before it closes': brokenOff,
  'invalid gzip': brokenOff,
  '404 body breaks': expectError(
    ...([oneRequest, 'BodyReadError', unreadRefusal, { status: 404 }, likelyRefusal] as const),
  ),
  '500 body breaks': expectError(on500, 'BodyReadError', 'unknown', { status: 500 }),
  'invalid UTF-8': ofSuccess(oneRequest, 'BodyReadError'),
  'truncated JSON': noJson,
  'HTML as JSON': noJson,
  'HTML with 200': noJson,
  'an image': noJson,
  'HTML with 502': expectError(on502, 'ServerError', 'unknown', { serverMessage: undefined }),
  // Its word suggests a success, as the status does.
  'a string': unusable,
  'a number': unusable,
  'deep nesting': unusable,
  'a long body': tooLarge,
  'a gzip bomb': tooLarge,
  'a long error body': expectError(
    ...([oneRequest, 'ResponseTooLargeError', unreadRefusal, {}, likelyRefusal] as const),
  ),
  '301 elsewhere': redirect(301, 'https://evil.example'),
  '303 elsewhere': redirect(303, 'https://evil.example'),
  '307 elsewhere': redirect(307, 'https://evil.example'),
  '308 to plain http': redirect(308, 'http://evil.example'),
  '302 without location': redirect(302),
  '302 whose body stalls': redirect(302, 'https://evil.example'),
  '429 with a long Retry-After': expectError(oneRequest, 'RateLimitError', 'rejected', {
    retryAfterMs: 999_999_000,
  }),
};

const CELLS = Object.entries(EXPECTED).flatMap(([fault, expected]) =>
  RETRY_MATRIX.flatMap((row) =>
    ADAPTERS.map((adapter) => ({
      id: row.id,
      row,
      adapter,
      expected,
      fault: fault as FaultName,
    })),
  ),
);

describe(`${CELLS.length} combinations of endpoint, fault and adapter`, () => {
  it.concurrent.each(
    CELLS,
  )('$id over $adapter after $fault has the expected error, outcome and number of requests', async ({
    row,
    expected,
    ...cell
  }) => {
    const { error, hits } = await callWithFault(server, cell);
    expect(error).toMatchObject({
      ...expected.error,
      outcome: expected.outcome(row),
      probableOutcome: expected.probably(row),
      operation: cell.id,
    });
    expect(hits).toBe(expected.hits(row));
    expect(error.message).not.toMatch(/<html|GIF|gzip at all|canary/);
  });
});

it('a redirect to the same origin names that origin in the error', async () => {
  const headers = { 'x-case': 'self', 'x-fault': '302 to itself' };
  const error = await rejection(clientFor(server.baseUrl).card.status({ headers }));
  expect(error).toMatchObject({ name: 'RedirectError', locationOrigin: server.baseUrl });
});

describe('connections with an unfinished body', () => {
  it.each(ADAPTERS)('are closed over %s', async (adapter) => {
    const ownServer = new FaultServer();
    await ownServer.start();
    try {
      for (const fault of ['stall', 'body stalls', 'body drips', 'error body stalls'] as const) {
        await callWithFault(ownServer, { id: 'card.unfreeze', fault, adapter });
      }
      await expect.poll(() => ownServer.openConnections, { interval: 10 }).toBe(0);
    } finally {
      await ownServer.stop();
    }
  });
});
