import { gzipSync } from 'node:zlib';

/** One minified file that a bundler wrote for a page. */
export type PageFile = {
  name: string;
  code: string | Uint8Array;
  /** Files that are loaded together with this one. */
  imports: readonly string[];
};

/** Bytes after gzip that the page loads at once and with the first call. */
export type PageWeight = { atLoad: number; onCall: number; minified: number };

/** Follows the static imports of the entry. All other files are loaded with a call. */
export function weigh(files: readonly PageFile[], entry: string): PageWeight {
  const loaded = new Set<string>();
  const load = (name: string) => {
    const file = files.find((one) => one.name === name);
    if (file === undefined || loaded.has(name)) return;
    loaded.add(name);
    file.imports.forEach(load);
  };
  load(entry);
  const gzipped = (isLoaded: boolean) =>
    files
      .filter(({ name }) => loaded.has(name) === isLoaded)
      .reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).byteLength, 0);
  const minified = files.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
  return { atLoad: gzipped(true), onCall: gzipped(false), minified };
}
