import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SAMPLE_CALLS, sampleCall } from '../support/calls.js';
import { CREDENTIALS, clientFor } from '../support/clients.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';
import { RecordingServer } from '../support/server.js';

const server = new RecordingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

const HEADER_OF = {
  clientKey: ['x-client-key', CREDENTIALS.clientKey],
  clientId: ['x-client-id', CREDENTIALS.clientId],
  secretKey: ['x-secret-key', CREDENTIALS.secretKey],
  bearer: ['authorization', `Bearer ${CREDENTIALS.accessToken}`],
} as const;

/** The headers for credentials and routing, without those of the HTTP library. */
const OURS = ['x-client-key', 'x-client-id', 'x-secret-key', 'authorization', 'x-us-env'];

function ourHeaders(): Record<string, unknown> {
  const entries = OURS.map((name) => [name, server.last.headers[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

it('every endpoint has a sample call', () => {
  expect(SAMPLE_CALLS.map(({ id }) => id).sort()).toEqual(CONTRACT_ROWS.map(({ id }) => id).sort());
});

describe.each(CONTRACT_ROWS)('$id', (row) => {
  const call = sampleCall(row.id);

  it('sends the request of the contract', async () => {
    server.respond = () => call.response;
    await call.invoke(clientFor(server.baseUrl));
    expect(server.requests).toHaveLength(1);
    const { method, path, query, body, headers } = server.last;
    expect({ method, path, query, body }).toEqual({
      method: row.method,
      path: call.path,
      query: call.query ?? {},
      body: call.body,
    });
    expect(headers['content-type']).toBe(row.body ? 'application/json' : undefined);
    expect(headers['accept']).toBe('application/json');
  });

  it('sends exactly its credentials', async () => {
    server.respond = () => call.response;
    await call.invoke(clientFor(server.baseUrl));
    expect(ourHeaders()).toEqual(Object.fromEntries(row.auth.map((name) => HEADER_OF[name])));
  });

  it('sends US routing only if the contract documents it', async () => {
    server.respond = () => call.response;
    const expected = row.us === 'none' ? undefined : 'true';
    await call.invoke(clientFor(server.baseUrl, { region: 'us' }));
    expect(server.last.headers['x-us-env']).toBe(expected);
    expect(server.last.query).not.toHaveProperty('region');
    await call.invoke(clientFor(server.baseUrl), { region: 'us' });
    expect(server.last.headers['x-us-env']).toBe(expected);
    await call.invoke(clientFor(server.baseUrl, { region: 'us' }), { region: 'global' });
    expect(server.last.headers['x-us-env']).toBeUndefined();
  });

  it.each(row.auth)('names the missing option %s', async (name) => {
    const option = name === 'bearer' ? 'accessToken' : name;
    const client = clientFor(server.baseUrl, { [option]: undefined });
    await expect(call.invoke(client)).rejects.toMatchObject({
      name: 'ConfigurationError',
      option,
      outcome: 'not_sent',
      operation: row.id,
    });
    expect(server.requests).toHaveLength(0);
  });
});

describe('a delegation call with a region', () => {
  it.each([
    'delegation.getToken',
    'delegation.submitEvmApproval',
  ])('is routed by query instead of by header: %s', async (id) => {
    const { invoke, response } = sampleCall(id);
    server.respond = () => response;
    const client = clientFor(server.baseUrl, { region: 'us' });
    if (id === 'delegation.getToken') await client.delegation.getToken({ region: 'us' });
    else await invoke(withRegion(client));
    expect(server.last.query).toMatchObject({ region: 'us' });
    expect(server.last.headers['x-us-env']).toBeUndefined();
    expect(server.last.body ?? {}).not.toHaveProperty('region');
  });
});

type Client = ReturnType<typeof clientFor>;

/** Returns a client whose EVM submission adds `region` to its input. */
function withRegion(client: Client): Client {
  const submit: Client['delegation']['submitEvmApproval'] = (input, options) =>
    client.delegation.submitEvmApproval({ ...input, region: 'us' }, options);
  return { delegation: { submitEvmApproval: submit } } as unknown as Client;
}
