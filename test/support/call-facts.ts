import type { CallFacts } from '../../src/transport/response/error-response.js';

/** The facts of a command whose outcome is not known. */
export const UNKNOWN_COMMAND: CallFacts = {
  operation: 'card.freeze',
  outcome: 'unknown',
  attempts: 1,
  isRead: false,
  isLogin: false,
  isRecorded: false,
  isRetryable: false,
};
