import { isObject } from '../contract/formats/is-object.js';
import { isCardPlatformError } from '../errors/index.js';
import { changedOptions } from './changed-limit.js';
import type { DelegationDriver } from './driver.js';
import {
  DelegationInProgressError,
  NothingToResumeError,
  StateMismatchError,
} from './flow-errors.js';
import type { DelegationRecord } from './record.js';
import { fieldPath, readState, refuseState } from './saved-state.js';
import { type DelegationState, emptyState, updateState } from './state.js';

/**
 * Returns a saved state if its form is valid and it belongs to this delegation.
 *
 * @throws StateMismatchError naming what breaks a rule, or every option that differs
 */
export function openState(saved: unknown, driver: DelegationDriver): DelegationState {
  const state = readState(saved, driver.savedState);
  const names = new Set([...Object.keys(driver.request), ...Object.keys(state.request)]);
  const free = changedOptions(state, driver.limit);
  const different = [...names].filter(
    (name) => !free.includes(name) && state.request[name] !== driver.request[name],
  );
  if (different.length > 0) {
    throw new StateMismatchError(different.map((name) => nameOf(name, driver)));
  }
  if (state.token !== undefined) requireNonce(state.token, driver);
  return free.length === 0 ? state : updateState(state, { request: { ...driver.request } });
}

/** A name that only the saved state has is input, so `fieldPath` decides whether it is shown. */
function nameOf(name: string, { request }: DelegationDriver): string {
  return Object.hasOwn(request, name) ? name : fieldPath('request', name);
}

function requireNonce(token: NonNullable<DelegationState['token']>, driver: DelegationDriver) {
  try {
    driver.checkToken(token);
  } catch (error) {
    if (!isCardPlatformError(error)) throw error;
    refuseState('token.nonce');
  }
}

/** The limit of a delegation that is kept in a record. */
export type KeptLimit = {
  /** As the app passed it, or as the user chose it in the wallet. */
  readonly amount: string;
  /** Whether the user chose it in the wallet: then exactly that is asked for, never an unlimited one. */
  readonly isChosen: boolean;
};

/** A saved delegation. Its state is not checked yet. */
type KeptDelegation = KeptLimit & { readonly state: unknown };

/** Reads a saved delegation; `undefined` if there is none, `'damaged'` if it cannot be read. */
export async function readKept(
  record: DelegationRecord,
): Promise<KeptDelegation | 'damaged' | undefined> {
  const found = await record.read();
  if (found.is !== 'text') return found.is === 'missing' ? undefined : 'damaged';
  try {
    const kept: unknown = JSON.parse(found.text);
    const { amount, isChosen = false, state } = isObject(kept) ? kept : {};
    const isWhole = typeof amount === 'string' && typeof isChosen === 'boolean' && isObject(state);
    return isWhole ? { amount, isChosen, state } : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** Keeps the state of one run in a record. */
export class StateKeeper {
  readonly #record: DelegationRecord;
  readonly #limit: KeptLimit;
  readonly #replaces: boolean;
  readonly #continues: string | undefined;
  /** The delegation whose approval this run shall replace, until it is known what became of it. */
  #replaced: { readonly limit: KeptLimit; readonly state: DelegationState } | undefined;
  #newest: DelegationState | undefined;
  #written: DelegationState | undefined;
  #writing: Promise<void> | undefined;

  /**
   * @param limit what the record says of the limit
   * @param replaces whether the user wants another approval in place of a saved one
   * @param continues the amount that was found in the record, if the run may only continue that
   */
  constructor(
    record: DelegationRecord,
    limit: KeptLimit,
    replaces: boolean,
    continues?: string | undefined,
  ) {
    this.#record = record;
    this.#limit = limit;
    this.#replaces = replaces;
    this.#continues = continues;
  }

  /**
   * Reserves the record for this run, and returns the state to continue from.
   *
   * @throws NothingToResumeError when another tab or process has finished the one to continue
   * @throws DelegationInProgressError when another one runs this delegation, or has changed the one to continue
   * @throws StateMismatchError when a saved approval is of another request
   */
  async open(
    driver: DelegationDriver,
    isLocked: boolean,
    signal: AbortSignal | undefined,
  ): Promise<DelegationState | undefined> {
    await this.#record.reserve(isLocked, signal);
    try {
      return await this.#load(driver);
    } catch (error) {
      await this.#leave(error instanceof NothingToResumeError);
      throw error;
    }
  }

  /** Writes a state soon. A newer one takes its place. */
  changed(state: DelegationState): void {
    this.#newest = state;
    if (state.approval?.status !== 'requested') this.#replaced = undefined;
    this.#write().catch(() => undefined);
  }

  /**
   * Resolves once the newest state is in the store.
   *
   * @throws ChainError with the code `delegation_not_saved` or `delegation_in_progress`
   */
  async saved(): Promise<void> {
    // A write that is under way may be of an older state, and may fail.
    await this.#writing?.catch(() => undefined);
    await this.#write();
  }

  /** Lets others continue this delegation. Nobody needs the record of one that is done. */
  async close(isDone: boolean): Promise<void> {
    // If it fails: the chain and the service are the authority, where a later run finds what is done.
    await this.saved().catch(() => undefined);
    await this.#leave(isDone);
  }

  async #leave(isDone: boolean): Promise<void> {
    await (isDone ? this.#record.remove() : this.#record.release()).catch(() => undefined);
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#newest !== undefined && this.#newest !== this.#written) {
      const state = this.#newest;
      await this.#record.write(JSON.stringify(this.#toKeep(state)));
      this.#written = state;
    }
  }

  /** Until an earlier approval is decided, its delegation is the one to continue. */
  #toKeep(state: DelegationState): KeptDelegation {
    if (this.#replaced === undefined) return { ...this.#limit, state };
    const { limit, state: replaced } = this.#replaced;
    return { ...limit, state: updateState(replaced, { notes: state.notes }) };
  }

  async #load(driver: DelegationDriver): Promise<DelegationState | undefined> {
    const kept = await readKept(this.#record);
    if (kept === undefined) {
      if (this.#continues !== undefined) throw new NothingToResumeError();
      return undefined;
    }
    if (kept === 'damaged') return this.#dropDamaged(new StateMismatchError(['seal']));
    if (this.#continues !== undefined && kept.amount !== this.#continues) {
      throw new DelegationInProgressError();
    }
    let state: DelegationState;
    try {
      state = readState(kept.state, driver.savedState);
    } catch (error) {
      return this.#dropDamaged(error);
    }
    const { approval: { status } = { status: undefined } } = state;
    if (this.#replaces && (status === 'confirmed' || status === 'verified')) {
      return withoutApproval(state, driver);
    }
    try {
      return openState(state, driver);
    } catch (error) {
      if (!(error instanceof StateMismatchError)) throw error;
      const { signature, raw, sentBy } = state.notes;
      // One that was signed may be on its way: the flow finds out with its own request.
      const isSigned = signature !== undefined || raw !== undefined;
      const isReplaced = this.#replaces && status === 'requested' && !isSigned;
      if (status !== undefined && !isReplaced) throw error;
      const fresh = withoutApproval(state, driver);
      if (status === undefined || sentBy !== 'wallet') return fresh;
      // Nothing orders the transactions of such a wallet: the flow looks for the earlier one first.
      this.#replaced = { limit: { amount: kept.amount, isChosen: kept.isChosen }, state };
      return updateState(fresh, { approval: state.approval, notes: state.notes });
    }
  }

  /** What cannot be read may have had an approval in it, so only the user may drop it. */
  #dropDamaged(error: unknown): undefined {
    if (!this.#replaces) throw error;
    return undefined;
  }
}

/** A new state that only remembers that the faucet was asked. */
function withoutApproval(
  { faucetAsked, faucetExpected }: DelegationState,
  { savedState, request }: DelegationDriver,
): DelegationState {
  return updateState(emptyState(savedState.kind, request), { faucetAsked, faucetExpected });
}
