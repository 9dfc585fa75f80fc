import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADAPTERS } from '../support/adapters.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { callRefused, callWithFault } from './call-with-fault.js';
import { type FaultName, FaultServer } from './fault-server.js';
import { EXCEPTIONAL, FAUCET_ROW, type MatrixRow, RETRY_MATRIX } from './retry-matrix.js';

const server = new FaultServer();
let deadPort = 0;

beforeAll(async () => {
  await server.start();
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  deadPort = (probe.address() as AddressInfo).port;
  await new Promise((resolve) => probe.close(resolve));
});
afterAll(() => server.stop());

type MatrixColumn = {
  fault: FaultName;
  expected: (row: MatrixRow) => number;
  name: string;
  outcome: string;
};

/** The columns of the matrix. A refused connection has a suite of its own. */
const MATRIX_COLUMNS: readonly MatrixColumn[] = [
  {
    fault: 'reset',
    expected: (row) => row.noResponse,
    name: 'ConnectionError',
    outcome: 'unknown',
  },
  { fault: 'stall', expected: (row) => row.noResponse, name: 'TimeoutError', outcome: 'unknown' },
  { fault: 408, expected: (row) => row.noResponse, name: 'ApiError', outcome: 'unknown' },
  { fault: 500, expected: (row) => row.on500, name: 'ServerError', outcome: 'unknown' },
  { fault: 502, expected: (row) => row.on502, name: 'ServerError', outcome: 'unknown' },
  { fault: 503, expected: (row) => row.on503, name: 'ServerError', outcome: 'unknown' },
  { fault: 504, expected: (row) => row.on504, name: 'ServerError', outcome: 'unknown' },
  { fault: 429, expected: (row) => row.on429, name: 'RateLimitError', outcome: 'rejected' },
];

const CELLS = RETRY_MATRIX.flatMap((row) =>
  MATRIX_COLUMNS.flatMap((column) =>
    ADAPTERS.map((adapter) => ({ ...column, row, id: row.id, adapter })),
  ),
);

it('the retry matrix has a row for each of the 25 endpoints of the requirements', () => {
  expect(RETRY_MATRIX.length).toBeGreaterThanOrEqual(25);
  expect(RETRY_MATRIX.map(({ id }) => id)).toEqual(expect.arrayContaining([...EXCEPTIONAL]));
});

describe('the number of requests after a fault that persists', () => {
  it.concurrent.each(CELLS)('follows the retry matrix for $id after $fault over $adapter', async ({
    id,
    fault,
    expected,
    row,
    name,
    outcome,
    adapter,
  }) => {
    const { error, hits } = await callWithFault(server, { id, fault, adapter });
    expect(hits).toBe(expected(row));
    expect(error).toMatchObject({ name, outcome, operation: id, attempts: hits });
  });
});

describe('the number of attempts on a refused connection', () => {
  const cells = RETRY_MATRIX.flatMap((row) =>
    ADAPTERS.map((adapter) => ({ row, id: row.id, adapter })),
  );

  it.concurrent.each(cells)('follows the retry matrix for $id over $adapter', async ({
    row,
    id,
    adapter,
  }) => {
    const error = await callRefused(`http://127.0.0.1:${deadPort}`, { id, adapter });
    expect(error).toMatchObject({
      name: 'ConnectionError',
      outcome: 'not_sent',
      attempts: row.connect,
    });
  });
});

const FAUCET = {
  faucet: true,
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  network: 'linea',
};

describe('a delegation token with faucet', () => {
  it.each(MATRIX_COLUMNS)('is requested only once after $fault', async ({
    fault,
    name,
    outcome,
  }) => {
    const cell = {
      id: FAUCET_ROW.id,
      fault,
      adapter: 'node-http',
    } as const;
    const { error, hits } = await callWithFault(server, cell, (client, options) =>
      client.delegation.getToken(FAUCET, options),
    );
    expect(error).toMatchObject({ name, outcome });
    expect(hits).toBe(FAUCET_ROW.noResponse);
  });
});

describe('the response to a retry', () => {
  const lost = new TypeError('fetch failed');
  const uuid = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
  const frozen = () => json({ message: 'Card is already frozen' }, 400);
  const notFound = () => json({ message: 'Webhook config not found' }, 404);

  it('"already frozen" after a lost response means that the first freeze succeeded', async () => {
    const { fetch, requests } = scriptedFetch(lost, frozen());
    const client = clientFor('https://api.example.com', { fetch });
    expect(await client.card.freeze()).toEqual({ resolvedByRetry: true });
    expect(requests).toHaveLength(2);
  });

  it('"already frozen" to the first freeze is a refusal', async () => {
    const { fetch } = scriptedFetch(frozen());
    const error = await rejection(clientFor('https://api.example.com', { fetch }).card.freeze());
    expect(error).toMatchObject({ code: 'card_already_frozen', outcome: 'rejected' });
  });

  it('"already frozen" after a refused connection is a refusal', async () => {
    const refused = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    });
    const { fetch } = scriptedFetch(refused, frozen());
    const client = clientFor('https://api.example.com', { fetch });
    expect(await rejection(client.card.freeze())).toMatchObject({ outcome: 'rejected' });
  });

  it('another refusal of a freeze after a lost response leaves the outcome unknown', async () => {
    const { fetch } = scriptedFetch(lost, json({ message: 'Card is blocked' }, 400));
    const error = await rejection(clientFor('https://api.example.com', { fetch }).card.freeze());
    expect(error).toMatchObject({ code: 'bad_request', outcome: 'unknown', attempts: 2 });
  });

  it('500 to a freeze after a lost response leaves the outcome unknown', async () => {
    const { fetch } = scriptedFetch(lost, json({}, 500));
    const error = await rejection(clientFor('https://api.example.com', { fetch }).card.freeze());
    expect(error).toMatchObject({ outcome: 'unknown' });
  });

  it('"not found" after a failed deletion means that the first deletion succeeded', async () => {
    const { fetch } = scriptedFetch(json({}, 502), notFound());
    const client = clientFor('https://api.example.com', { fetch });
    expect(await client.webhooks.delete({ id: uuid })).toEqual({ resolvedByRetry: true });
  });

  it('"not found" from a proxy after a failed deletion leaves the outcome unknown', async () => {
    const { fetch } = scriptedFetch(json({}, 502), json('<html>Not found</html>', 404));
    const error = await rejection(
      clientFor('https://api.example.com', { fetch }).webhooks.delete({ id: uuid }),
    );
    expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'unknown' });
  });

  it('"not found" to the first deletion is an error', async () => {
    const { fetch } = scriptedFetch(notFound());
    const client = clientFor('https://api.example.com', { fetch });
    const error = await rejection(client.webhooks.delete({ id: uuid }));
    expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'rejected' });
  });

  it('a conflict after a lost response means that the first consent was probably created', async () => {
    const { fetch } = scriptedFetch(lost, json({ error: 'exists', details: [] }, 409));
    const client = clientFor('https://api.example.com', { fetch });
    const consents = [
      'termsAndPrivacy',
      'marketingNotifications',
      'smsNotifications',
      'emailNotifications',
    ];
    const input = {
      onboardingId: 'o',
      tenantId: 't',
      policyType: 'global',
      consents: consents.map((consentType) => ({ consentType, consentStatus: 'granted' })),
    } as Parameters<typeof client.consent.createOnboarding>[0];
    expect(await rejection(client.consent.createOnboarding(input))).toMatchObject({
      name: 'ConflictError',
      outcome: 'unknown',
      probableOutcome: 'executed',
    });
  });

  it('a conflict while linking a user leaves the outcome unknown', async () => {
    const { fetch } = scriptedFetch(lost, json({ error: 'linked' }, 409));
    const client = clientFor('https://api.example.com', { fetch });
    const error = await rejection(client.consent.linkUser({ consentSetId: uuid, userId: 'u' }));
    expect(error).toMatchObject({ outcome: 'unknown', probableOutcome: undefined });
  });

  it('a documented 503 makes likely that nothing was done, but not what an earlier request did', async () => {
    const message = 'Notification service is not configured for this environment';
    const notConfigured = () => json({ error: message }, 503);
    const deleteAfter = (...before: Response[]) => {
      const { fetch, requests } = scriptedFetch(...before, notConfigured());
      const client = clientFor('https://api.example.com', { fetch, retry: { baseDelay: 0 } });
      return { requests, call: rejection(client.webhooks.delete({ id: uuid })) };
    };
    const first = deleteAfter();
    expect(await first.call).toMatchObject({
      code: 'notification_service_not_configured',
      outcome: 'unknown',
      probableOutcome: 'rejected',
    });
    expect(first.requests).toHaveLength(1);
    const second = deleteAfter(json({}, 502));
    expect(await second.call).toMatchObject({ outcome: 'unknown', probableOutcome: undefined });
    expect(second.requests).toHaveLength(2);
  });

  it('a refusal of a read after a lost response is the outcome rejected', async () => {
    const { fetch } = scriptedFetch(lost, json({ message: 'Card not found' }, 404));
    const error = await rejection(clientFor('https://api.example.com', { fetch }).card.status());
    expect(error).toMatchObject({ outcome: 'rejected', attempts: 2 });
  });
});
