import { StateMismatchError } from './flow-errors.js';

/**
 * How far a delegation has come: plain data that survives `JSON.stringify`, handed back with every
 * progress event and taken as `resume`.
 *
 * It holds the delegation token and the signed message, so keep it where only the user's own page
 * reads it (session storage, not a log). Printing it shows neither.
 */
export type DelegationState = {
  /** Version of this shape. */
  readonly version: 1;
  /** Kind of chain, `evm` or `solana`. */
  readonly kind: string;
  /** What is being delegated. A resumed flow has to ask for exactly the same. */
  readonly request: Readonly<Record<string, string>>;
  /** Whether the gas faucet was asked. It is asked once, ever. */
  readonly faucetAsked: boolean;
  /**
   * The delegation token, when it was asked for in milliseconds since 1970, and how many
   * milliseconds the service's clock was ahead of ours.
   */
  readonly token?: {
    readonly token: string;
    readonly nonce: string;
    readonly requestedAt: number;
    readonly clockOffset: number;
  };
  /** The signed message, and when it runs out by the service's clock, if it does. */
  readonly message?: SignedMessage;
  /**
   * The approval. `requested`: the wallet was asked and has not answered. `sent`: the chain has
   * it. `confirmed`: the chain executed it. `verified`: it is the one that was asked for.
   */
  readonly approval?: {
    readonly status: 'requested' | 'sent' | 'confirmed' | 'verified';
    readonly transactionId?: string;
  };
  /** What the chain's own code wants to remember. */
  readonly notes: Readonly<Record<string, string>>;
  /** `submitting`: posted, answer not known. Otherwise how the registration was established. */
  readonly proof?: 'submitting' | Registration;
};

/**
 * How it is known that the service registered the wallet: it said so, it said that the wallet was
 * approved already, or its list of external wallets shows it.
 */
export type Registration = 'accepted' | 'already-approved' | 'found-in-wallets';

/** A message and the wallet's signature over it. */
export type SignedMessage = {
  readonly text: string;
  readonly signature: string;
  readonly expiresAt?: number;
};

type Draft = { -readonly [Key in keyof DelegationState]: DelegationState[Key] };

/** A change of state: `undefined` removes what was there. */
export type StatePatch = { [Key in keyof Draft]?: Draft[Key] | undefined };

/** The state before anything has happened. */
export function emptyState(kind: string, request: Record<string, string>): DelegationState {
  return sealed({ version: 1, kind, request, faucetAsked: false, notes: {} });
}

/** A new state with the change made. */
export function patched(state: DelegationState, patch: StatePatch): DelegationState {
  const entries = Object.entries({ ...state, ...patch }).filter(([, value]) => value !== undefined);
  return sealed(Object.fromEntries(entries) as DelegationState);
}

/**
 * A saved state, checked for its shape and that it belongs to this request.
 *
 * @throws StateMismatchError naming what differs.
 */
export function openState(
  saved: unknown,
  kind: string,
  request: Record<string, string>,
): DelegationState {
  if (!isState(saved)) throw new StateMismatchError(['version']);
  if (saved.kind !== kind) throw new StateMismatchError(['kind']);
  const names = new Set([...Object.keys(request), ...Object.keys(saved.request)]);
  const different = [...names].filter((name) => saved.request[name] !== request[name]);
  if (different.length > 0) throw new StateMismatchError(different);
  const { version, faucetAsked, token, message, approval, notes, proof } = saved;
  return patched(emptyState(kind, request), {
    ...{ version, faucetAsked, token, message, approval, notes, proof },
  });
}

function isState(value: unknown): value is DelegationState {
  if (!isRecord(value) || value['version'] !== 1) return false;
  const { request, notes, token, message, approval, proof } = value;
  return (
    typeof value['faucetAsked'] === 'boolean' &&
    hasOnly(request, 'string') &&
    hasOnly(notes, 'string') &&
    (token === undefined ||
      has(token, {
        ...{ token: 'string', nonce: 'string' },
        ...{ requestedAt: 'number', clockOffset: 'number' },
      })) &&
    (message === undefined || has(message, { text: 'string', signature: 'string' })) &&
    (approval === undefined || isApproval(approval)) &&
    (proof === undefined || typeof proof === 'string')
  );
}

function isApproval(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { status, transactionId } = value;
  if (status === 'requested') return true;
  return (
    typeof transactionId === 'string' &&
    (status === 'sent' || status === 'confirmed' || status === 'verified')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function has(value: unknown, shape: Record<string, string>): boolean {
  return (
    isRecord(value) && Object.entries(shape).every(([key, type]) => typeof value[key] === type)
  );
}

function hasOnly(value: unknown, type: string): boolean {
  return isRecord(value) && Object.values(value).every((item) => typeof item === type);
}

function sealed(state: DelegationState): DelegationState {
  const inspect = () =>
    `DelegationState(${state.kind}, approval ${state.approval?.status ?? 'not asked'}, proof ${state.proof ?? 'not submitted'})`;
  Object.defineProperty(state, Symbol.for('nodejs.util.inspect.custom'), { value: inspect });
  return Object.freeze(state);
}
