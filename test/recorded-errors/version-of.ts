import { readFileSync } from 'node:fs';

/** The version of an installed package. Not all of them export their package.json. */
export function versionOf(name: string): string {
  const url = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(url, 'utf8')) as { version: string }).version;
}
