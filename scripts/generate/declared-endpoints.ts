import { readdirSync, readFileSync } from 'node:fs';
import type { Endpoint } from '../../src/contract/endpoint.js';

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
