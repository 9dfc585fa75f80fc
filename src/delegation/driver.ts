import type { ApprovalProof } from '../contract/delegation.js';
import type { SavedStateRules } from './saved-state.js';
import type { SignedMessage } from './state.js';

/** A delegation token and its nonce, both opaque. */
export type IssuedToken = { readonly token: string; readonly nonce: string };

/** The proof of an approval, on whichever network. */
export type DelegationProof = ApprovalProof & { network: string };

/** What the machine offers to the code of one kind of chain while a step runs. */
export type DriverContext = {
  /** Milliseconds since 1970, by the injected clock. */
  now(): number;
  /** What the service's clock shows, in milliseconds since 1970: what a message has to go by. */
  serverNow(): number;
  /** When the current token runs out by the service's clock, in milliseconds since 1970. */
  tokenExpiresAt(): number;
  /** A wait that an abort ends. Rejects with the signal's own reason. */
  sleep(milliseconds: number): Promise<void>;
  /**
   * Reads from a node under a deadline. A failure becomes a `ChainReadError` without the texts of
   * the node; errors of this package pass as they are.
   */
  read<T>(what: string, read: () => Promise<T>): Promise<T>;
  /**
   * Asks the wallet for something other than the approval (a signature, a preparation). `words` tell
   * the user what, where the step's own words do not.
   */
  prompt<T>(ask: () => Promise<T>, words?: string): Promise<T>;
  /**
   * Asks the wallet for the approval and gives its transaction id. That it was asked is saved
   * before, the id as soon as it is there, even when the flow was aborted in the meantime. When
   * `ask` throws an error of this package with outcome `not_sent` or `rejected`, the approval counts
   * as not asked; with any other it stays `requested`, and a resumed flow calls `findApproval`.
   */
  promptApproval(ask: () => Promise<string>): Promise<string>;
  /** Texts remembered in the state, for example the id of a preparing transaction. */
  notes(): Readonly<Record<string, string>>;
  /** Changes these texts; `undefined` forgets one. */
  saveNotes(notes: Record<string, string | undefined>): void;
  /** Tells the user interface news within the step. */
  report(message: string, transactionId?: string): void;
};

/** What became of an approval that the wallet was asked for and whose answer was lost. */
export type ApprovalSearchResult = { readonly transactionId: string } | 'not-sent' | 'unknown';

/**
 * What one kind of chain has to know how to do; the machine decides when. A driver is made for one
 * delegation, after its input was checked, and holds no state of its own beyond its input: what
 * has to survive a reload goes through `remember`.
 *
 * Every method throws errors of this package (`ChainError` and its kind). It never asks the wallet
 * except through `prompt` and `promptApproval`, and never twice for the same thing.
 */
export type DelegationDriver = {
  /** Kind of chain, kept in the state, and the form of everything that a saved state can hold. */
  readonly savedState: SavedStateRules;
  /** Everything that tells this delegation from another, as texts. Compared on resume. */
  readonly request: Record<string, string>;
  /** Wallet, asset and spender as one text: of these one flow runs at a time. */
  readonly flightKey: string;
  /** The fields of the proof that are known from the start. */
  readonly proof: Omit<DelegationProof, 'txHash' | 'sigHash' | 'sigMessage' | 'token'>;
  /** Checks that token and nonce can be used, before the wallet is asked. */
  checkToken(token: IssuedToken): void;
  /** Checks that wallet and node are on the right chain, and whatever else costs no prompt. */
  checkChain(context: DriverContext): Promise<void>;
  /** Builds the message for this token, has it signed, and checks the signature. */
  signMessage(token: IssuedToken, context: DriverContext): Promise<SignedMessage>;
  /**
   * Whether a message of a saved state is, to the letter, one that this flow builds for the token,
   * is signed by the wallet and can still be submitted. Any other is signed again.
   */
  acceptsMessage(
    message: SignedMessage,
    token: IssuedToken,
    context: DriverContext,
  ): Promise<boolean>;
  /** Prepares what has to be prepared, then asks for the approval by `promptApproval`, once. */
  approve(context: DriverContext): Promise<void>;
  /** Looks on the chain for an approval whose id was lost. */
  findApproval(context: DriverContext): Promise<ApprovalSearchResult>;
  /**
   * Waits until the approval is confirmed and gives its final id. An error with outcome `not_sent`
   * or `rejected` means that no approval came of it: a resumed flow may ask again.
   */
  confirm(transactionId: string, context: DriverContext): Promise<string>;
  /**
   * Compares what the chain executed with what was asked for, whatever is left of the limit.
   */
  compare(transactionId: string, context: DriverContext): Promise<void>;
  /** The same, and compares the limit that the chain has now. */
  verify(transactionId: string, context: DriverContext): Promise<void>;
  /** Whether an address, as the service spells it, is the wallet that delegates. */
  isOwner(address: string): boolean;
  /** Posts the proof to the chain's endpoint. */
  submit(
    proof: DelegationProof,
    options: { signal?: AbortSignal | undefined },
  ): PromiseLike<{ success: boolean }>;
};
