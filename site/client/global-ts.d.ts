import type * as typescript from 'typescript';

declare global {
  /** Provided by `assets/typescript.js`. */
  var ts: typeof typescript;
}
