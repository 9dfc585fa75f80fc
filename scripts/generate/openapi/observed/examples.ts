import { check } from '../../../../src/contract/check.js';
import type { Endpoint } from '../../../../src/contract/endpoint.js';
import type { ObservedSchema } from '../../../../src/contract/observed/schema.js';
import { createMockPlatform } from '../../../../src/testing/index.js';
import { matchPath, toPathPattern } from '../../../../src/testing/routing.js';
import type { Example } from '../examples.js';
import type { Json } from '../json-schema.js';
import { prepareScene, SAMPLES } from './samples.js';

const BASE_URL = 'https://api.example.com';

/** A value of a query: a number where the field is one. */
function queryValue({ input, wireNames = {} }: Endpoint, wire: string, text: string): unknown {
  const { field }: Partial<ObservedSchema<unknown>> = Object(input);
  const [name = wire] = Object.entries(wireNames).find(([, one]) => one === wire) ?? [];
  const known = field?.parts.fields?.[name];
  return known !== undefined && check(known, text).length > 0 ? Number(text) : text;
}

/** Returns the exchange with one call, on a platform of its own. */
async function exampleOf(endpoint: Endpoint): Promise<Example> {
  const { id, method, credentials } = endpoint;
  const platform = createMockPlatform({ observed: true, baseUrl: BASE_URL });
  const scene = await prepareScene(platform);
  const sample = (await SAMPLES[id]?.(scene)) ?? {};
  const { path = endpoint.path, query = {}, body } = sample;
  const response = await platform.fetch(`${BASE_URL}${path}?${new URLSearchParams(query)}`, {
    method,
    headers: {
      'x-client-key': platform.credentials.clientKey,
      ...(credentials.includes('accessToken') && {
        authorization: `Bearer ${platform.accessTokenFor(scene.ada)}`,
      }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${id}: ${response.status} ${text}`);
  const isJson = response.headers.get('content-type') === 'application/json';
  const shown: unknown = isJson ? JSON.parse(text) : text;
  const inQuery = Object.entries(query).map(([name, one]) => [
    name,
    queryValue(endpoint, name, one),
  ]);
  return {
    parameters: {
      ...matchPath(toPathPattern(endpoint.path), path),
      ...Object.fromEntries(inQuery),
    },
    body: (body ?? {}) as Json,
    response: shown,
    responses: new Map([[response.status, shown]]),
  };
}

/** Sends a sample of each call to the mock platform. */
export async function observedExamples(
  endpoints: readonly Endpoint[],
): Promise<ReadonlyMap<string, Example>> {
  const examples = await Promise.all(endpoints.map(exampleOf));
  return new Map(endpoints.map(({ id }, index) => [id, examples[index] as Example]));
}
