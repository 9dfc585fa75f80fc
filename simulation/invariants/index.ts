import type { Happening } from '../world/ledger.js';
import type { Judge } from '../world/world.js';
import { approvalOnce, eventsHandled, proofIsVerified } from './claims.js';
import type { Invariant } from './invariant.js';
import {
  crashLeavesEntry,
  entryBeforeRequest,
  entryWhileUnknown,
  oneHandlerAtATime,
} from './journal.js';
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
import { readSucceeds, refusalIsRejected } from './useful.js';
import { refreshTokenOnce, regionOfUser, tokenIsFresh, tokenOfUser } from './users.js';

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
  crashLeavesEntry,
  oneHandlerAtATime,
  tokenOfUser,
  regionOfUser,
  tokenIsFresh,
  refreshTokenOnce,
  noSecretShown,
  approvalOnce,
  proofIsVerified,
  eventsHandled,
  endsInTime,
  abortEnds,
  noListenerLeft,
  nothingOpen,
  readSucceeds,
  refusalIsRejected,
];

const KINDS = new Map<string, readonly Invariant[]>();

/** The invariants that an event of this kind can break. */
function invariantsOn(kind: Happening['kind']): readonly Invariant[] {
  const known = KINDS.get(kind) ?? INVARIANTS.filter(({ on }) => on.includes(kind));
  KINDS.set(kind, known);
  return known;
}

/** Checks the invariants that an event can break. */
export const judge: Judge = (world, happening) =>
  invariantsOn(happening.kind).flatMap(({ name, check }) => {
    const problem = check(world, happening);
    return problem === undefined ? [] : [{ invariant: name, problem }];
  });
