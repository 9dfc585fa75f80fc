import { transformSync } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

/** Comments on lines of their own, but for the annotations that bundlers read. */
const COMMENTS = /^ *(?:\/\*\*(?:(?!@__NO_SIDE_EFFECTS__)[\s\S])*?\*\/|\/\/ src\/.*)\n/gm;

const withoutSpace = (code: string) => transformSync(code, { minifyWhitespace: true }).code;

/** Removes comments and indentation from a file that keeps its annotations for bundlers. */
export function withoutComments(): Plugin {
  return {
    name: 'without-comments',
    renderChunk(code, { path }) {
      if (!path.endsWith('.js')) return undefined;
      const shorter = code.replace(COMMENTS, '').replace(/^ +/gm, '');
      // Text over several lines may look like a comment or an indentation.
      if (withoutSpace(shorter) !== withoutSpace(code)) throw new Error(`${path} has changed`);
      return { code: shorter };
    },
  };
}
