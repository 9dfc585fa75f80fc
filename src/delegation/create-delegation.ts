import { throwIfAborted, untilAborted } from '../contract/formats/abort-reason.js';
import { isObject } from '../contract/formats/is-object.js';
import { isCardPlatformError, type NextStep } from '../errors/index.js';
import { indexedDbStore } from '../stores/indexed-db-store.js';
import { type KeyValueStore, requireStore } from '../stores/key-value-store.js';
import { systemClock } from '../transport/attempts/clock.js';
import { next, say } from './advice.js';
import { requireParts } from './check-options.js';
import { invalid } from './check-values.js';
import {
  DelegationInProgressError,
  NothingToResumeError,
  StateMismatchError,
} from './flow-errors.js';
import type { DelegationOptions, DelegationResult } from './options.js';
import type { DelegationStep, ProgressListener } from './progress.js';
import { DelegationRecord } from './record.js';
import { delegationStateOf } from './state.js';
import { type KeptLimit, readKept, StateKeeper } from './state-keeper.js';
import type { WireAmountUnit } from './submit-proof.js';

/** The result of a delegation that keeps its own state. */
export type StoredDelegationResult = Omit<DelegationResult, 'state'>;

/** What a page shows of a delegation. The same object until something changes. */
export type DelegationSnapshot = {
  /** `idle` before the first start, after `cancel`, and after a `resume` that found nothing. */
  readonly status: 'idle' | 'running' | 'done' | 'failed';
  /**
   * An English sentence for the user: the progress, the result, or what went wrong. Empty before the
   * first start.
   */
  readonly message: string;
  /** The current step; `undefined` before the first one. Translate by it. */
  readonly step: DelegationStep | undefined;
  /** Position of the step, 0 to `total`, for a progress bar. */
  readonly position: number;
  /** Number of steps; 0 before the first one. */
  readonly total: number;
  /** Whether the wallet is waiting for the user. */
  readonly needsUser: boolean;
  /** The approval's transaction, once it is known. */
  readonly transactionId: string | undefined;
  /** With `failed`, and after `cancel`: what to offer the user. */
  readonly next: NextStep | undefined;
  /** With `failed`: why. */
  readonly error: unknown;
  /** With `done`: the result. */
  readonly result: StoredDelegationResult | undefined;
};

/** The options of `createDelegation` that are the same for every chain. */
export type DelegationStoreOptions = {
  /**
   * Where the progress is kept: one of `card-platform-sdk/stores`, or your own. Default: IndexedDB,
   * `indexedDbStore()`. Required where there is none, for example on a server and in React Native.
   */
  store?: KeyValueStore | undefined;
  /** Id of the user, if several users of the platform share the store. */
  user?: string | undefined;
};

/** The options of `start` and `resume` that are the same for every chain. */
export type DelegationStartOptions = {
  /**
   * Ask for a new approval although an earlier one is saved, because continuing does not help
   * (`next: 'replace'`), or because the user has checked in the wallet that nothing was sent. One
   * that may still be pending is never replaced: on an EVM chain, one run must have waited for it in vain.
   * Default `false`.
   */
  replace?: boolean | undefined;
};

/** A delegation that keeps its own state, for a page or an app. */
export type Delegation<StartInput, ResumeInput> = {
  /**
   * Sets the limit, or continues an unfinished delegation of the same wallet, asset and spender. A
   * second call with the same choices joins the one that runs. A call after `cancel` starts a new one.
   *
   * @throws what the flow throws, and ChainError with the code `delegation_not_saved` when the store
   * fails. `getState` shows both too.
   * @throws DelegationInProgressError while another one runs, here or in another tab.
   */
  start(input: StartInput): Promise<StoredDelegationResult>;
  /**
   * Continues an earlier delegation of this wallet, asset and spender with its own amount, for
   * example after a reload. Resolves with `undefined` if there is none.
   *
   * @throws as `start` does. What cannot be read has no amount: only `start` with `replace` continues.
   */
  resume(input: ResumeInput): Promise<StoredDelegationResult | undefined>;
  /**
   * Stops the running delegation, which then rejects with an `AbortError`. A prompt of the wallet
   * stays open, and an approval that was sent stays sent: the next `start` continues from it.
   */
  cancel(): void;
  /** Calls the listener after each change. Returns a function that removes it. */
  subscribe(listener: () => void): () => void;
  /** Returns what to show: the same object until something changes. It contains no secret. */
  getState(): DelegationSnapshot;
};

/** The wallet, asset and spender of a delegation, found without a prompt. */
export type DelegationPlace<Options> = {
  /** The options, with everything that the service was asked for. */
  readonly options: Options;
  /** Wallet, asset and spender as one string. */
  readonly key: string;
  /** The limit as text, from the amount that the wallet approved in base units. */
  amountOf(units: string): string;
};

/** How one kind of chain delegates. */
export type DelegationChain<Options> = {
  readonly kind: string;
  /** The address of the wallet in the options. */
  ownerOf(options: Options): Promise<string>;
  locate(options: Options): Promise<DelegationPlace<Options>>;
  run(options: Options, keeper: StateKeeper): Promise<DelegationResult>;
};

type ChainOptions = Pick<DelegationOptions, 'signal' | 'onProgress' | 'approveAgain' | 'resume'> & {
  amount: string;
  confirmSpender?: unknown;
  unlimited?: boolean | undefined;
  wireAmount?: WireAmountUnit | undefined;
};

/** A result, and its limit in units of the currency, whatever unit the service gets. */
type Finished = { readonly result: StoredDelegationResult; readonly limit: string };

type Run = {
  readonly input: object;
  readonly owner: Promise<string>;
  readonly result: Promise<StoredDelegationResult | undefined>;
  readonly abort: AbortController;
};

const IDLE: DelegationSnapshot = {
  status: 'idle',
  message: '',
  step: undefined,
  position: 0,
  total: 0,
  needsUser: false,
  transactionId: undefined,
  next: undefined,
  error: undefined,
  result: undefined,
};

/** The functions of a delegation before a chain gives them the types of its options. */
export type UntypedDelegation = Delegation<object, object | undefined>;

/** Creates a delegation on any kind of chain. */
export function createStoredDelegation<Options extends ChainOptions>(
  given: DelegationStoreOptions,
  chain: DelegationChain<Options>,
): UntypedDelegation {
  requireParts(given, []);
  const { store = indexedDbStore(), user = '', ...defaults }: DelegationStoreOptions = given;
  const place = { store: requireStore(store, 'store'), clock: systemClock };
  if (typeof user !== 'string') invalid('user', 'must be a string');
  const listeners = new Set<() => void>();
  let shown = Object.freeze(IDLE);
  let running: Run | undefined;

  function show(change: Partial<DelegationSnapshot>): void {
    shown = Object.freeze({ ...shown, ...change });
    for (const listener of [...listeners]) {
      try {
        listener();
      } catch {
        // A bug in the user interface must not cost the user an approval.
      }
    }
  }

  const showProgress = (own: Run): ProgressListener => {
    return ({ status, message, step, position, total, needsUser, transactionId }) => {
      if (running !== own || status === 'failed') return;
      show({ message, step, position, total, needsUser, transactionId });
    };
  };

  function recordOf(key: string): DelegationRecord {
    return new DelegationRecord(place, [chain.kind, user, key].join('\n'));
  }

  /** Runs the flow with the amount of the options, or with that of the record. */
  async function delegate(
    options: Options & DelegationStartOptions,
    onProgress: ProgressListener,
    isResuming: boolean,
  ): Promise<Finished | undefined> {
    const { replace = false, ...rest } = options;
    if (typeof replace !== 'boolean') invalid('replace', 'must be a boolean');
    const found = await untilAborted(rest.signal, chain.locate(rest as unknown as Options));
    const saved = isResuming ? await readSaved(found) : undefined;
    const amount = isResuming ? saved?.amount : options.amount;
    if (amount === undefined) return undefined;
    const isChosen = saved?.isChosen === true;
    const limit = { amount, isChosen };
    const keeper = new StateKeeper(recordOf(found.key), limit, replace, saved?.keptAmount);
    const approveAgain = replace || found.options.approveAgain;
    // What the user chose in the wallet is exactly that limit, in place of an unlimited one too.
    const exactly = isChosen && found.options.unlimited ? { unlimited: false } : {};
    const flowOptions = { ...found.options, ...exactly, amount, onProgress, approveAgain };
    const done = await chain.run(flowOptions, keeper).catch((error: unknown) => {
      if (isResuming && error instanceof NothingToResumeError) return undefined;
      throw error;
    });
    if (done === undefined) return undefined;
    const { state: _, ...result } = done;
    const isInBaseUnits = found.options.wireAmount === 'base-units';
    return { result, limit: isInBaseUnits ? found.amountOf(done.amount) : done.amount };
  }

  /**
   * The amounts of a saved delegation: the one to continue with, and the one in the record. If the user has
   * chosen another limit in the wallet, that limit is used to continue.
   */
  async function readSaved(
    found: DelegationPlace<Options>,
  ): Promise<(KeptLimit & { keptAmount: string }) | undefined> {
    const kept = await readKept(recordOf(found.key));
    if (kept === undefined) return undefined;
    // No amount is left to continue with, so only `start` can replace it.
    if (kept === 'damaged') throw new StateMismatchError(['seal']);
    const { notes } = kept.state as { notes?: unknown };
    const approved: unknown = isObject(notes) ? notes['approved'] : undefined;
    const isUnits = typeof approved === 'string' && /^[1-9]\d{0,77}$/.test(approved);
    const amount = isUnits ? found.amountOf(approved) : kept.amount;
    return { amount, keptAmount: kept.amount, isChosen: isUnits || kept.isChosen };
  }

  function launch(input: object, isResuming: boolean): Promise<StoredDelegationResult | undefined> {
    // Every chain checks its options again: an app may have no compiler.
    const options = { ...defaults, ...input } as unknown as Options & DelegationStartOptions;
    const earlier = running;
    if (earlier !== undefined && !earlier.abort.signal.aborted) return join(earlier, options);
    const abort = new AbortController();
    const { signal } = abort;
    const owner = (async () => chain.ownerOf(options))();
    owner.catch(() => undefined);
    const work = async (): Promise<StoredDelegationResult | undefined> => {
      try {
        // One that was cancelled may still be writing its state.
        await earlier?.result.catch(() => undefined);
        throwIfAborted(signal);
        const finished = await delegate(
          { ...options, signal },
          (progress) => showProgress(own)(progress),
          isResuming,
        );
        settle(own, finished === undefined ? IDLE : doneState(finished));
        return finished?.result;
      } catch (error) {
        settle(own, failedState(error, signal.aborted, isResuming));
        throw error;
      }
    };
    const own: Run = { input: options, owner, abort, result: Promise.resolve().then(work) };
    running = own;
    show({ ...IDLE, status: 'running', message: 'Preparing the delegation.' });
    return own.result;
  }

  function settle(own: Run, state: Partial<DelegationSnapshot>): void {
    if (running !== own) return;
    running = undefined;
    show({ needsUser: false, ...state });
  }

  /** A click while it runs. The user may have switched to another account meanwhile. */
  async function join(run: Run, options: Options): Promise<StoredDelegationResult | undefined> {
    const [owner, other] = await Promise.all([run.owner, chain.ownerOf(options)]);
    if (owner === other && isSameChoice(run.input, options)) return run.result;
    throw new DelegationInProgressError();
  }

  return Object.freeze({
    start: (input: object) => launch(input, false) as Promise<StoredDelegationResult>,
    resume: (input: object | undefined) => launch(input ?? {}, true),
    cancel: () => running?.abort.abort(),
    subscribe: (listener: () => void) => {
      // One function may be registered twice.
      const own = () => listener();
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    getState: () => shown,
  });
}

function doneState({ result, limit }: Finished): Partial<DelegationSnapshot> {
  const { currency, transactionId } = result;
  const message = `Done: your card may spend up to ${limit} ${currency.toUpperCase()}.`;
  return { status: 'done', message, result, transactionId };
}

function failedState(
  error: unknown,
  isCancelled: boolean,
  isResuming: boolean,
): Partial<DelegationSnapshot> {
  // Stopped before the run had a state: `resume` may find nothing of what was started.
  const isEarly = delegationStateOf(error) === undefined && !isCardPlatformError(error);
  const step = next(error);
  const isRetried = step === 'resume' && isEarly && !isResuming;
  const advice = { message: say(error), next: isRetried ? ('retry' as const) : step };
  return isCancelled ? { status: 'idle', ...advice } : { status: 'failed', ...advice, error };
}

/** Whether two starts ask for the same thing. Pages often create new objects for the same wallet and node. */
function isSameChoice(one: object, other: object): boolean {
  const choiceOf = (input: object) =>
    JSON.stringify(
      Object.entries(input)
        .filter(([, value]) => CHOSEN.includes(typeof value))
        .map(([name, value]) => [name, String(value)])
        .sort(),
    );
  return choiceOf(one) === choiceOf(other);
}

/** The types of choices: a chain is a number. */
const CHOSEN: readonly string[] = ['string', 'number', 'bigint', 'boolean'];
