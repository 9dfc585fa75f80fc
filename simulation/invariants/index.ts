import type { Happening } from '../world/books.js';
import { approvalOnce, eventsHandled } from './claims.js';
import type { Invariant } from './invariant.js';
import { entryBeforeRequest, entryWhileUnknown } from './journal.js';
import {
  denialIsTrue,
  movesOnce,
  reconcileIsTrue,
  sentOnce,
  successIsReported,
  successIsTrue,
} from './money.js';
import { noSecretShown } from './secrets.js';
import { abortEnds, endsInTime, noListenerLeft, nothingOpen } from './time.js';
import { regionOfUser, tokenIsFresh, tokenOfUser } from './users.js';

/** All invariants, which must hold after every step. */
export const INVARIANTS: readonly Invariant[] = [
  movesOnce,
  sentOnce,
  denialIsTrue,
  successIsTrue,
  successIsReported,
  reconcileIsTrue,
  entryBeforeRequest,
  entryWhileUnknown,
  tokenOfUser,
  regionOfUser,
  tokenIsFresh,
  noSecretShown,
  approvalOnce,
  eventsHandled,
  endsInTime,
  abortEnds,
  noListenerLeft,
  nothingOpen,
];

const KINDS = new Map<string, readonly Invariant[]>();

/** The invariants that an event of this kind can break. */
export function invariantsOn(kind: Happening['kind']): readonly Invariant[] {
  const known = KINDS.get(kind) ?? INVARIANTS.filter(({ on }) => on.includes(kind));
  KINDS.set(kind, known);
  return known;
}
