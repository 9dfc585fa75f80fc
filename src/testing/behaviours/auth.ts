import { ACCESS_TOKEN_LIFETIME_MS } from '../../contract/auth.js';
import { type Behaviours, type MockCall, ok, refuse, textOf } from '../behaviour.js';
import { isIn } from '../environment.js';
import type { MockUser } from '../state.js';

const LOCKED_AFTER = 5;
const OTP_LIFETIME_MS = 10 * 60_000;

const isLocked = (user: MockUser) => user.failedLogins >= LOCKED_AFTER;

function maskPhone(phoneNumber: string | null): string | null {
  return phoneNumber === null
    ? null
    : `${'*'.repeat(Math.max(0, phoneNumber.length - 4))}${phoneNumber.slice(-4)}`;
}

function askForOtp(user: MockUser) {
  const facts = { isOtpRequired: true, userId: user.id, phoneNumber: maskPhone(user.phoneNumber) };
  return user.otpAnswer === 400
    ? { status: 400, body: { message: 'OTP is required', ...facts } }
    : ok({ accessToken: null, ...facts });
}

function takeOtp(call: MockCall, user: MockUser): boolean {
  const { state, clock } = call;
  const code = textOf(call, 'otpCode');
  const sent = state.otps.find((otp) => otp.userId === user.id && otp.code === code);
  if (sent === undefined || sent.expiresAt <= clock.now()) return false;
  state.otps = state.otps.filter((otp) => otp !== sent);
  return true;
}

function openSession({ state, clock, ids }: MockCall, user: MockUser) {
  const accessToken = `access_${ids.hex(40)}`;
  const expiresAt = clock.now() + ACCESS_TOKEN_LIFETIME_MS;
  state.sessions.push({ accessToken, userId: user.id, expiresAt });
  return accessToken;
}

/** The users of the environment that a request is routed to. */
const usersOf = ({ state, environment }: MockCall) =>
  state.users.filter((user) => isIn(environment, user));

/** Login. */
export const authBehaviours: Behaviours = {
  'auth.login': (call) => {
    const user = usersOf(call).find(({ email }) => email === textOf(call, 'email'));
    if (user === undefined) return refuse(400, 'Invalid email or password');
    if (user.isDisabled) return refuse(400, 'Account is disabled');
    if (isLocked(user)) return refuse(400, 'Account is locked');
    if (user.password !== textOf(call, 'password')) {
      user.failedLogins++;
      return refuse(400, 'Invalid email or password');
    }
    if (user.otpEnabled && call.input['otpCode'] === undefined) return askForOtp(user);
    if (user.otpEnabled && !takeOtp(call, user)) {
      user.failedLogins++;
      return refuse(400, 'Invalid OTP code');
    }
    user.failedLogins = 0;
    const { id: userId, verificationState, isLinked, phase } = user;
    const facts = { userId, isOtpRequired: false, verificationState, isLinked };
    if (phase !== null) return ok({ accessToken: null, ...facts, phase });
    return ok({ accessToken: openSession(call, user), ...facts });
  },

  'auth.sendLoginOtp': (call) => {
    const { state, clock, ids } = call;
    const user = usersOf(call).find(({ id }) => id === textOf(call, 'userId'));
    if (user === undefined) return refuse(400, 'userId is required');
    if (user.phoneNumber === null) return refuse(400, 'user has no phone number');
    const expiresAt = clock.now() + OTP_LIFETIME_MS;
    state.otps = state.otps.filter(({ userId }) => userId !== user.id);
    state.otps.push({ userId: user.id, code: ids.digits(6), expiresAt });
    return ok({ success: true });
  },
};
