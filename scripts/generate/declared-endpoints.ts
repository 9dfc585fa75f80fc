import { readdirSync, readFileSync } from 'node:fs';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { RETRY_CLASSES } from '../../src/contract/retry-policy.js';

const CONTRACT = new URL('../../src/contract/', import.meta.url);
const OBSERVED = new URL('observed/', CONTRACT);

/** An endpoint as its file in src/contract declares it. */
export type DeclaredEndpoint = {
  /** Name of the constant: `freezeCard`. */
  constant: string;
  /** Name of the file without its ending: `card`. */
  file: string;
  endpoint: Endpoint;
};

/** The source of a file of src/contract. */
export function contractSource(file: string): string {
  return readFileSync(new URL(`${file}.ts`, CONTRACT), 'utf8');
}

async function declaredIn(
  folder: URL,
  file: string,
  declaration: RegExp,
): Promise<DeclaredEndpoint[]> {
  const source = readFileSync(new URL(`${file}.ts`, folder), 'utf8');
  const declarations = source.matchAll(declaration);
  const constants = [...declarations].map(([, constant = '']) => constant);
  if (constants.length === 0) return [];
  const module: Record<string, Endpoint> = await import(new URL(`${file}.ts`, folder).href);
  return constants.flatMap((constant) => {
    const endpoint = module[constant];
    return endpoint === undefined ? [] : [{ constant, file, endpoint }];
  });
}

const namespaceOf = ({ endpoint: { id } }: DeclaredEndpoint) => id.slice(0, id.lastIndexOf('.'));

async function declaredInAll(folder: URL, declaration: RegExp): Promise<DeclaredEndpoint[]> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const names = files.map((name) => name.slice(0, -3));
  const declared = await Promise.all(names.map((file) => declaredIn(folder, file, declaration)));
  return declared.flat().sort((one, other) => {
    const [namespace, otherNamespace] = [namespaceOf(one), namespaceOf(other)];
    return namespace < otherNamespace ? -1 : Number(namespace > otherNamespace);
  });
}

/**
 * Finds every endpoint that a file of src/contract declares, sorted by namespace. Reads the
 * declarations themselves and not the generated registry, which may be out of date.
 */
export function declaredEndpoints(): Promise<readonly DeclaredEndpoint[]> {
  return declaredInAll(CONTRACT, /^export const (\w+) = defineEndpoint</gm);
}

/** Finds every observed call that a file of src/contract/observed declares, sorted by namespace. */
export function declaredObserved(): Promise<readonly DeclaredEndpoint[]> {
  return declaredInAll(OBSERVED, /^export const (\w+) = defineEndpoint\(/gm);
}

/** Returns what a declaration lacks or contradicts; `undefined` if nothing. */
function problemOf({ endpoint }: DeclaredEndpoint): string | undefined {
  const {
    businessErrors,
    retry,
    retryWhen,
    retryResolutions = [],
    reconcile,
    isRecorded,
    certainty,
  } = endpoint;
  if (endpoint.isOutsideContract === true && certainty === undefined) return 'it has no certainty';
  for (const { code, status, messages } of businessErrors) {
    if (!/^[a-z]+(?:_[a-z]+)+$/.test(code)) return `the code ${code} is not in snake case`;
    if (!(status >= 400 && status <= 599)) return `the refusal ${code} has no error status`;
    const isPlain = messages.every((text) => text !== '' && text === text.toLowerCase().trim());
    if (messages.length === 0 || !isPlain)
      return `the refusal ${code} has no message in lower case`;
  }
  // A code that is none of its refusals has no status.
  if (retryResolutions.some(({ status }) => !(status >= 400 && status <= 599))) {
    return 'resultWhenRetried has a key that is neither an error status nor a code of businessErrors';
  }
  for (const policy of [retry, ...(retryWhen ? [retryWhen.retry] : [])]) {
    if (!RETRY_CLASSES.includes(policy.class)) return `${policy.class} is not a retry class`;
    const isDeclared = reconcile !== undefined || isRecorded === false || certainty !== undefined;
    if (policy.class === 'never' && !isDeclared) {
      return 'it is of class never, but declares neither reconcile nor isRecorded: false';
    }
  }
  return undefined;
}

/**
 * Checks what types cannot hold, because the generator runs before anything is compiled.
 *
 * @throws Error that names the endpoint
 */
export function requireKnownFacts(declared: readonly DeclaredEndpoint[]): void {
  const ids = new Set<string>();
  for (const one of declared) {
    const { id } = one.endpoint;
    const problem = ids.has(id) ? 'its id exists twice' : problemOf(one);
    if (problem !== undefined) throw new Error(`${id}: ${problem}`);
    ids.add(id);
  }
}
