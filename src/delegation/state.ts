import { keccak_256 } from '@noble/hashes/sha3.js';
import { withoutUndefined } from '../contract/formats/without-undefined.js';

/**
 * The progress of a delegation as plain data that survives `JSON.stringify`. Every progress event
 * has one, and `resume` takes one.
 *
 * `resume` treats it as input: it checks every field as strictly as an option and rejects unknown
 * fields. The state contains the delegation token and the signed message, so keep it where only the
 * user's own page can read it (session storage, not a log). Printing it shows neither.
 */
export type DelegationState = {
  /** Version of this shape. */
  readonly version: 1;
  /** Kind of chain, `evm` or `solana`. */
  readonly kind: string;
  /** The requested delegation. A resumed flow must request exactly the same. */
  readonly request: Readonly<Record<string, string>>;
  /** Whether the gas faucet was asked. It is asked only once. */
  readonly faucetAsked: boolean;
  /** `true` while the coins of the faucet may still be on their way to the wallet. */
  readonly faucetExpected?: true;
  /**
   * The delegation token, the time of its request in milliseconds since 1970, and how many
   * milliseconds the service's clock was ahead of ours.
   */
  readonly token?: {
    readonly token: string;
    readonly nonce: string;
    readonly requestedAt: number;
    readonly clockOffset: number;
  };
  /** The signed message. */
  readonly message?: SignedMessage;
  /**
   * The approval. `requested`: the wallet was asked and has not responded. `sent`: it was sent to the
   * chain. `confirmed`: the chain executed it. `verified`: it matches the request.
   */
  readonly approval?: {
    readonly status: 'requested' | 'sent' | 'confirmed' | 'verified';
    readonly transactionId?: string;
  };
  /** Strings saved by the driver: a closed list of names for each kind of chain. */
  readonly notes: Readonly<Record<string, string>>;
  /**
   * `submitting`: submitted, response not known. Otherwise how the registration is known. A resumed
   * flow checks this with the service.
   */
  readonly proof?: 'submitting' | Registration;
  /**
   * Binds all fields together: `resume` refuses a state in which one of them was swapped for that of
   * another state. It has no key, so it does not prevent changes by somebody who computes it again.
   */
  readonly seal: string;
};

/**
 * How it is known that the service registered the wallet: it accepted the proof, it responded that
 * the wallet is already approved, or its list of external wallets contains the wallet.
 */
export type Registration = 'accepted' | 'already-approved' | 'found-in-wallets';

/** A message and the wallet's signature over it. */
export type SignedMessage = {
  readonly text: string;
  readonly signature: string;
  /** When the message expires by the service's clock, in milliseconds since 1970. */
  readonly expiresAt?: number;
};

type Unsealed = Omit<DelegationState, 'seal'>;
type Draft = { -readonly [Key in keyof Unsealed]: Unsealed[Key] };

/** A change of state; `undefined` removes a field. */
export type StatePatch = { [Key in keyof Draft]?: Draft[Key] | undefined };

/** The state before anything has happened. */
export function emptyState(kind: string, request: Record<string, string>): DelegationState {
  return sealed({ version: 1, kind, request: { ...request }, faucetAsked: false, notes: {} });
}

/** Returns a copy of the state with the change. */
export function updateState(state: DelegationState, patch: StatePatch): DelegationState {
  return sealed(withoutUndefined({ ...state, ...patch }) as Draft);
}

/** Completes a state, in which nothing but its seal may be missing. */
function sealed(draft: Draft): DelegationState {
  return frozen({ ...draft, seal: sealOf(draft) });
}

/** Freezes a state and its parts, because listeners get it and must not change it. */
function frozen(state: DelegationState): DelegationState {
  const inspect = () =>
    `DelegationState(${state.kind}, approval ${state.approval?.status ?? 'not asked'}, proof ${state.proof ?? 'not submitted'})`;
  Object.defineProperty(state, Symbol.for('nodejs.util.inspect.custom'), { value: inspect });
  for (const part of Object.values(state)) Object.freeze(part);
  return Object.freeze(state);
}

const stateOfError = new WeakMap<object, DelegationState>();

/** Attaches the state of the flow to the error that ended it. */
export function attachState(error: unknown, state: DelegationState): void {
  if (typeof error === 'object' && error !== null) stateOfError.set(error, state);
}

/**
 * Returns the state of the delegation that failed with this error, to pass as `resume`. `undefined`
 * for any other error, and for a flow that failed before its first step, for example because of an
 * invalid option.
 *
 * @example
 * ```ts
 * import { delegationStateOf } from 'card-platform-sdk/evm';
 *
 * function save(error: unknown): void {
 *   const state = delegationStateOf(error);
 *   if (state) sessionStorage.setItem('delegation', JSON.stringify(state));
 * }
 * ```
 */
export function delegationStateOf(error: unknown): DelegationState | undefined {
  return typeof error === 'object' && error !== null ? stateOfError.get(error) : undefined;
}

/** The parts of a state that are sealed one by one, so that a refusal can name the part. */
export const SEALED_PARTS = [
  'request',
  'faucetAsked',
  'faucetExpected',
  'token',
  'message',
  'approval',
  'notes',
  'proof',
] as const;

type Parts = { readonly [Part in (typeof SEALED_PARTS)[number]]?: unknown } & {
  readonly version: number;
  readonly kind: string;
};

/** Hex digits of the digest of one part, and of the whole. */
const PART_LENGTH = 16;
const WHOLE_LENGTH = 64;
const SEAL = /^[0-9a-f]{192}$/;

/** JSON with the fields in the order of their names. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  const sorted = fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}

function digest(text: string, length: number): string {
  const bytes = keccak_256(new TextEncoder().encode(text));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.slice(0, length);
}

/** Digests of the parts that are objects. They are frozen, and most of them stay the same in an update. */
const digests = new WeakMap<object, string>();

function digestOfPart(part: string, value: unknown): string {
  const known = digests.get(Object(value));
  if (known !== undefined) return known;
  const found = digest(`${part} ${canonical(value)}`, PART_LENGTH);
  if (typeof value === 'object' && value !== null) digests.set(value, found);
  return found;
}

/**
 * Returns the seal of a state: a digest of everything in it, after one of each part. It binds the parts
 * together: a token to its nonce, the message to the token, the transaction to the request.
 *
 * It has no key. It reveals fields that were swapped, mixed or damaged, but not a change by somebody who
 * computes it again: the flow still checks everything that can be checked without it.
 */
function sealOf(state: Parts): string {
  const { version, kind } = state;
  const parts = SEALED_PARTS.map((part) => digestOfPart(part, state[part]));
  const whole = canonical({ version, kind, parts: parts.join('') });
  return `${parts.join('')}${digest(whole, WHOLE_LENGTH)}`;
}

/**
 * The parts of a state that its seal does not fit; `['seal']` where every part fits a seal that is not
 * the seal of the whole. Empty when the state is as it was saved.
 *
 * @param seal - as it was saved
 */
export function brokenParts(state: Parts, seal: unknown): readonly string[] {
  const expected = sealOf(state);
  if (seal === expected) return [];
  if (typeof seal !== 'string' || !SEAL.test(seal)) return ['seal'];
  const isBroken = (_: string, index: number) => {
    const [from, to] = [index * PART_LENGTH, (index + 1) * PART_LENGTH];
    return seal.slice(from, to) !== expected.slice(from, to);
  };
  const broken = SEALED_PARTS.filter(isBroken);
  return broken.length > 0 ? broken : ['seal'];
}
