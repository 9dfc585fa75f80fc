import { describe, expect, it } from 'vitest';
import { prepareScene, SAMPLES } from '../../scripts/generate/openapi/observed/samples.js';
import { CardPlatformClient } from '../../src/client.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { observedEndpoints } from '../../src/contract/observed/endpoints.js';
import { call } from '../../src/endpoints/index.js';
import { createMockPlatform } from '../../src/testing/index.js';

const ENDPOINTS: readonly Endpoint[] = Object.values(observedEndpoints);

/** Fields that a declaration sends by itself. */
const CONSTANTS = ['grant_type', 'response_type', 'code_challenge_method'];

/** Values of the placeholders of a path. */
function pathValues(template: string, path: string): [string, string][] {
  const given = path.split('/');
  return template.split('/').flatMap((part, index): [string, string][] => {
    return part.startsWith('{') ? [[part.slice(1, -1), given[index] ?? '']] : [];
  });
}

describe.each(
  ENDPOINTS,
)('the client reads the response of the mock platform to $id', (endpoint) => {
  it('without an error and without drift', async () => {
    const mock = createMockPlatform({ observed: true });
    const scene = await prepareScene(mock);
    const { path = endpoint.path, query = {}, body } = (await SAMPLES[endpoint.id]?.(scene)) ?? {};
    const names = new Map(
      Object.entries(endpoint.wireNames ?? {}).map(([name, wire]) => [wire, name]),
    );
    const fields = Object.entries({ ...query, ...Object(body) }).filter(
      ([name]) => !CONSTANTS.includes(name),
    );
    const input = Object.fromEntries([
      ...fields.map(([name, value]) => [
        names.get(name) ?? name,
        name === 'limit' ? Number(value) : value,
      ]),
      ...pathValues(endpoint.path, path),
    ]);
    const drift: unknown[] = [];
    const client = new CardPlatformClient({
      baseUrl: mock.baseUrl,
      fetch: mock.fetch,
      ...mock.credentials,
      accessToken: mock.accessTokenFor(scene.ada),
      onDrift: (report) => void drift.push(report),
    });
    expect(await call(client, endpoint, input)).toBeDefined();
    expect(drift).toEqual([]);
    expect(mock.requests.last).toMatchObject({ operation: endpoint.id, status: 200 });
  });
});
