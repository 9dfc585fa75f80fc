/** Stands in for `node:vm` in the runner of the tests: a page has `eval`. */
export class Script {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  runInThisContext(): unknown {
    // biome-ignore lint/security/noGlobalEval: it runs the code that the reader has written
    // biome-ignore lint/complexity/noCommaOperator: the code must not see the names of this file
    return (0, eval)(this.#source);
  }
}
