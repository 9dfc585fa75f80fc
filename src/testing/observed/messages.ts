import type { ObservedCall } from './observed-call.js';
import type { MockMessage } from './state.js';

/** Records an e-mail or a text message, for a test to read. */
export function sendMessage(
  { observed, clock }: Pick<ObservedCall, 'observed' | 'clock'>,
  message: Omit<MockMessage, 'sentAt'>,
): void {
  observed.messages.push({ ...message, sentAt: clock.iso() });
}
