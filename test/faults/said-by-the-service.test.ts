import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CardPlatformError } from '../../src/errors/index.js';
import { ADAPTERS, type AdapterName, clientOver } from '../support/adapters.js';
import { sampleCall } from '../support/calls.js';
import { CREDENTIALS, rejection } from '../support/clients.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';
import { RecordingServer, type ScriptedResponse } from '../support/server.js';
import { COMMANDS, EMPTY, isDoneWhenEmpty, SAID } from './said-by-the-service.js';

const server = new RecordingServer();
const scripted = new Map<string, ScriptedResponse>();
const hits = new Map<string, number>();
let cases = 0;

beforeAll(async () => {
  await server.start();
  server.respond = ({ headers }) => {
    const name = String(headers['x-case']);
    hits.set(name, (hits.get(name) ?? 0) + 1);
    return scripted.get(name) ?? { status: 500 };
  };
});
afterAll(() => server.stop());

type Answer = { status?: number; body?: unknown; type?: string };

/** Makes the sample call of an endpoint, which gets this response. */
function call(id: string, adapter: AdapterName, { status, body, type }: Answer, options = {}) {
  const name = String(++cases);
  const headers = { 'content-type': type ?? 'application/json' };
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  scripted.set(name, { ...(status !== undefined && { status }), body: text, headers });
  const client = clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS, ...options });
  const run = (more = {}) =>
    sampleCall(id).invoke(client, { headers: { 'x-case': name }, ...more }) as Promise<unknown>;
  return { run, requests: () => hits.get(name) ?? 0 };
}

const cellsOf = <T>(columns: Readonly<Record<string, T>>) =>
  ADAPTERS.flatMap((adapter) =>
    COMMANDS.flatMap((row) =>
      Object.entries(columns).map(([what, answer]) => ({ id: row.id, row, adapter, what, answer })),
    ),
  );

it('every endpoint of the contract that is not a read is among the commands', () => {
  const reads = CONTRACT_ROWS.filter(({ retryClass }) => retryClass === 'safe');
  expect(COMMANDS.length + reads.length).toBe(CONTRACT_ROWS.length);
  expect(COMMANDS.filter(isDoneWhenEmpty).length).toBeGreaterThanOrEqual(10);
  expect(COMMANDS.length).toBeGreaterThan(20);
});

const SAID_CELLS = cellsOf(SAID);

describe(`a success status with other words than the documented ones, in ${SAID_CELLS.length} cells`, () => {
  it.concurrent.each(SAID_CELLS)('$id over $adapter: $what', async ({ id, adapter, answer }) => {
    const { outcome, probableOutcome, ...response } = answer;
    const { run, requests } = call(id, adapter, response);
    const error = (await rejection(run())) as CardPlatformError & { data?: unknown };
    expect(error).toMatchObject({ operation: id, outcome, isRetryable: false });
    expect(error.probableOutcome).toBe(probableOutcome);
    expect(requests()).toBe(1);
    // What the service said is there for the caller.
    if (typeof response.body === 'object' && response.type === undefined) {
      expect(error.data).toEqual(response.body);
    }
  });
});

const EMPTY_CELLS = cellsOf(EMPTY);

describe(`an empty success, in ${EMPTY_CELLS.length} cells`, () => {
  it.concurrent.each(EMPTY_CELLS)('$id over $adapter: $what', async ({
    id,
    row,
    adapter,
    answer,
  }) => {
    const { run, requests } = call(id, adapter, answer);
    if (isDoneWhenEmpty(row)) {
      // A result holds no field that the service did not send.
      expect(await run()).toEqual({});
    } else {
      const error = await rejection(run());
      expect(error).toMatchObject({ outcome: 'unknown', probableOutcome: 'executed' });
    }
    expect(requests()).toBe(1);
  });
});

describe('the documented success', () => {
  const cells = ADAPTERS.flatMap((adapter) => COMMANDS.map(({ id }) => ({ id, adapter })));

  it.concurrent.each(cells)('$id over $adapter resolves with its own fields', async (cell) => {
    const { status, body } = sampleCall(cell.id).response;
    const result = await call(cell.id, cell.adapter, { status, body }).run();
    const { faucetOutcome, ...sent } = result as Record<string, unknown>;
    expect(sent).toEqual(body);
    expect(faucetOutcome === undefined).toBe(cell.id !== 'delegation.getToken');
  });

  it.concurrent.each(
    COMMANDS.map(({ id }) => ({ id })),
  )('$id is executed when only the schema of the caller refuses it', async ({ id }) => {
    const { status, body } = sampleCall(id).response;
    const validate = () => ({ issues: [{ message: 'no' }] });
    const schema = { '~standard': { version: 1, vendor: 'test', validate } };
    const error = await rejection(call(id, 'node-http', { status, body }).run({ schema }));
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'executed' });
    expect(error).toHaveProperty('probableOutcome', undefined);
  });

  it.concurrent.each(
    COMMANDS.map(({ id }) => ({ id })),
  )('$id is not done because a schema of the caller takes everything', async ({ id }) => {
    const schema = {
      '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
    };
    const body = { message: 'Insufficient balance' };
    const error = await rejection(call(id, 'node-http', { body }).run({ schema }));
    expect(error).toMatchObject({ outcome: 'unknown', probableOutcome: 'rejected' });
  });

  it('is executed when only strict mode refuses it', async () => {
    const body = { success: true, data: { id: 'w', name: 7 } };
    const { run } = call(
      'webhooks.update',
      'node-http',
      { body },
      { responseValidation: 'strict' },
    );
    expect(await rejection(run())).toMatchObject({ outcome: 'executed' });
  });

  it('is executed when success: true comes without the field that the result needs', async () => {
    for (const id of ['wallets.credit.withdraw', 'orders.create', 'webhooks.rotateKey']) {
      const error = await rejection(call(id, 'node-http', { body: { success: true } }).run());
      expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'executed' });
    }
  });
});
