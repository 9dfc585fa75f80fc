import { type Behaviours, ok, textOf } from '../behaviour.js';

/** The user, verification and referral. */
export const userBehaviours: Behaviours = {
  'user.startVerification': ({ baseUrl, ids }) =>
    ok({ sessionUrl: `${baseUrl}/verification?session=${ids.uuid()}` }),

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
