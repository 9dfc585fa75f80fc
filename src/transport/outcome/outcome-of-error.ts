import { isCardPlatformError, type NextStep, type Outcome } from '../../errors/index.js';

const REGISTRY = Symbol.for('card-platform-sdk.outcomes');

type End = { readonly outcome: Outcome; readonly next: NextStep };
type Registry = WeakMap<object, End>;

// Shared by the ESM and the CommonJS copy, and made when a call first rejects with a foreign value.
function registry(): Registry {
  const known: Registry | undefined = Reflect.get(globalThis, REGISTRY);
  if (known !== undefined) return known;
  const made: Registry = new WeakMap();
  Object.defineProperty(globalThis, REGISTRY, { value: made, configurable: true });
  return made;
}

/** Only objects and functions can be remembered. */
function isReference(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

const STEPS: Readonly<Record<Outcome, NextStep>> = {
  not_sent: 'retry',
  rejected: 'show_user',
  unknown: 'look_up',
  executed: 'done',
};

/**
 * Remembers the outcome of a call that rejects with a value which is not ours: the reason of an
 * abort, or what a middleware or token provider threw. Calls that share the value and end
 * differently make it `unknown`, and `look_up` the next step.
 */
export function recordOutcome(
  reason: unknown,
  outcome: Outcome,
  next: NextStep = STEPS[outcome],
): void {
  if (!isReference(reason) || isCardPlatformError(reason)) return;
  const known = registry().get(reason);
  registry().set(reason, {
    outcome: known === undefined || known.outcome === outcome ? outcome : 'unknown',
    next: known === undefined || known.next === next ? next : STEPS.unknown,
  });
}

/** What is known of a value that a call rejected with. */
function endOf(reason: unknown): End | undefined {
  return isReference(reason) ? registry().get(reason) : undefined;
}

/**
 * The outcome of anything that a call rejected with: an error of this package, the reason of an
 * abort (`AbortSignal.timeout()` included), or what your own middleware or token provider threw.
 * `unknown` for a value that no call has rejected with, and for reasons that are not objects.
 *
 * @example
 * ```ts
 * import { outcomeOf } from 'card-platform-sdk';
 *
 * try {
 *   await userClient.wallets.credit.withdraw({ amount: '100' }, { signal: AbortSignal.timeout(5_000) });
 * } catch (error) {
 *   if (outcomeOf(error) === 'not_sent') console.log('Nothing was sent: try again.');
 * }
 * ```
 */
export function outcomeOf(error: unknown): Outcome {
  if (isCardPlatformError(error)) return error.outcome;
  return endOf(error)?.outcome ?? 'unknown';
}

/** What to do after a value that a call rejected with; `undefined` if no call has. */
export function knownStepOf(error: unknown): NextStep | undefined {
  return isCardPlatformError(error) ? error.next : endOf(error)?.next;
}

/**
 * What to do after anything that a call rejected with: `error.next` of an error of this package. After an
 * abort, or what your own code threw, it is `retry` for a read and `log_in` for a login that may have been
 * counted, and otherwise follows from {@link outcomeOf}.
 *
 * @example
 * ```ts
 * import { nextStepOf } from 'card-platform-sdk';
 *
 * try {
 *   await userClient.wallets.credit.withdraw({ amount: '25' });
 * } catch (error) {
 *   if (nextStepOf(error) === 'look_up') console.log(await userClient.wallets.credit.get());
 * }
 * ```
 */
export function nextStepOf(error: unknown): NextStep {
  return knownStepOf(error) ?? STEPS.unknown;
}
