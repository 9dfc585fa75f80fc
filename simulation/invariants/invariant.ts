import type { Happening } from '../world/books.js';
import type { World } from '../world/world.js';

/** Something that must hold at every moment. Returns what is wrong, if anything is. */
export type Invariant = {
  readonly name: string;
  /** The happenings that can break it. */
  readonly on: readonly Happening['kind'][];
  readonly check: (world: World, happening: Happening) => string | undefined;
};
