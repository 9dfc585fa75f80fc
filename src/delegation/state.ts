/**
 * How far a delegation has come: plain data that survives `JSON.stringify`, handed back with every
 * progress event and taken as `resume`.
 *
 * It is input when it comes back: `resume` checks every field as strictly as an option, and refuses
 * a state with a field that it does not know. It holds the delegation token and the signed message, so keep it where only the user's own page
 * reads it (session storage, not a log). Printing it shows neither.
 */
export type DelegationState = {
  /** Version of this shape. */
  readonly version: 1;
  /** Kind of chain, `evm` or `solana`. */
  readonly kind: string;
  /** What is being delegated. A resumed flow must ask for exactly the same. */
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
  /** Texts that the chain's own code remembers: a closed list of names for each kind of chain. */
  readonly notes: Readonly<Record<string, string>>;
  /**
   * `submitting`: posted, response not known. Otherwise how the registration was established. A
   * resumed flow takes it for a claim and asks the service.
   */
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
  return frozen({ version: 1, kind, request: { ...request }, faucetAsked: false, notes: {} });
}

/** A new state with the change made. */
export function updateState(state: DelegationState, patch: StatePatch): DelegationState {
  const entries = Object.entries({ ...state, ...patch }).filter(([, value]) => value !== undefined);
  return frozen(Object.fromEntries(entries) as DelegationState);
}

/** Freezes a state and its parts: it goes to listeners, and nobody else may change it. */
function frozen(state: DelegationState): DelegationState {
  const inspect = () =>
    `DelegationState(${state.kind}, approval ${state.approval?.status ?? 'not asked'}, proof ${state.proof ?? 'not submitted'})`;
  Object.defineProperty(state, Symbol.for('nodejs.util.inspect.custom'), { value: inspect });
  for (const part of Object.values(state)) Object.freeze(part);
  return Object.freeze(state);
}
