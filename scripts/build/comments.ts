import { transformSync } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

/** Comments on lines of their own, except for the annotations that bundlers read. */
const COMMENTS = /^ *(?:\/\*\*(?:(?!@__NO_SIDE_EFFECTS__)[\s\S])*?\*\/|\/\/ src\/.*)\n/gm;

/**
 * Shortens names. Only for `core.js`, whose names are those of declarations, which no stack trace
 * shows.
 */
const withShortNames = (code: string) =>
  transformSync(code, { minifyIdentifiers: true, format: 'esm', target: 'es2022' }).code;

const withoutSpace = (code: string) => transformSync(code, { minifyWhitespace: true }).code;

/** Removes comments and indentation, and long names of `core.js`, from a file that keeps its annotations for bundlers. */
export function withoutComments(): Plugin {
  return {
    name: 'without-comments',
    renderChunk(code, { path }) {
      if (!path.endsWith('.js')) return undefined;
      const named = path.endsWith('core.js') ? withShortNames(code) : code;
      const shorter = named.replace(COMMENTS, '').replace(/^ +/gm, '');
      // Text over several lines may look like a comment or an indentation.
      if (withoutSpace(shorter) !== withoutSpace(named)) throw new Error(`${path} has changed`);
      return { code: shorter };
    },
  };
}
