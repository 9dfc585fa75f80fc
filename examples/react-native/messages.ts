import { isApiError, nextStepOf, outcomeOf } from 'card-platform-sdk';

/** Returns the message to show after a failure. */
export function messageOf(error: unknown): string {
  if (isApiError(error, 'card_not_found')) return 'You have no card yet.';
  switch (nextStepOf(error)) {
    case 'retry':
      return 'That did not work. Please try again.';
    case 'look_up':
      return 'We do not know whether that worked. Please check before you try again.';
    case 'log_in':
      return 'Please log in again.';
    default:
      return outcomeOf(error) === 'not_sent'
        ? 'Nothing was sent. Please try again.'
        : 'That was refused, or is already done.';
  }
}
