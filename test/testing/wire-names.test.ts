import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { decodeInput } from '../../src/testing/check-input.js';
import { createWebhook, setUp } from './set-up.js';

const RENAMED = ENDPOINTS.flatMap((endpoint) =>
  Object.entries(endpoint.wireNames ?? {}).map(([name, wire]) => ({ endpoint, name, wire })),
);
const LOCAL = ENDPOINTS.flatMap((endpoint) =>
  [
    ...(endpoint.localFields ?? []),
    ...(endpoint.extraBodyField ? [endpoint.extraBodyField] : []),
  ].map((name) => ({ endpoint, name })),
);
const IN_QUERY = ENDPOINTS.filter(({ sendsBody }) => sendsBody).flatMap((endpoint) =>
  (endpoint.query ?? []).map((name) => ({ endpoint, name })),
);

const read = (endpoint: (typeof ENDPOINTS)[number], body: unknown) =>
  decodeInput({ endpoint, params: {} }, new URLSearchParams(), body);

const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Sends JSON like a client that does not use the SDK. */
async function send(method: string, path: string, body: unknown) {
  const scene = setUp({ wallets: [{ balance: '50' }], card: 'ACTIVE' });
  const { mock, ada } = scene;
  const { id } = await createWebhook(scene.client, {
    name: 'n',
    url: 'https://hooks.example.com',
    eventTypes: ['card.*'],
  });
  const response = await mock.fetch(`${mock.baseUrl}${path.replace('{id}', id)}`, {
    method,
    headers: {
      authorization: `Bearer ${mock.accessTokenFor(ada)}`,
      'x-client-key': mock.credentials.clientKey,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return { ...scene, response, json: await response.json() };
}

describe('the body that the mock platform reads', () => {
  it('has renamed fields on three endpoints at least', () => {
    expect(new Set(RENAMED.map(({ endpoint }) => endpoint.id))).toEqual(
      new Set(['wallets.internal.withdraw', 'webhooks.update', 'webhooks.create']),
    );
  });

  it.each(RENAMED)('of $endpoint.id has $wire, and ignores the name $name of the client', (row) => {
    const { endpoint, name, wire } = row;
    expect(read(endpoint, { [wire]: 'value' })).toEqual({ [name]: 'value' });
    expect(read(endpoint, { [name]: 'value' })).toEqual({});
    expect(read(endpoint, { [wire]: 'value', [name]: 'other' })).toEqual({ [name]: 'value' });
  });

  it.each(LOCAL)('of $endpoint.id ignores $name, which the client never sends', (row) => {
    expect(read(row.endpoint, { [row.name]: false })).toEqual({});
  });

  it.each(IN_QUERY)('of $endpoint.id ignores $name, which belongs in the query', (row) => {
    expect(read(row.endpoint, { [row.name]: 'us' })).toEqual({});
  });
});

describe('a raw request to the mock platform', () => {
  it('moves no money when it spells the recipient as the client does', async () => {
    const scene = setUp({ wallets: [{ balance: '50' }] });
    const body = {
      amount: '1',
      recipientAddress: RECIPIENT,
      sourceAddress: scene.ada.internalWallets[0]?.address,
      currency: 'usdc',
    };
    const withdraw = (sent: unknown) =>
      scene.mock.fetch(`${scene.mock.baseUrl}/v1/wallet/internal/withdraw`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${scene.mock.accessTokenFor(scene.ada)}`,
          'x-client-key': scene.mock.credentials.clientKey,
          'content-type': 'application/json',
        },
        body: JSON.stringify(sent),
      });
    const refused = await withdraw(body);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({ message: 'Invalid recipient address format' });
    expect(scene.ada.internalWallets[0]?.balance).toBe('50');
    expect((await withdraw({ ...body, recipientAddrss: RECIPIENT })).status).toBe(200);
    expect(scene.ada.internalWallets[0]?.balance).toBe('49');
  });

  it('changes no webhook when it spells the fields as the client does', async () => {
    const body = { isActive: false, eventTypes: ['kyc.*'] };
    const { response, mock } = await send('PUT', '/v1/webhooks/{id}', body);
    expect(response.status).toBe(200);
    expect(mock.state.webhooks[0]).toMatchObject({ isActive: true, eventTypes: ['card.*'] });
  });

  it('changes a webhook when it spells the fields as the service does', async () => {
    const body = { is_active: false, event_types: ['kyc.*'] };
    const { mock } = await send('PUT', '/v1/webhooks/{id}', body);
    expect(mock.state.webhooks[0]).toMatchObject({ isActive: false, eventTypes: ['kyc.*'] });
  });

  it('creates no webhook when it spells the fields as the client does', async () => {
    const body = { name: 'n', url: 'https://hooks.example.com', eventTypes: ['*'] };
    const { response, json, mock } = await send('POST', '/v1/webhooks', body);
    expect(response.status).toBe(400);
    expect(json).toEqual({ message: expect.stringContaining('event_types') });
    expect(mock.state.webhooks).toHaveLength(1);
  });

  it('ignores a field that the contract does not have', async () => {
    const { response } = await send('PUT', '/v1/webhooks/{id}', { name: 'm', colour: 'red' });
    expect(response.status).toBe(200);
  });
});
