import { throwIfAborted, untilAborted } from '../contract/formats/abort-reason.js';
import type { Outcome } from '../errors/index.js';
import { hadNoEffect } from './approval-errors.js';
import { ChainError } from './chain-error.js';
import { isTime } from './check-values.js';
import { tokenTimeLeft } from './delegation-token.js';
import type { DelegationDriver, DriverContext } from './driver.js';
import type { DelegationOptions } from './options.js';
import {
  DELEGATION_STEPS,
  type DelegationProgress,
  type DelegationStep,
  type ProgressListener,
  type StepMessages,
  stepMessages,
} from './progress.js';
import { untilPromptEnds } from './prompt-timeout.js';
import { createReadingContext } from './reading-context.js';
import {
  attachState,
  type DelegationState,
  emptyState,
  type StatePatch,
  updateState,
} from './state.js';
import { openState, type StateKeeper } from './state-keeper.js';
import type { PromptTimeoutError } from './wallet-errors.js';

/** `runtime.now` did not return a time, so deadlines and expiries would not work. */
function clockUnusable(outcome: Outcome): ChainError {
  const effect =
    outcome === 'not_sent' ? 'No approval was sent.' : 'An approval may be on the chain.';
  return new ChainError({
    code: 'clock_unusable',
    outcome,
    message: `runtime.now did not return milliseconds since 1970. ${effect} Fix the clock, then resume.`,
  });
}

/** The newest prompt of each delegation in this page that the wallet has not responded to. */
const newestPrompts = new Map<string, Promise<unknown>>();

type ProgressDetails = Partial<
  Pick<DelegationProgress, 'needsUser' | 'transactionId' | 'faucet' | 'error'>
>;

/** One run of the flow: its state, its progress events, and the context of the driver. */
export class DelegationRun implements DriverContext {
  readonly driver: DelegationDriver;
  readonly options: DelegationOptions;
  readonly messages: StepMessages;
  state: DelegationState;
  step: DelegationStep = 'chain-check';
  readonly sleep: DriverContext['sleep'];
  readonly read: DriverContext['read'];
  /** The limit that the service's list of wallets showed. */
  registeredAmount: string | undefined;
  /** Whether the wallet has the coins for the network fee, as far as the chain said. */
  canPay: boolean | undefined;
  /** Whether chain and service had the limit before this flow did anything. */
  isAlreadySet = false;
  readonly #listener: ProgressListener;
  /** The error that ended this run. */
  #end: { readonly error: unknown } | undefined;
  /** The error of a prompt that the wallet did not respond to in time. */
  #timeout: PromptTimeoutError | undefined;

  /** Keeps the state; `undefined` if the caller does. */
  readonly #keeper: StateKeeper | undefined;
  readonly isStored: boolean;

  constructor(
    driver: DelegationDriver,
    options: DelegationOptions,
    listener: ProgressListener,
    keeper?: StateKeeper,
  ) {
    this.driver = driver;
    this.options = options;
    this.messages = stepMessages(driver.proof.isRevocation === true);
    this.#listener = listener;
    this.#keeper = keeper;
    this.isStored = keeper !== undefined;
    this.state =
      options.resume === undefined
        ? emptyState(driver.savedState.kind, driver.request)
        : openState(options.resume, driver);
    const { sleep, read } = createReadingContext(options, () => this.outcome());
    this.sleep = sleep;
    this.read = read;
    // An unusable clock fails before anything happens.
    this.now();
  }

  /** Runs one step and reports its start and end. */
  async runStep<T>(
    step: DelegationStep,
    work: () => T | Promise<T>,
    details?: ProgressDetails,
  ): Promise<T> {
    this.step = step;
    throwIfAborted(this.options.signal);
    this.emit('started', this.messages[step][0], details);
    const result = await this.abortable(Promise.resolve(work()));
    this.emit('done', this.messages[step][1]);
    return result;
  }

  skip(step: DelegationStep): void {
    this.step = step;
    this.emit('skipped', this.messages[step][1]);
  }

  update(patch: StatePatch): void {
    this.state = updateState(this.state, patch);
    this.#keeper?.changed(this.state);
  }

  async saved(): Promise<void> {
    if (this.#keeper === undefined) return;
    await this.#keeper.saved();
    throwIfAborted(this.options.signal);
  }

  abortable<T>(work: Promise<T>): Promise<T> {
    return untilAborted(this.options.signal, work);
  }

  emit(status: DelegationProgress['status'], message: string, details: ProgressDetails = {}): void {
    const transactionId = details.transactionId ?? this.state.approval?.transactionId;
    this.#listener({
      step: this.step,
      status,
      message,
      position: DELEGATION_STEPS.indexOf(this.step) + 1,
      total: DELEGATION_STEPS.length,
      needsUser: false,
      ...details,
      ...(transactionId === undefined ? {} : { transactionId }),
      state: this.state,
    });
  }

  now(): number {
    const now: unknown = (this.options.runtime?.now ?? Date.now)();
    if (isTime(now)) return now;
    throw clockUnusable(this.outcome());
  }

  outcome(): Outcome {
    return this.state.approval === undefined ? 'not_sent' : 'unknown';
  }

  tokenTimeLeft(): number {
    return tokenTimeLeft(this.state.token, this.now());
  }

  serverNow = (): number => this.now() + (this.state.token?.clockOffset ?? 0);

  tokenExpiresAt = (): number => this.serverNow() + this.tokenTimeLeft();

  /** Returns the result of a read that must not fail the flow; `undefined` if it fails. */
  async readOptional<T>(read: () => PromiseLike<T> | undefined): Promise<T | undefined> {
    const work = async () => read();
    const result = await work().catch(() => undefined);
    throwIfAborted(this.options.signal);
    return result;
  }

  prompt<T>(ask: () => Promise<T>, words?: string, lateOutcome: Outcome = 'not_sent'): Promise<T> {
    throwIfAborted(this.options.signal);
    if (words !== undefined) this.emit('waiting', words, { needsUser: true });
    return this.#untilPromptEnds(ask(), lateOutcome);
  }

  async promptApproval(ask: () => Promise<string>): Promise<string> {
    throwIfAborted(this.options.signal);
    this.update({ approval: { status: 'requested' } });
    await this.saved().catch((error: unknown) => {
      this.update({ approval: undefined });
      throw error;
    });
    this.emit('waiting', this.messages['approval-sent'][0], { needsUser: true });
    const transaction = ask().then(
      (transactionId) => {
        this.update({ approval: { status: 'sent', transactionId } });
        return transactionId;
      },
      (error: unknown) => {
        if (hadNoEffect(error)) this.update({ approval: undefined });
        throw error;
      },
    );
    return this.#untilPromptEnds(transaction, 'unknown');
  }

  requireRunning(): void {
    throwIfAborted(this.options.signal);
    if (this.#timeout !== undefined) throw this.#timeout;
  }

  /** Attaches the state to the error that ends this run, and reports both. */
  fail(error: unknown): void {
    this.#end = { error };
    attachState(error, this.state);
    const words = error instanceof Error ? error.message : 'The delegation has ended.';
    this.emit('failed', words, { error });
  }

  /**
   * Waits for the wallet. A response after the end of the flow is reported with the state, unless a
   * later flow has asked the wallet since: a page that saved this state would forget what that one sent.
   */
  #untilPromptEnds<T>(response: Promise<T>, lateOutcome: Outcome): Promise<T> {
    const before = this.state;
    const key = `${this.driver.savedState.kind} ${this.driver.lockKey}`;
    newestPrompts.set(key, response);
    const report = () => {
      const isNewest = newestPrompts.get(key) === response;
      if (isNewest) newestPrompts.delete(key);
      if (!isNewest || this.#end === undefined || this.state === before) return;
      attachState(this.#end.error, this.state);
      if (this.state.approval?.transactionId === undefined) {
        this.emit('waiting', 'Your wallet has responded late.');
      } else {
        this.emit('done', this.messages['approval-sent'][1]);
      }
    };
    response.then(report, report);
    return untilPromptEnds(response, this.options, lateOutcome, (error) => {
      this.#timeout = error;
    });
  }

  notes(): Readonly<Record<string, string>> {
    return this.state.notes;
  }

  saveNotes(notes: Record<string, string | undefined>): void {
    const kept = Object.entries({ ...this.state.notes, ...notes });
    const texts = kept.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
    this.update({ notes: Object.fromEntries(texts) });
  }

  report(message: string, transactionId?: string): void {
    this.emit('waiting', message, transactionId === undefined ? {} : { transactionId });
  }
}
