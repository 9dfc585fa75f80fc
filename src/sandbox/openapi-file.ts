import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The file stands next to the build, and in the root of the repository. */
const PLACES = ['./openapi.json', '../../openapi.json'];

/** Returns the OpenAPI document of the platform's API, with the sandbox as its server. */
export function contractOpenApi(baseUrl: string): Record<string, unknown> {
  const files = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const file = files.find((one) => existsSync(one));
  if (file === undefined) throw new Error('openapi.json is missing');
  return { ...JSON.parse(readFileSync(file, 'utf8')), servers: [{ url: baseUrl }] };
}
