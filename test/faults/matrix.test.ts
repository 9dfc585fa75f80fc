import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADAPTERS } from '../support/adapters.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';
import { type FaultName, FaultServer } from './fault-server.js';
import { play, playRefused } from './play.js';
import { FAUCET_ROW, type MatrixRow, RETRY_MATRIX } from './retry-matrix.js';

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

type Column = {
  fault: FaultName;
  expected: (row: MatrixRow) => number;
  name: string;
  outcome: string;
};

/** The columns of the matrix; `connect` is a suite of its own. */
const COLUMNS: readonly Column[] = [
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
  COLUMNS.flatMap((column) => ADAPTERS.map((adapter) => ({ ...column, row, id: row.id, adapter }))),
);

it('has a row for every endpoint under contract', () => {
  const contract = CONTRACT_ROWS.filter((row) => row.contract);
  expect(RETRY_MATRIX.map(({ id }) => id).sort()).toEqual(contract.map(({ id }) => id).sort());
});

describe('what may leave again', () => {
  it.concurrent.each(CELLS)('$id after $fault over $adapter', async ({
    id,
    fault,
    expected,
    row,
    name,
    outcome,
    adapter,
  }) => {
    const { error, hits } = await play(server, { id, fault, adapter });
    expect(hits).toBe(expected(row));
    expect(error).toMatchObject({ name, outcome, operation: id, attempts: hits });
  });
});

describe('a connection that is refused', () => {
  const cells = RETRY_MATRIX.flatMap((row) =>
    ADAPTERS.map((adapter) => ({ row, id: row.id, adapter })),
  );

  it.concurrent.each(cells)('$id over $adapter', async ({ row, id, adapter }) => {
    const error = await playRefused(`http://127.0.0.1:${deadPort}`, { id, adapter });
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
  it.each(COLUMNS)('is asked for once after $fault', async ({ fault, name, outcome }) => {
    const cell = {
      id: FAUCET_ROW.id,
      fault,
      adapter: 'node-http',
    } as const;
    const { error, hits } = await play(server, cell, (client, options) =>
      client.delegation.getToken(FAUCET, options),
    );
    expect(error).toMatchObject({ name, outcome });
    expect(hits).toBe(FAUCET_ROW.noResponse);
  });
});

describe('the answer to a repeat', () => {
  const lost = new TypeError('fetch failed');
  const uuid = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
  const frozen = () => json({ message: 'Card is already frozen' }, 400);
  const gone = () => json({ message: 'Webhook config not found' }, 404);

  it('freeze: already frozen is the success of the first request', async () => {
    const { fetch, requests } = scriptedFetch(lost, frozen());
    const client = clientFor('https://api.example.com', { fetch });
    expect(await client.card.freeze()).toEqual({ success: true, resolvedByRetry: true });
    expect(requests).toHaveLength(2);
  });

  it('freeze: already frozen on the first request is a refusal', async () => {
    const { fetch } = scriptedFetch(frozen());
    const error = await rejection(clientFor('https://api.example.com', { fetch }).card.freeze());
    expect(error).toMatchObject({ code: 'card_already_frozen', outcome: 'rejected' });
  });

  it('freeze: already frozen after a refused connection is a refusal', async () => {
    const refused = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    });
    const { fetch } = scriptedFetch(refused, frozen());
    const client = clientFor('https://api.example.com', { fetch });
    expect(await rejection(client.card.freeze())).toMatchObject({ outcome: 'rejected' });
  });

  it('freeze: another refusal after a lost answer leaves it unknown', async () => {
    const { fetch } = scriptedFetch(lost, json({ message: 'Card is blocked' }, 400));
    const error = await rejection(clientFor('https://api.example.com', { fetch }).card.freeze());
    expect(error).toMatchObject({ code: 'bad_request', outcome: 'unknown', attempts: 2 });
  });

  it('freeze: a lost answer and then 500 is unknown', async () => {
    const { fetch } = scriptedFetch(lost, json({}, 500));
    const error = await rejection(clientFor('https://api.example.com', { fetch }).card.freeze());
    expect(error).toMatchObject({ outcome: 'unknown' });
  });

  it('delete: not found is the success of the first request', async () => {
    const { fetch } = scriptedFetch(json({}, 502), gone());
    const client = clientFor('https://api.example.com', { fetch });
    expect(await client.webhooks.delete({ id: uuid })).toEqual({
      success: true,
      resolvedByRetry: true,
    });
  });

  it('delete: not found on a page of a proxy says nothing about the first request', async () => {
    const { fetch } = scriptedFetch(json({}, 502), json('<html>Not found</html>', 404));
    const error = await rejection(
      clientFor('https://api.example.com', { fetch }).webhooks.delete({ id: uuid }),
    );
    expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'unknown' });
  });

  it('delete: not found on the first request is an error', async () => {
    const { fetch } = scriptedFetch(gone());
    const client = clientFor('https://api.example.com', { fetch });
    const error = await rejection(client.webhooks.delete({ id: uuid }));
    expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'rejected' });
  });

  it('consent: a conflict was probably made by the first request', async () => {
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

  it('link: a conflict stays unknown, and is never a success', async () => {
    const { fetch } = scriptedFetch(lost, json({ error: 'linked' }, 409));
    const client = clientFor('https://api.example.com', { fetch });
    const error = await rejection(client.consent.linkUser({ consentSetId: uuid, userId: 'u' }));
    expect(error).toMatchObject({ outcome: 'unknown', probableOutcome: undefined });
  });

  it('a read that is refused in the end did nothing', async () => {
    const { fetch } = scriptedFetch(lost, json({ message: 'Card not found' }, 404));
    const error = await rejection(clientFor('https://api.example.com', { fetch }).card.status());
    expect(error).toMatchObject({ outcome: 'rejected', attempts: 2 });
  });
});
