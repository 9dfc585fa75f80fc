import { readdirSync, readFileSync } from 'node:fs';
import type { Endpoint } from '../../src/contract/endpoint.js';

const CONTRACT = new URL('../../src/contract/', import.meta.url);

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

async function declaredIn(file: string): Promise<DeclaredEndpoint[]> {
  const declarations = contractSource(file).matchAll(/^export const (\w+) = defineEndpoint</gm);
  const constants = [...declarations].map(([, constant = '']) => constant);
  if (constants.length === 0) return [];
  const module: Record<string, Endpoint> = await import(new URL(`${file}.ts`, CONTRACT).href);
  return constants.flatMap((constant) => {
    const endpoint = module[constant];
    return endpoint === undefined ? [] : [{ constant, file, endpoint }];
  });
}

const namespaceOf = ({ endpoint: { id } }: DeclaredEndpoint) => id.slice(0, id.lastIndexOf('.'));

/**
 * Finds every endpoint that a file of src/contract declares, sorted by namespace. Reads the
 * declarations themselves and not the generated registry, which may be out of date.
 */
export async function declaredEndpoints(): Promise<readonly DeclaredEndpoint[]> {
  const files = readdirSync(CONTRACT)
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const declared = await Promise.all(files.map((name) => declaredIn(name.slice(0, -3))));
  return declared.flat().sort((one, other) => {
    const [namespace, otherNamespace] = [namespaceOf(one), namespaceOf(other)];
    return namespace < otherNamespace ? -1 : Number(namespace > otherNamespace);
  });
}
