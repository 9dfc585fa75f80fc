import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Part = Readonly<Record<string, unknown>>;
type Json = Record<string, unknown>;
/** The parts of an OpenAPI document that another one adds to. */
type OpenApiDocument = Json & {
  tags: readonly { name: string }[];
  paths: Readonly<Record<string, Part>>;
  components: Readonly<Record<string, Part>>;
};

/** In the package, the files are next to the build. In the repository, they are in its root. */
const PLACES = ['./', '../../'];

function read(name: string, baseUrl: string): OpenApiDocument {
  const files = PLACES.map((place) => fileURLToPath(new URL(`${place}${name}`, import.meta.url)));
  const file = files.find((one) => existsSync(one));
  if (file === undefined) throw new Error(`${name} is missing from the package. Install it again.`);
  return { ...JSON.parse(readFileSync(file, 'utf8')), servers: [{ url: baseUrl }] };
}

/** Returns the OpenAPI document of the platform's API, with the sandbox as its server. */
export const contractOpenApi = (baseUrl: string): Json => read('openapi.json', baseUrl);

/** Returns the OpenAPI document of the observed calls, with the sandbox as its server. */
export const observedOpenApi = (baseUrl: string): Json => read('openapi-observed.json', baseUrl);

/** Returns both documents as one, for a page. */
export function completeOpenApi(baseUrl: string): Json {
  const contract = read('openapi.json', baseUrl);
  const observed = read('openapi-observed.json', baseUrl);
  const known = contract.tags.map(({ name }) => name);
  const paths = Object.entries(observed.paths).map(([path, methods]) => {
    return [path, { ...contract.paths[path], ...methods }];
  });
  // Both have the same kinds of components, but not the same ones: only the observed calls have
  // `Status401`.
  const components = Object.entries(observed.components).map(([kind, parts]) => {
    return [kind, { ...contract.components[kind], ...parts }];
  });
  return {
    ...contract,
    tags: [...contract.tags, ...observed.tags.filter(({ name }) => !known.includes(name))],
    paths: { ...contract.paths, ...Object.fromEntries(paths) },
    components: Object.fromEntries(components),
  };
}
