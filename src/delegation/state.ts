import { sealOf } from './seal.js';

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
  /** The signed message, and when it expires by the service's clock. */
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
  const entries = Object.entries({ ...state, ...patch }).filter(([, value]) => value !== undefined);
  return sealed(Object.fromEntries(entries) as Draft);
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
