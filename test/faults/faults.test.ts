import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADAPTERS } from '../support/adapters.js';
import { clientFor, rejection } from '../support/clients.js';
import { type FaultName, FaultServer } from './fault-server.js';
import { play, TIMEOUT_MS } from './play.js';
import { type MatrixRow, RETRY_MATRIX } from './retry-matrix.js';

const server = new FaultServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const once = () => 1;
const noAnswer = (row: MatrixRow) => row.noResponse;
const on500 = (row: MatrixRow) => row.on500;
const on502 = (row: MatrixRow) => row.on502;

type Outcome = (row: MatrixRow) => string;
type Expected = {
  hits: (row: MatrixRow) => number;
  error: Record<string, unknown>;
  outcome: Outcome;
};

/** A read whose body did not come has brought nothing. */
const unread: Outcome = (row) => (row.class === 'safe' ? 'unknown' : 'executed');
/** Where a second request could do harm, only the service's own words say that it refused. */
const unreadRefusal: Outcome = (row) => (row.class === 'never' ? 'unknown' : 'rejected');

const expectError = (
  hits: Expected['hits'],
  name: string,
  outcome: string | Outcome,
  more = {},
): Expected => ({
  hits,
  error: { name, ...more },
  outcome: typeof outcome === 'string' ? () => outcome : outcome,
});
const connection = expectError(noAnswer, 'ConnectionError', 'unknown');
const unusable = expectError(once, 'ResponseValidationError', 'executed', { status: 200 });
const noJson = expectError(once, 'ProtocolError', 'executed', { status: 200 });
const brokenOff = expectError(noAnswer, 'BodyReadError', unread, { status: 200 });
const tooLarge = expectError(once, 'ResponseTooLargeError', unread);
const redirect = (status: number, locationOrigin?: string) =>
  expectError(once, 'RedirectError', 'unknown', { status, locationOrigin });
const bodyTimeout = { phase: 'body', timeoutMs: TIMEOUT_MS };

/** Table A1 of the reliability requirements: each fault, what comes of it, and how often it is met. */
const EXPECTED: Partial<Record<FaultName, Expected>> = {
  reset: connection,
  close: connection,
  'half a status line': connection,
  garbage: connection,
  stall: expectError(noAnswer, 'TimeoutError', 'unknown', { phase: 'headers' }),
  'body stalls': expectError(noAnswer, 'TimeoutError', unread, bodyTimeout),
  'body drips': expectError(noAnswer, 'TimeoutError', unread, bodyTimeout),
  'error body stalls': expectError(on500, 'TimeoutError', 'unknown', bodyTimeout),
  'body breaks': brokenOff,
  'chunks break': brokenOff,
  'bad gzip': brokenOff,
  '404 body breaks': expectError(once, 'BodyReadError', unreadRefusal, { status: 404 }),
  '500 body breaks': expectError(on500, 'BodyReadError', 'unknown', { status: 500 }),
  'invalid UTF-8': expectError(once, 'BodyReadError', unread),
  'truncated JSON': noJson,
  'HTML as JSON': noJson,
  'HTML with 200': noJson,
  'an image': noJson,
  'HTML with 502': expectError(on502, 'ServerError', 'unknown', { serverMessage: undefined }),
  null: unusable,
  'a text': unusable,
  'a number': unusable,
  'deep nesting': unusable,
  'a long body': tooLarge,
  'a gzip bomb': tooLarge,
  'a long error body': expectError(once, 'ResponseTooLargeError', unreadRefusal),
  '301 elsewhere': redirect(301, 'https://evil.example'),
  '303 elsewhere': redirect(303, 'https://evil.example'),
  '307 elsewhere': redirect(307, 'https://evil.example'),
  '308 to plain http': redirect(308, 'http://evil.example'),
  '302 without location': redirect(302),
  '302 whose body stalls': redirect(302, 'https://evil.example'),
  '429 for ages': expectError(once, 'RateLimitError', 'rejected', { retryAfterMs: 999_999_000 }),
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

describe(`${CELLS.length} faults`, () => {
  it.concurrent.each(CELLS)('$id over $adapter: $fault', async ({ row, expected, ...cell }) => {
    const { error, hits } = await play(server, cell);
    expect(error).toMatchObject({
      ...expected.error,
      outcome: expected.outcome(row),
      operation: cell.id,
    });
    expect(hits).toBe(expected.hits(row));
    expect(error.message).not.toMatch(/<html|GIF|gzip at all|canary/);
  });
});

describe('an empty body', () => {
  const others = RETRY_MATRIX.filter(({ id }) => id !== 'referral.get');
  it.concurrent.each(others)('$id', async ({ id }) => {
    const cell = {
      id,
      fault: 'an empty body',
      adapter: 'node-http',
    } as const;
    const { error, hits } = await play(server, cell);
    expect(error).toMatchObject({ name: 'ProtocolError', outcome: 'executed' });
    expect(hits).toBe(1);
  });
});

it('a redirect to itself names its own origin', async () => {
  const headers = { 'x-case': 'self', 'x-fault': '302 to itself' };
  const error = await rejection(clientFor(server.baseUrl).card.status({ headers }));
  expect(error).toMatchObject({ name: 'RedirectError', locationOrigin: server.baseUrl });
});

describe('sockets', () => {
  it.each(ADAPTERS)('of bodies that stall are closed (%s)', async (adapter) => {
    const alone = new FaultServer();
    await alone.start();
    try {
      for (const fault of ['stall', 'body stalls', 'body drips', 'error body stalls'] as const) {
        await play(alone, { id: 'card.unfreeze', fault, adapter });
      }
      await expect.poll(() => alone.open, { interval: 10 }).toBe(0);
    } finally {
      await alone.stop();
    }
  });
});
