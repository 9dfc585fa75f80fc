import { type Behaviours, ok, textOf } from '../behaviour.js';
import { isInEnvironment } from '../environment.js';
import { changeVerification } from '../events.js';
import { startVerification } from '../verification.js';

const VERIFICATION_LIFETIME_MS = 24 * 60 * 60_000;

/** Behaviours of the user, verification and referral endpoints. */
export const userBehaviours: Behaviours = {
  'user.startVerification': (call) => {
    const { state, user, emit } = call;
    if (state.choices.verificationPending === 'on-session') {
      if (user.verificationState !== 'VERIFIED') changeVerification(user, 'PENDING', emit);
    }
    return startVerification(call, user, VERIFICATION_LIFETIME_MS);
  },

  'user.get': ({ user }) => {
    const { id, email, verificationState, phoneNumber, profile, createdAt } = user;
    return ok({ id, ...profile, email, verificationState, phoneNumber, createdAt });
  },

  'referral.get': ({ state, user }) => ok(state.isReferralActive ? user.referral : {}),

  'referral.validate': (call) => {
    const { state, tenant, environment } = call;
    const code = textOf(call, 'code');
    const known = state.users.some(
      (user) =>
        user.referral.code === code && user.tenant === tenant && isInEnvironment(environment, user),
    );
    return ok({ valid: state.isReferralActive && known });
  },
};
