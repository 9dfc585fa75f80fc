import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { isCardPlatformError } from '../errors/index.js';
import { sentNothing } from './approval-errors.js';
import { clockUnusable } from './clock-unusable.js';
import type { DelegationDriver, DriverContext } from './driver.js';
import { isTime } from './numbers.js';
import { openState } from './open-state.js';
import type { DelegationOptions } from './options.js';
import type { DelegationProgress, ProgressListener } from './progress.js';
import { sleep, untilAborted, within } from './runtime.js';
import { type DelegationState, emptyState, type StatePatch, updateState } from './state.js';
import { STEP_MESSAGES } from './step-messages.js';
import { DELEGATION_STEPS, type DelegationStep } from './steps.js';
import { tokenTimeLeft } from './token-age.js';
import { ChainReadError } from './wallet-errors.js';

const READ_TIMEOUT_MS = 15_000;

type ProgressDetails = Partial<
  Pick<DelegationProgress, 'needsUser' | 'transactionId' | 'faucet' | 'error'>
>;

/** One run of the flow: its state, its progress events, and the context of the driver. */
export class DelegationRun implements DriverContext {
  readonly driver: DelegationDriver;
  readonly options: DelegationOptions;
  state: DelegationState;
  step: DelegationStep = 'token';
  readonly #listener: ProgressListener;

  constructor(driver: DelegationDriver, options: DelegationOptions, listener: ProgressListener) {
    this.driver = driver;
    this.options = options;
    this.#listener = listener;
    this.state =
      options.resume === undefined
        ? emptyState(driver.savedState.kind, driver.request)
        : openState(options.resume, driver);
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
    this.emit('started', STEP_MESSAGES[step][0], details);
    const result = await this.abortable(Promise.resolve(work()));
    this.emit('done', STEP_MESSAGES[step][1]);
    return result;
  }

  skip(step: DelegationStep): void {
    this.step = step;
    this.emit('skipped', STEP_MESSAGES[step][1]);
  }

  update(patch: StatePatch): void {
    this.state = updateState(this.state, patch);
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
    throw clockUnusable(this.state.approval === undefined ? 'not_sent' : 'unknown');
  }

  tokenTimeLeft(): number {
    return tokenTimeLeft(this.state.token, this.now());
  }

  serverNow = (): number => this.now() + (this.state.token?.clockOffset ?? 0);

  tokenExpiresAt = (): number => this.serverNow() + this.tokenTimeLeft();

  async sleep(milliseconds: number): Promise<void> {
    const { signal, runtime } = this.options;
    await (runtime?.sleep ?? sleep)(milliseconds, signal);
    throwIfAborted(signal);
  }

  async read<T>(what: string, read: () => Promise<T>): Promise<T> {
    const limit = this.options.readTimeout ?? READ_TIMEOUT_MS;
    const outcome = this.state.approval === undefined ? 'not_sent' : 'unknown';
    try {
      return await this.abortable(
        within(limit, read(), () => new ChainReadError(`${what}: timed out`, outcome)),
      );
    } catch (error) {
      throwIfAborted(this.options.signal);
      throw isCardPlatformError(error) ? error : new ChainReadError(what, outcome, error);
    }
  }

  prompt<T>(ask: () => Promise<T>, words?: string): Promise<T> {
    throwIfAborted(this.options.signal);
    if (words !== undefined) this.emit('waiting', words, { needsUser: true });
    return this.abortable(ask());
  }

  async promptApproval(ask: () => Promise<string>): Promise<string> {
    throwIfAborted(this.options.signal);
    this.update({ approval: { status: 'requested' } });
    this.emit('waiting', STEP_MESSAGES['approval-sent'][0], { needsUser: true });
    const transaction = ask().then(
      (transactionId) => {
        this.update({ approval: { status: 'sent', transactionId } });
        if (this.options.signal?.aborted) this.emit('done', STEP_MESSAGES['approval-sent'][1]);
        return transactionId;
      },
      (error: unknown) => {
        if (sentNothing(error)) this.update({ approval: undefined });
        throw error;
      },
    );
    return this.abortable(transaction);
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
