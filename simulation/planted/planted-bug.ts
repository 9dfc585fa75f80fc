/** A bug that the simulation must find. */
export type PlantedBug = {
  readonly name: string;
  /** Each text must be in its file exactly once. */
  readonly changes: readonly {
    readonly file: string;
    readonly find: string;
    readonly replace: string;
  }[];
  /** The invariants that may find it. */
  readonly foundBy: readonly string[];
  /** The seeds that find a bug which few worlds show. Default: those of CI. */
  readonly seeds?: { readonly first: number; readonly count: number };
};
