import { CardPlatformError, ConfigurationError, type Outcome } from '../errors/index.js';
import { Aborted } from './attempts/aborted.js';
import { secretsOf } from './attempts/attempt.js';
import { isInstance } from './outcome/network-error.js';
import { outcomeOf } from './outcome/outcome-of.js';
import type { Call } from './prepare-call.js';
import type { Delivered } from './response/platform-promise.js';
import type { CheckedCall } from './settings/check-call.js';
import type { JournalOptions, Recorder } from './settings/journal-options.js';
import { StoreFault } from './settings/key-value-store.js';

/** How long a call waits for the removal of its entry, in milliseconds. */
const REMOVAL_TIMEOUT_MS = 2_000;

type SettleEntry = Awaited<ReturnType<Recorder['record']>>;

/**
 * Reports the outcome to the journal. If that fails, the entry stays and can be reconciled: the result of
 * the call never changes.
 */
async function finish(
  { settings }: CheckedCall,
  settleEntry: SettleEntry | undefined,
  outcome: Outcome,
  result?: unknown,
): Promise<void> {
  if (settleEntry === undefined) return;
  const { clock } = settings.attempts;
  let cancel: (() => void) | undefined;
  const tooLong = new Promise<void>((resolve) => {
    cancel = clock.schedule(resolve, REMOVAL_TIMEOUT_MS);
  });
  await Promise.race([settleEntry(outcome, result).catch(() => undefined), tooLong]);
  cancel?.();
}

async function record(
  journal: JournalOptions,
  { plan, input }: Call,
  { options, settings }: CheckedCall,
  credentials: Readonly<Record<string, string>>,
): Promise<SettleEntry | undefined> {
  const { endpoint } = plan;
  let advice = 'Nothing was sent. Reload the page, then try again.';
  try {
    const { createRecorder } = await import('../journal/open-journal.js');
    advice = 'Nothing was sent. Check the options store and user of the journal, then try again.';
    const recorder = createRecorder(journal, settings.attempts.clock);
    const accessToken = credentials['authorization']?.replace('Bearer ', '');
    const { region, deadline } = options;
    const { totalTimeout } = deadline;
    const secrets = secretsOf(plan, credentials);
    const hasSecret = (text: string) => secrets.redact(text) !== text;
    const request = { endpoint, input, region, accessToken, totalTimeout, hasSecret };
    return await recorder.record(request);
  } catch (error) {
    // An option that cannot work, not a store that failed.
    if (isInstance(error, ConfigurationError)) throw error;
    if (journal.onStoreFailure === 'send') return undefined;
    const fault = isInstance(error, StoreFault) ? `: ${error.message}` : '';
    const message = `the journal could not write an entry${fault}.`;
    const facts = { code: 'journal_failed', outcome: 'not_sent', isRetryable: true } as const;
    throw new CardPlatformError({ ...facts, message, advice, operation: endpoint.id }, error);
  }
}

/**
 * Runs a call that is recorded: its entry is written before the first attempt, and removed when the
 * outcome is known. The response is therefore read at once.
 */
export async function runJournaled(
  journal: JournalOptions,
  checked: CheckedCall,
  call: Call,
  run: () => Promise<Delivered>,
): Promise<Delivered> {
  let settleEntry: SettleEntry | undefined;
  let recording: Promise<SettleEntry | undefined> | undefined;
  call.plan.beforeSending = async (credentials) => {
    recording = record(journal, call, checked, credentials);
    settleEntry = await recording;
  };
  let delivered: Delivered;
  try {
    delivered = await run();
  } catch (error) {
    const outcome = isInstance(error, Aborted) ? error.outcome : outcomeOf(error);
    await finish(checked, settleEntry, outcome);
    // The call ended while its entry was being written. Nothing was sent, so the entry must go.
    if (settleEntry === undefined) {
      recording?.then((late) => late?.('not_sent')).catch(() => undefined);
    }
    throw error;
  }
  const { response, read } = delivered;
  try {
    const result = read();
    // The caller's schema may be slow, and may fail: the service has acted in any case.
    if (result instanceof Promise) result.catch(() => undefined);
    await finish(checked, settleEntry, 'executed', result);
    return { response, read: () => result };
  } catch (error) {
    await finish(checked, settleEntry, outcomeOf(error));
    return {
      response,
      read: () => {
        throw error;
      },
    };
  }
}
