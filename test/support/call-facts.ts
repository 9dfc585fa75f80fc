import type { CallSummary } from '../../src/transport/response/error-response.js';

/** The facts of a command whose outcome is not known. */
export const UNKNOWN_COMMAND: CallSummary = {
  operation: 'card.freeze',
  outcome: 'unknown',
  attempts: 1,
  isRead: false,
  isLogin: false,
  isRecorded: false,
  isRetryable: false,
};
