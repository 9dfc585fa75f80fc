import { isApiError } from 'card-platform-sdk';
import { afterwards } from 'card-platform-sdk/query';

/** Returns the message to show after a failure. */
export function messageOf(error: unknown): string {
  if (isApiError(error, 'card_not_found')) return 'You have no card yet.';
  switch (afterwards(error)) {
    case 'retry':
      return 'That did not work. Please try again.';
    case 'look':
      return 'We do not know whether that worked. Please check before you try again.';
    case 'leave':
      return 'That was refused, or is already done.';
  }
}
