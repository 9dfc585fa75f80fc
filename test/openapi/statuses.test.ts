import { describe, expect, it } from 'vitest';
import { declaredEndpoints } from '../../scripts/generate/declared-endpoints.js';
import { openApi } from '../../scripts/generate/openapi/document.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { SAMPLE_CALLS } from '../support/calls.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';
import { type Operation, operationOf } from './document.js';

const statusesOf = ({ responses }: Operation) => Object.keys(responses);

describe.each(ENDPOINTS)('the responses of $id in openapi.json', (endpoint) => {
  const operation = operationOf(endpoint.id);
  const statuses = statusesOf(operation);
  const row = CONTRACT_ROWS.find(({ id }) => id === endpoint.id);

  it('include every status of the contract', () => {
    const documented = [...(row?.ok ?? []), ...(row?.errors ?? [])].map(String);
    expect(statuses).toEqual(expect.arrayContaining(documented));
  });

  it('include a default', () => {
    expect(statuses).toContain('default');
  });

  it('include the refusal of each credential that the endpoint takes, and of no other', () => {
    const { credentials } = endpoint;
    const takesKey = credentials.includes('clientKey') || credentials.includes('clientId');
    const takesSecret = credentials.includes('secretKey') || credentials.includes('accessToken');
    expect(statuses.includes('498')).toBe(takesKey);
    expect(statuses.includes('499')).toBe(takesKey);
    if (takesSecret) expect(statuses).toContain('401');
    if (credentials.includes('accessToken')) expect(statuses).toContain('403');
  });

  it('include the status that the mock platform responds with to the sample call', async () => {
    const platform = createMockPlatform();
    const user = platform.users.add({ card: 'ACTIVE' });
    const { path, query, body } = SAMPLE_CALLS.find(({ id }) => id === endpoint.id) ?? { path: '' };
    const url = new URL(`${platform.baseUrl}${path}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const { clientKey, clientId, secretKey } = platform.credentials;
    const headers = {
      'x-client-key': clientKey,
      'x-client-id': clientId,
      'x-secret-key': secretKey,
      authorization: `Bearer ${platform.accessTokenFor(user)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method: endpoint.method, headers };
    const response = await platform.fetch(
      url,
      body === undefined ? init : { ...init, body: JSON.stringify(body) },
    );
    expect(statuses).toContain(String(response.status));
    const withoutCredentials = await platform.fetch(url, { method: endpoint.method });
    expect(statuses).toContain(String(withoutCredentials.status));
  });
});

describe('the generator', () => {
  const facts = { version: '1.0.0', bugs: 'https://example.com' };

  it.each([
    [
      'a status that it cannot name',
      { errors: [400, 418] },
      /card\.freeze: no name for responses with 418/,
    ],
  ])('stops at %s', async (_, change, message) => {
    const declared = (await declaredEndpoints()).map((one) =>
      one.endpoint.id === 'card.freeze'
        ? { ...one, endpoint: { ...one.endpoint, ...change } as Endpoint }
        : one,
    );
    await expect(openApi(declared, facts)).rejects.toThrow(message);
  });
});
