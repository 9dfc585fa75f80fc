import { fieldErrors, ok, textOf } from '../behaviour.js';
import { findSession } from '../credentials.js';
import { endAccessToken } from './grants.js';
import {
  isAt,
  type ObservedBehaviours,
  rejectedCode,
  sendMessage,
  userByEmail,
} from './observed-call.js';

/** No source shows the lifetime of the code or of the token: these are the mock's own. */
const CODE_LIFETIME_MS = 15 * 60_000;
const TOKEN_LIFETIME_MS = 10 * 60_000;

/** Logout and password reset. */
export const accountBehaviours: ObservedBehaviours = {
  'auth.logout': ({ state, headers }) => {
    endAccessToken(state, findSession(headers, state)?.accessToken ?? '');
    return ok({ success: true });
  },

  'auth.passwordReset.request': (call) => {
    const { observed, clock, ids } = call;
    const user = userByEmail(call, textOf(call, 'email'));
    if (user !== undefined) {
      const code = ids.digits(6);
      const expiresAt = clock.now() + CODE_LIFETIME_MS;
      // A new e-mail invalidates the previous code.
      observed.passwordResets = observed.passwordResets.filter(({ userId }) => userId !== user.id);
      observed.passwordResets.push({ userId: user.id, code, token: null, expiresAt });
      const message = { channel: 'email', to: user.email, purpose: 'password-reset' } as const;
      sendMessage(call, { ...message, code, expiresAt });
    }
    // The same response for every address, so that nobody learns which ones have an account.
    return ok({ success: true });
  },

  'auth.passwordReset.verify': (call) => {
    const { observed, clock, ids } = call;
    const user = userByEmail(call, textOf(call, 'email'));
    const code = textOf(call, 'code');
    const found = observed.passwordResets.find(
      (one) => one.userId === user?.id && one.code === code && one.token === null,
    );
    if (found === undefined || found.expiresAt <= clock.now()) {
      return rejectedCode(call, 'Invalid or expired code');
    }
    found.token = ids.secret('reset');
    found.expiresAt = clock.now() + TOKEN_LIFETIME_MS;
    return ok({ token: found.token });
  },

  'auth.passwordReset.confirm': (call) => {
    const { observed, state, clock } = call;
    const token = textOf(call, 'token');
    const password = textOf(call, 'password');
    if (password !== textOf(call, 'confirmPassword')) {
      return fieldErrors({ field: 'confirmPassword', message: 'must be equal to password' });
    }
    const found = observed.passwordResets.find((one) => one.token === token);
    const user = state.users.find((one) => one.id === found?.userId && isAt(call, one));
    if (found === undefined || user === undefined || found.expiresAt <= clock.now()) {
      return rejectedCode(call, 'Invalid or expired token');
    }
    observed.passwordResets = observed.passwordResets.filter((one) => one !== found);
    user.password = password;
    user.failedLogins = 0;
    return ok({ success: true });
  },
};
