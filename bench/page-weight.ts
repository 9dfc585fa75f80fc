import { gzipSync } from 'node:zlib';

/** One minified file that a bundler wrote for a page. */
export type PageFile = {
  name: string;
  code: string | Uint8Array;
  /** Files that are loaded together with this one. */
  imports: readonly string[];
};

/** The bytes of everything that the page loads: after gzip, and minified. */
export type PageWeight = { gzipped: number; minified: number };

/** Follows the imports of the entry. */
export function weigh(files: readonly PageFile[], entry: string): PageWeight {
  const loaded = new Map<string, PageFile>();
  const load = (name: string) => {
    const file = files.find((one) => one.name === name);
    if (file === undefined || loaded.has(name)) return;
    loaded.set(name, file);
    file.imports.forEach(load);
  };
  load(entry);
  const codes = [...loaded.values()].map(({ code }) => code);
  return {
    gzipped: codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).byteLength, 0),
    minified: codes.reduce((sum, code) => sum + Buffer.byteLength(code), 0),
  };
}
