import type { Happening } from '../world/ledger.js';
import type { World } from '../world/world.js';

/** A rule that must hold at every moment. Returns the problem, if there is one. */
export type Invariant = {
  readonly name: string;
  /** The kinds of events that can break it. */
  readonly on: readonly Happening['kind'][];
  readonly check: (world: World, happening: Happening) => string | undefined;
};
