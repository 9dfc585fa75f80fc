import { isTime } from './check-values.js';
import { isClockOffset, isIssuedToken } from './delegation-token.js';
import { StateMismatchError } from './flow-errors.js';
import {
  brokenParts,
  type DelegationState,
  emptyState,
  type Registration,
  SEALED_PARTS,
  type SignedMessage,
  updateState,
} from './state.js';

/** Names that an error message may contain. Other names may be any text, because the state is input. */
const PLAIN_NAME = /^[A-Za-z]\w{0,31}$/;
const MAX_TEXT_LENGTH = 20_000;

/** The values of an object's own fields, without a prototype. */
type OwnFields = { readonly [name: string]: unknown };

/** Throws for an invalid field of a saved state. */
export function refuseState(path: string): never {
  throw new StateMismatchError([path]);
}

/**
 * Copies the own fields of an object and reads each of them once, so a getter cannot return one
 * value to the check and another to the flow. Inherited fields are ignored. A field whose value is
 * `undefined` counts as absent.
 *
 * @param path where the object is in the state; empty for the state itself
 * @param known the fields that the object may have. Default any.
 * @throws StateMismatchError for anything that is not an object, and for an unknown field
 */
function readOwnFields(value: unknown, path: string, known?: readonly string[]): OwnFields {
  if (typeof value !== 'object' || value === null) return refuseState(path || 'resume');
  const fields: Record<string, unknown> = Object.create(null);
  for (const name of namesOf(value, path)) {
    if (known?.includes(name) === false) return refuseState(fieldPath(path, name));
    const found = readOnce(value, name, path);
    if (found !== undefined) fields[name] = found;
  }
  return fields;
}

/** Requires a string. The flow saves none longer than `MAX_TEXT_LENGTH`. */
function requireText(value: unknown, path: string): string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH ? value : refuseState(path);
}

/** The path of a field, without a name that may not be shown. */
export function fieldPath(path: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return path || 'resume';
  return path === '' ? name : `${path}.${name}`;
}

function namesOf(value: object, path: string): string[] {
  try {
    if (!Array.isArray(value)) {
      return Reflect.ownKeys(value).filter((name) => typeof name === 'string');
    }
  } catch {
    // A revoked proxy, or one whose traps throw.
  }
  return refuseState(path || 'resume');
}

function readOnce(value: object, name: string, path: string): unknown {
  try {
    return Reflect.get(value, name);
  } catch {
    return refuseState(fieldPath(path, name));
  }
}

/** The rules for the chain-specific fields of a saved state. */
export type SavedStateRules = {
  /** Kind of chain: `evm`, `solana`. */
  readonly kind: string;
  /** Whether a text has the form of a transaction id. */
  isTransactionId(text: string): boolean;
  /** Whether a text has the form of a signature over a message. */
  isSignature(text: string): boolean;
  /** Every note that the driver writes, with a check of its text. */
  readonly notes: Readonly<Record<string, (text: string) => boolean>>;
  /** Returns the name of a note that contradicts another part of the state. */
  conflictingNote?(state: DelegationState): string | undefined;
};

type Token = NonNullable<DelegationState['token']>;
type Approval = NonNullable<DelegationState['approval']>;

const STATE_FIELDS: readonly string[] = ['version', 'kind', ...SEALED_PARTS, 'seal'];
const REGISTRATIONS: readonly unknown[] = [
  'accepted',
  'already-approved',
  'found-in-wallets',
] satisfies Registration[];

/**
 * Parses a saved state as untrusted input: reads each field once, checks it, rejects unknown fields, and
 * checks that the fields belong together. The result shares no object with the input.
 *
 * @throws StateMismatchError naming the first field that breaks its rule
 */
export function readState(saved: unknown, rules: SavedStateRules): DelegationState {
  const fields = readOwnFields(saved, '', STATE_FIELDS);
  if (fields['version'] !== 1) refuseState('version');
  if (fields['kind'] !== rules.kind) refuseState('kind');
  const { faucetAsked } = fields;
  const request = readTexts(fields['request'], 'request');
  const state = updateState(emptyState(rules.kind, request), {
    faucetAsked: typeof faucetAsked === 'boolean' ? faucetAsked : refuseState('faucetAsked'),
    faucetExpected: optional(fields, 'faucetExpected', (value) =>
      value === true && faucetAsked === true ? value : refuseState('faucetExpected'),
    ),
    token: optional(fields, 'token', readToken),
    message: optional(fields, 'message', (value) => readMessage(value, rules)),
    approval: optional(fields, 'approval', (value) => readApproval(value, rules)),
    notes: readNotes(fields['notes'], rules),
    proof: optional(fields, 'proof', readProof),
  });
  requireConsistency(state, rules);
  const broken = brokenParts(state, fields['seal']);
  if (broken.length > 0) throw new StateMismatchError(broken);
  return state;
}

/** Whether a state claims that the service registered the wallet. The claim proves nothing. */
export function isRegistration(proof: unknown): proof is Registration {
  return REGISTRATIONS.includes(proof);
}

function optional<T>(fields: OwnFields, name: string, read: (value: unknown) => T): T | undefined {
  return fields[name] === undefined ? undefined : read(fields[name]);
}

/** Parses an object whose values are all strings. */
function readTexts(value: unknown, path: string): Record<string, string> {
  const entries = Object.entries(readOwnFields(value, path));
  return Object.fromEntries(entries.map(([name, text]) => [name, requireText(text, path)]));
}

function readToken(value: unknown): Token {
  const names = ['token', 'nonce', 'requestedAt', 'clockOffset'];
  const { token, nonce, requestedAt, clockOffset } = readOwnFields(value, 'token', names);
  const issued = {
    token: requireText(token, 'token.token'),
    nonce: requireText(nonce, 'token.nonce'),
  };
  if (!isIssuedToken(issued.token)) refuseState('token.token');
  if (!isTime(requestedAt)) return refuseState('token.requestedAt');
  // The service's clock showed a valid time too when the token was requested.
  if (!isClockOffset(clockOffset) || !isTime(requestedAt + clockOffset)) {
    return refuseState('token.clockOffset');
  }
  return { ...issued, requestedAt, clockOffset };
}

function readMessage(value: unknown, rules: SavedStateRules): SignedMessage {
  const fields = readOwnFields(value, 'message', ['text', 'signature', 'expiresAt']);
  const text = requireText(fields['text'], 'message.text');
  const signature = requireText(fields['signature'], 'message.signature');
  const { expiresAt } = fields;
  if (!rules.isSignature(signature)) refuseState('message.signature');
  if (expiresAt === undefined) return { text, signature };
  return isTime(expiresAt) ? { text, signature, expiresAt } : refuseState('message.expiresAt');
}

function readApproval(value: unknown, rules: SavedStateRules): Approval {
  const { status, transactionId } = readOwnFields(value, 'approval', ['status', 'transactionId']);
  if (status === 'requested') {
    return transactionId === undefined ? { status } : refuseState('approval.transactionId');
  }
  if (status !== 'sent' && status !== 'confirmed' && status !== 'verified') {
    return refuseState('approval.status');
  }
  const id = requireText(transactionId, 'approval.transactionId');
  return rules.isTransactionId(id)
    ? { status, transactionId: id }
    : refuseState('approval.transactionId');
}

function readNotes(value: unknown, { notes }: SavedStateRules): Record<string, string> {
  const fields = readOwnFields(value, 'notes', Object.keys(notes));
  return Object.fromEntries(
    Object.entries(fields).map(([name, note]) => {
      const text = requireText(note, fieldPath('notes', name));
      return notes[name]?.(text) ? [name, text] : refuseState(fieldPath('notes', name));
    }),
  );
}

function readProof(value: unknown): NonNullable<DelegationState['proof']> {
  return value === 'submitting' || isRegistration(value) ? value : refuseState('proof');
}

/** Checks fields against each other: the flow verifies an approval before it registers the wallet. */
function requireConsistency(state: DelegationState, rules: SavedStateRules): void {
  const { proof, approval } = state;
  if (isRegistration(proof) && approval?.status !== 'verified') refuseState('approval');
  const note = rules.conflictingNote?.(state);
  if (note !== undefined) refuseState(fieldPath('notes', note));
}
