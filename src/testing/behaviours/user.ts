import { type Behaviours, ok, textOf } from '../behaviour.js';

const SESSION_MS = 24 * 60 * 60_000;

/** The user, verification and referral. */
export const userBehaviours: Behaviours = {
  'user.startVerification': ({ state, user, clock, baseUrl, ids }) => {
    const token = ids.uuid();
    state.pages.push({
      ...{ token, shows: 'verification', userId: user.id, isEmbedded: false, isSeen: false },
      expiresAt: clock.now() + SESSION_MS,
    });
    return ok({ sessionUrl: `${baseUrl}/verification?token=${token}` });
  },

  'user.get': ({ user }) => {
    const { id, email, verificationState, phoneNumber, profile } = user;
    return ok({ id, ...profile, email, verificationState, phoneNumber });
  },

  'referral.get': ({ state, user }) => ok(state.isReferralActive ? user.referral : {}),

  'referral.validate': (call) => {
    const { state } = call;
    const code = textOf(call, 'code');
    const known = state.users.some(({ referral }) => referral.code === code);
    return ok({ valid: state.isReferralActive && known });
  },
};
