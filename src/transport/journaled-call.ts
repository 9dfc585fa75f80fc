import { CardPlatformError, ConfigurationError } from '../errors/index.js';
import { secretsOf } from './attempts/attempt.js';
import { CallAborted } from './attempts/deadline.js';
import { isInstance } from './outcome/network-error.js';
import { outcomeOf } from './outcome/outcome-of.js';
import type { Call } from './prepare-call.js';
import type { CallResponse } from './response/platform-promise.js';
import { redactError } from './response/redact-error.js';
import type { CheckedCall } from './settings/check-call.js';
import { JOURNAL, type Journal, type SettleEntry } from './settings/journal-option.js';

/** How long a call waits for the removal of its entry, in milliseconds. */
const REMOVAL_TIMEOUT_MS = 2_000;

/**
 * Reports the outcome to the journal. If that fails, the entry stays and can be reconciled: the result of
 * the call never changes.
 */
async function finish(
  { settings }: CheckedCall,
  settleEntry: SettleEntry | undefined,
  ...ending: Parameters<SettleEntry>
): Promise<void> {
  if (settleEntry === undefined) return;
  const { clock } = settings.attempts;
  let cancel: (() => void) | undefined;
  const tooLong = new Promise<void>((resolve) => {
    cancel = clock.schedule(resolve, REMOVAL_TIMEOUT_MS);
  });
  await Promise.race([settleEntry(...ending).catch(() => undefined), tooLong]);
  cancel?.();
}

async function record(
  journal: Journal,
  { plan, input }: Call,
  { options, settings }: CheckedCall,
  credentials: Readonly<Record<string, string>>,
): Promise<SettleEntry | undefined> {
  const { endpoint } = plan;
  const { sendsWithoutEntry, recorder, faultOf } = journal[JOURNAL];
  try {
    const accessToken = credentials['authorization']?.replace('Bearer ', '');
    const { region, deadline } = options;
    const { totalTimeout } = deadline;
    const secrets = secretsOf(plan, credentials);
    const hasSecret = (text: string) => secrets.redact(text) !== text;
    const request = { endpoint, input, region, accessToken, totalTimeout, hasSecret };
    return await recorder(settings.attempts.clock, settings.request.isProxied).record(request);
  } catch (error) {
    // An option that cannot work, not a store that failed.
    if (isInstance(error, ConfigurationError)) throw error;
    if (sendsWithoutEntry) return undefined;
    const fault = faultOf(error);
    const message = `the journal could not write an entry${fault === undefined ? '' : `: ${fault}`}.`;
    const advice =
      'Nothing was sent. Check the options store and user of the journal, then try again.';
    const facts = { code: 'journal_failed', outcome: 'not_sent', isRetryable: true } as const;
    const failure = { ...facts, message, advice, operation: endpoint.id };
    // A store may quote what it could not write.
    throw redactError(
      new CardPlatformError(failure, error),
      endpoint,
      secretsOf(plan, credentials),
    );
  }
}

/**
 * Runs a call that is recorded: its entry is written before the first attempt, and closed when the
 * outcome is known. The response is therefore read at once.
 */
export async function runJournaled(
  journal: Journal,
  checked: CheckedCall,
  call: Call,
  run: () => Promise<CallResponse>,
): Promise<CallResponse> {
  let settleEntry: SettleEntry | undefined;
  let recording: Promise<SettleEntry | undefined> | undefined;
  call.plan.beforeSending = async (credentials) => {
    recording = record(journal, call, checked, credentials);
    settleEntry = await recording;
    call.plan.hasEntry = settleEntry !== undefined;
  };
  let delivered: CallResponse;
  try {
    delivered = await run();
  } catch (error) {
    const outcome = isInstance(error, CallAborted) ? error.outcome : outcomeOf(error);
    await finish(checked, settleEntry, outcome);
    // The call ended while its entry was being written. Nothing was sent, so the entry must go.
    if (settleEntry === undefined) {
      recording?.then((late) => late?.('not_sent')).catch(() => undefined);
    }
    throw error;
  }
  const { response, read } = delivered;
  try {
    // Where no form is documented, only the caller's schema shows whether it is a success.
    const result = await read();
    await finish(checked, settleEntry, 'executed', result, response.headers);
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
