import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { ADAPTERS, clientOver } from '../support/adapters.js';
import { sampleCall } from '../support/calls.js';
import { CREDENTIALS, clientFor, rejection } from '../support/clients.js';
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
type Expected = {
  hits: (row: MatrixRow) => number;
  error: Record<string, unknown>;
  outcome: Outcome;
};

/**
 * A success whose body is unreadable was executed; a read without its body has returned nothing.
 */
const unreadSuccess: Outcome = (row) => (row.class === 'safe' ? 'unknown' : 'executed');
/** In class never, only a documented refusal proves that the service refused the request. */
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
const connection = expectError(noResponse, 'ConnectionError', 'unknown');
const unusable = expectError(oneRequest, 'ResponseValidationError', 'executed', { status: 200 });
const noJson = expectError(oneRequest, 'ProtocolError', 'executed', { status: 200 });
const brokenOff = expectError(noResponse, 'BodyReadError', unreadSuccess, { status: 200 });
const tooLarge = expectError(oneRequest, 'ResponseTooLargeError', unreadSuccess);
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
  garbage: connection,
  stall: expectError(noResponse, 'TimeoutError', 'unknown', { phase: 'headers' }),
  'body stalls': expectError(noResponse, 'TimeoutError', unreadSuccess, bodyTimeout),
  'body drips': expectError(noResponse, 'TimeoutError', unreadSuccess, bodyTimeout),
  'error body stalls': expectError(on500, 'TimeoutError', 'unknown', bodyTimeout),
  'body breaks': brokenOff,
  'chunks break': brokenOff,
  'invalid gzip': brokenOff,
  '404 body breaks': expectError(oneRequest, 'BodyReadError', unreadRefusal, { status: 404 }),
  '500 body breaks': expectError(on500, 'BodyReadError', 'unknown', { status: 500 }),
  'invalid UTF-8': expectError(oneRequest, 'BodyReadError', unreadSuccess),
  'truncated JSON': noJson,
  'HTML as JSON': noJson,
  'HTML with 200': noJson,
  'an image': noJson,
  'HTML with 502': expectError(on502, 'ServerError', 'unknown', { serverMessage: undefined }),
  null: unusable,
  'a string': unusable,
  'a number': unusable,
  'deep nesting': unusable,
  'a long body': tooLarge,
  'a gzip bomb': tooLarge,
  'a long error body': expectError(oneRequest, 'ResponseTooLargeError', unreadRefusal),
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
      operation: cell.id,
    });
    expect(hits).toBe(expected.hits(row));
    expect(error.message).not.toMatch(/<html|GIF|gzip at all|canary/);
  });
});

describe('a success without a body', () => {
  const idsThatNeedNoBody = ENDPOINTS.filter(
    ({ whenEmpty, responses }) =>
      whenEmpty !== undefined || Object.values(responses).some(({ mayBeEmpty }) => mayBeEmpty),
  ).map(({ id }) => id);
  const needsNone = ({ id }: MatrixRow) => idsThatNeedNoBody.includes(id);
  const rowsThatNeedABody = RETRY_MATRIX.filter((row) => !needsNone(row));

  it.concurrent.each(
    ADAPTERS.flatMap((adapter) =>
      RETRY_MATRIX.filter(needsNone).map(({ id }) => ({ id, adapter })),
    ),
  )('is the result of $id over $adapter, which needs none', async ({ id, adapter }) => {
    const headers = { 'x-case': `done ${id} ${adapter}`, 'x-fault': 'an empty body' };
    const client = clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS });
    const result: unknown = await sampleCall(id).invoke(client, { headers });
    const isNothing = id === 'referral.get';
    const field = id === 'consent.linkUser' ? 'userId' : 'success';
    if (isNothing) expect(result).toBeNull();
    else expect(result).toHaveProperty(field);
    expect(server.hits(`done ${id} ${adapter}`)).toBe(1);
  });

  it.concurrent.each(
    rowsThatNeedABody,
  )('causes a ProtocolError with outcome executed and no retry: $id', async ({ id }) => {
    const cell = {
      id,
      fault: 'an empty body',
      adapter: 'node-http',
    } as const;
    const { error, hits } = await callWithFault(server, cell);
    expect(error).toMatchObject({ name: 'ProtocolError', outcome: 'executed' });
    expect(hits).toBe(1);
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
