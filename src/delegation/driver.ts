import type { ApprovalProof } from '../contract/delegation-proof.js';
import type { Outcome } from '../errors/index.js';
import type { SavedStateRules } from './saved-state.js';
import type { SignedMessage } from './state.js';

/** A delegation token and its nonce, both opaque. */
export type IssuedToken = { readonly token: string; readonly nonce: string };

/** The proof of an approval, on whichever network. */
export type DelegationProof = ApprovalProof & { network: string };

/** What the flow provides to the driver of a chain while a step runs. */
export type DriverContext = {
  /** Whether the flow keeps its own state, so that `approveAgain` is the `replace` of its user. */
  readonly isStored: boolean;
  /** Milliseconds since 1970, by the injected clock. */
  now(): number;
  /** Milliseconds since 1970 by the service's clock, which the times in a message must use. */
  serverNow(): number;
  /** When the current token expires by the service's clock, in milliseconds since 1970. */
  tokenExpiresAt(): number;
  /** The outcome of a failure now: `unknown` once the wallet was asked for the approval. */
  outcome(): Outcome;
  /** Waits. An abort ends the wait and rejects with the signal's reason. */
  sleep(milliseconds: number): Promise<void>;
  /**
   * Reads from a node with a time limit. A failure becomes a `ChainReadError` without the node's
   * message; errors of this package are passed on unchanged.
   */
  read<T>(what: string, read: () => Promise<T>): Promise<T>;
  /**
   * Asks the wallet for something other than the approval, such as a signature. `words` replaces the
   * step's own message to the user. `lateOutcome` is the outcome when the wallet does not respond
   * within `promptTimeout`: `unknown` if it may send a transaction later. Default `not_sent`.
   */
  prompt<T>(
    ask: () => Promise<T>,
    words?: string,
    lateOutcome?: 'not_sent' | 'unknown',
  ): Promise<T>;
  /**
   * Asks the wallet for the approval and returns its transaction id. The request is saved beforehand,
   * and the id as soon as it is known, even if the flow was aborted in the meantime. If `ask` throws an
   * error of this package with outcome `not_sent` or `rejected`, the approval counts as not
   * requested. After any other error it stays `requested`, and a resumed flow calls `findApproval`.
   */
  promptApproval(ask: () => Promise<string>): Promise<string>;
  /**
   * Throws if the flow has ended, because it was aborted or its prompt exceeded the time limit. Call
   * it before sending what the wallet has only signed: a resumed flow may have asked again.
   */
  requireRunning(): void;
  /**
   * Strings saved in the state, for example the id of a transaction that prepares the approval.
   * `approved` is the limit in base units that the wallet approved in place of the requested one.
   */
  notes(): Readonly<Record<string, string>>;
  /** Changes these strings; `undefined` removes one. */
  saveNotes(notes: Record<string, string | undefined>): void;
  /**
   * Resolves once the state, with its notes, is where the caller of the flow keeps it. Call it before
   * anything that a later run must know of, such as sending a transaction.
   *
   * @throws ChainError with the outcome `not_sent` if it cannot be kept
   */
  saved(): Promise<void>;
  /** Reports progress within the step to the user interface. */
  report(message: string, transactionId?: string): void;
};

/** A spending limit, in the units of the chain. */
export type DelegationLimit = {
  /** The limit in base units. */
  readonly units: bigint;
  /** How many decimals one unit of the currency has. */
  readonly decimals: number;
  /** The amount approved on the chain, if it is not `units`, for example an unlimited one. */
  readonly allowance?: bigint;
};

/** What the chain says before the wallet is asked. What could not be read is `undefined`. */
export type ChainCheck = {
  /** What the spender may spend now, in base units. */
  readonly currentLimit: bigint | undefined;
  /** Whether the wallet has the coins for the network fee of the approval. */
  readonly canPay: boolean | undefined;
};

/** The result of searching for an approval whose transaction id was lost. */
export type ApprovalSearchResult = { readonly transactionId: string } | 'not-sent' | 'unknown';

/**
 * The operations of one kind of chain; the flow decides when they run. A driver is created for one
 * delegation after its input was checked, and keeps nothing that a resumed flow needs: anything that
 * must survive a reload is saved with `saveNotes`.
 *
 * Every method throws errors of this package (`ChainError` and its subclasses). It asks the wallet
 * only through `prompt` and `promptApproval`, and never twice for the same thing.
 */
export type DelegationDriver = {
  /** Kind of chain, and the rules for the fields of a saved state. */
  readonly savedState: SavedStateRules;
  /** Everything that identifies this delegation, as strings. Compared on resume. */
  readonly request: Record<string, string>;
  /** Wallet, asset and spender as one string: only one flow at a time runs for each. */
  readonly lockKey: string;
  /**
   * The fields of the proof that are known from the start. With `isRevocation` the flow revokes: the
   * amount is zero, and a proof that is not registered ends with `RevocationNotRegisteredError`.
   */
  readonly proof: Omit<DelegationProof, 'txHash' | 'sigHash' | 'sigMessage' | 'token'>;
  /** The limit that is compared with the service's list of wallets and with a saved state. */
  readonly limit: DelegationLimit;
  /** Leaves token, message and proof out: the chain alone is changed. Default `false`. */
  readonly isChainOnly?: boolean;
  /** Checks that token and nonce can be used, before the wallet is asked. */
  checkToken(token: IssuedToken): void;
  /**
   * Checks that wallet and node are on the right chain, that the wallet can sign for the service, and
   * whatever else costs no prompt. Returns what decides whether and how the flow goes on.
   */
  checkChain(context: DriverContext): Promise<ChainCheck>;
  /** Builds the message for this token, asks the wallet to sign it, and checks the signature. */
  signMessage(token: IssuedToken, context: DriverContext): Promise<SignedMessage>;
  /**
   * Whether a saved message is exactly the one that this flow builds for the token, is signed by the
   * wallet and can still be submitted. Otherwise the wallet signs again.
   */
  acceptsMessage(
    message: SignedMessage,
    token: IssuedToken,
    context: DriverContext,
  ): Promise<boolean>;
  /**
   * Whether the wallet has the coins that the network fee of the approval needs, by a fresh read of
   * the chain. If the fee is not known, any coins count. Called repeatedly after a
   * faucet request, until it returns `true` or `faucetTimeout` is over; an error counts as `false`.
   * A driver without it does not wait for the faucet.
   */
  hasGas?(context: DriverContext): Promise<boolean>;
  /**
   * What the spender may spend on the chain now, in base units. Called only to interpret a limit that
   * the service reports and that is not the requested one: part of it may be spent.
   */
  remainingLimit?(context: DriverContext): Promise<bigint>;
  /** Makes the preparations, then calls `promptApproval` once. */
  approve(context: DriverContext): Promise<void>;
  /**
   * Searches the chain for the approval that set the limit that is there now, whoever asked for it:
   * the same owner, spender and limit. `undefined` if none is found.
   */
  findEqualApproval(context: DriverContext): Promise<string | undefined>;
  /** Searches the chain for an approval whose id was lost. */
  findApproval(context: DriverContext): Promise<ApprovalSearchResult>;
  /**
   * The id of an approval that had failed or was dropped, and that the network has brought back: it is
   * pending again, or succeeded in another block. Called by a resumed flow before it asks the
   * wallet again.
   */
  findRestored?(context: DriverContext): Promise<string | undefined>;
  /**
   * Whether a sent approval has disappeared and can never have an effect, so that the wallet can be
   * asked again. Called by a resumed flow only.
   */
  hasDisappeared(transactionId: string, context: DriverContext): Promise<boolean>;
  /**
   * Waits until the approval is confirmed and returns its final id. Only the errors for which
   * `endedWithoutApproval` is true mean that there is no approval, so that a resumed flow may ask
   * again.
   */
  confirm(transactionId: string, context: DriverContext): Promise<string>;
  /** Compares the executed transaction with the request, however much of the limit is left. */
  compare(transactionId: string, context: DriverContext): Promise<void>;
  /** Does the same as `compare`, and also checks the current limit on the chain. */
  verify(transactionId: string, context: DriverContext): Promise<void>;
  /** Whether an address, as the service spells it, is the wallet that delegates. */
  isOwner(address: string): boolean;
  /** Posts the proof to the chain's endpoint. */
  submit(
    proof: DelegationProof,
    options: { signal?: AbortSignal | undefined },
  ): PromiseLike<{ success?: boolean | undefined }>;
};
