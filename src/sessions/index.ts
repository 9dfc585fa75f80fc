export { type ClientWithTokens, createSessions, type Sessions } from './create-sessions.js';
export { isSessionError, SessionError } from './session-error.js';
export type {
  Session,
  SessionEndReason,
  SessionLocks,
  SessionSnapshot,
  SessionsOptions,
  SessionTokens,
  SessionToRenew,
  SignedOutTokens,
  SignInOptions,
} from './types.js';
