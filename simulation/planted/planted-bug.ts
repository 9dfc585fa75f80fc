/** A bug that the simulation must find. */
export type PlantedBug = {
  readonly name: string;
  /** What behaves differently. */
  readonly changes: readonly {
    readonly file: string;
    /**
     * The function, method (`Class.method`, `factory.method`) or constant, by its name: it stays the
     * same when its code is edited.
     */
    readonly declaration: string;
    /**
     * Code of a function that receives the original, and returns what takes its place. In a method,
     * `this` is the object.
     */
    readonly becomes: string;
  }[];
  /** The invariants that may find it. */
  readonly foundBy: readonly string[];
  /** The actors that meet it. Default: those of every world. */
  readonly actors?: readonly string[];
};

/**
 * What may find a wrong denial: it removes the entry of a request too, which a crash then shows, and lets a
 * refresh token be sent again.
 */
export const DENIAL = ['denial-is-true', 'crash-leaves-entry', 'refresh-token-once'] as const;
