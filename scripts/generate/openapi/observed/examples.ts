import { createMockPlatform } from '../../../../src/testing/index.js';
import type { Json } from '../json-schema.js';
import { prepareScene, SAMPLES, type Sample } from './samples.js';

const BASE_URL = 'https://api.example.com';

/** A request to an observed call, and the response of the mock platform. */
export type ObservedExample = Sample & { response: unknown };

/** A call as the description of the observed calls has it. */
export type Line = { id: string; method: string; path: string; auth: readonly string[] };

/** Returns the exchange with one call, on a platform of its own. */
export async function observedExample(line: Line): Promise<ObservedExample> {
  const platform = createMockPlatform({ observed: true, baseUrl: BASE_URL });
  const scene = await prepareScene(platform);
  const sample = (await SAMPLES[line.id]?.(scene)) ?? {};
  const { path = line.path, query = {}, body } = sample;
  const response = await platform.fetch(`${BASE_URL}${path}?${new URLSearchParams(query)}`, {
    method: line.method,
    headers: {
      'x-client-key': platform.credentials.clientKey,
      ...(line.auth.some((name) => /bearer/i.test(name)) && {
        authorization: `Bearer ${platform.accessTokenFor(scene.ada)}`,
      }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${line.id}: ${response.status} ${text}`);
  const isJson = response.headers.get('content-type') === 'application/json';
  return { ...sample, response: isJson ? (JSON.parse(text) as Json) : text };
}
