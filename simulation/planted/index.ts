import { APPLICATION_BUGS } from './applications.js';
import { CHAIN_BUGS } from './chains.js';
import { JOURNAL_BUGS } from './journal.js';
import type { PlantedBug } from './planted-bug.js';
import { TRANSPORT_BUGS } from './transport.js';
import { USEFULNESS_BUGS } from './usefulness.js';
import { WORLD_BUGS } from './worlds.js';

/** Every planted bug. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...TRANSPORT_BUGS,
  ...JOURNAL_BUGS,
  ...APPLICATION_BUGS,
  ...CHAIN_BUGS,
  ...USEFULNESS_BUGS,
  ...WORLD_BUGS,
];
