import { type JournalVerdict, nextStepOf, outcomeOf } from 'card-platform-sdk';

/** Returns the message to show after a failed call. */
export function sentenceFor(error: unknown): string {
  const wasSent = outcomeOf(error) !== 'not_sent';
  switch (nextStepOf(error)) {
    case 'log_in':
      return 'Please log in again.';
    case 'look_up':
      return 'We do not know whether that was done. Please check before you try again.';
    case 'retry':
      // Nothing was sent, or a read or a freeze failed: sending it again does no harm.
      return wasSent
        ? 'That did not work. Please try again.'
        : 'Nothing was sent. Please try again.';
    default:
      return wasSent
        ? 'That was refused, or is already done. Trying again will not help.'
        : 'Nothing was sent. Please try again.';
  }
}

/** The message to show when the browser has deleted what it remembered of earlier withdrawals. */
export const LOST_RECORD =
  'This browser has lost its record of your earlier withdrawals. Check your balance and your history. Press OK when you know what was made.';

/** Returns the message to show about a withdrawal whose response was lost. */
export function sentenceOf(verdict: JournalVerdict, amount: string): string {
  switch (verdict) {
    case 'executed':
      return `Your withdrawal of ${amount} was made. You do not need to make it again.`;
    case 'not_executed':
      return `Your withdrawal of ${amount} was not made. No money was moved, so you can try again.`;
    case 'undecided':
      return `We do not know yet whether your withdrawal of ${amount} was made. Please wait: we keep checking.`;
  }
}
