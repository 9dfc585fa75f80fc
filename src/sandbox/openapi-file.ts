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

/** Returns a document whose components have other names than those of another document. */
function withOwnNames(
  document: OpenApiDocument,
  { components: taken }: OpenApiDocument,
): OpenApiDocument {
  // Operations name a credential without a reference, and both documents have the same ones.
  const { securitySchemes = {}, ...components } = document.components;
  let text = JSON.stringify({ ...document, components });
  for (const [kind, parts] of Object.entries(components)) {
    for (const name of Object.keys(parts).filter((one) => Object.hasOwn(taken[kind] ?? {}, one))) {
      const reference = (one: string) => JSON.stringify(`#/components/${kind}/${one}`);
      text = text.replaceAll(reference(name), reference(`Observed${name}`));
    }
  }
  const renamed: OpenApiDocument = JSON.parse(text);
  const named = Object.entries(renamed.components).map(([kind, parts]) => {
    const entries = Object.entries(parts).map(([name, part]) => {
      return [Object.hasOwn(taken[kind] ?? {}, name) ? `Observed${name}` : name, part];
    });
    return [kind, Object.fromEntries(entries)] as const;
  });
  return { ...renamed, components: { securitySchemes, ...Object.fromEntries(named) } };
}

/** Returns both documents as one, for a page. */
export function completeOpenApi(baseUrl: string): Json {
  const contract = read('openapi.json', baseUrl);
  const observed = withOwnNames(read('openapi-observed.json', baseUrl), contract);
  const known = contract.tags.map(({ name }) => name);
  const paths = Object.entries(observed.paths).map(([path, methods]) => {
    return [path, { ...contract.paths[path], ...methods }];
  });
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
