import { readFileSync } from 'node:fs';

/** One file of public test vectors with its licence lines. */
export type VectorFile<T> = { licence: string; source: string; vectors: T[] };

export function vectors<T>(name: string): T[] {
  const url = new URL(`../../fixtures/vectors/${name}.json`, import.meta.url);
  const file = JSON.parse(readFileSync(url, 'utf8')) as VectorFile<T>;
  if (!file.licence || !file.source) throw new Error(`${name}.json has no licence lines`);
  return file.vectors;
}
