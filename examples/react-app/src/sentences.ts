import { type JournalVerdict, nextStepOf, outcomeOf } from 'card-platform-sdk';

/** Returns the message to show after a failed call. */
export function sentenceFor(error: unknown): string {
  switch (nextStepOf(error)) {
    case 'retry':
      // Nothing was sent, or a read or a freeze failed: sending it again does no harm.
      return outcomeOf(error) === 'not_sent'
        ? 'Nothing was sent. Please try again.'
        : 'That did not work. Please try again.';
    case 'look_up':
      return 'We do not know whether that was done. Please check before you try again.';
    case 'log_in':
      return 'Please log in again.';
    case 'show_user':
    case 'contact':
    case 'done':
      return 'That was refused, or is already done. Trying again will not help.';
  }
}

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
