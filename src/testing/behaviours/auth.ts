import { type Behaviours, errorResponse, type MockCall, ok, textOf } from '../behaviour.js';
import { createSession } from '../credentials.js';
import { isInEnvironment } from '../environment.js';
import type { MockUser } from '../state.js';
import { MAX_FAILED_LOGINS } from '../users.js';

const OTP_LIFETIME_MS = 10 * 60_000;

const isLocked = (user: MockUser) => user.failedLogins >= MAX_FAILED_LOGINS;

function maskPhone(phoneNumber: string | null): string | null {
  return phoneNumber === null
    ? null
    : `${'*'.repeat(Math.max(0, phoneNumber.length - 4))}${phoneNumber.slice(-4)}`;
}

function otpRequired({ state }: MockCall, user: MockUser, status: 200 | 400) {
  const whom = { userId: user.id, phoneNumber: maskPhone(user.phoneNumber) };
  const facts = { isOtpRequired: true, ...(state.choices.otpRequest === 'shown' && whom) };
  return status === 400
    ? { status: 400, body: { message: 'OTP is required', ...facts } }
    : ok({ accessToken: null, ...facts });
}

function otpRejected(call: MockCall, user: MockUser, status: 200 | 400 | 401) {
  return status === 200
    ? otpRequired(call, user, status)
    : errorResponse(status, 'Invalid OTP code');
}

function consumeOtp(call: MockCall, user: MockUser): boolean {
  const { state, clock } = call;
  const code = textOf(call, 'otpCode');
  const sent = state.otps.find((otp) => otp.userId === user.id && otp.code === code);
  if (sent === undefined || sent.expiresAt <= clock.now()) return false;
  state.otps = state.otps.filter((otp) => otp !== sent);
  return true;
}

/** The refusal of wrong login data, also where there is no such user. */
export const WRONG_LOGIN = 'Invalid email or password';

/** Returns why a password does not log a user in; `undefined` when it does. Counts a wrong one. */
export function passwordProblem(user: MockUser, password: string): string | undefined {
  if (user.isDisabled) return 'Account is disabled';
  if (isLocked(user)) return 'Account is locked';
  if (user.password === password) return undefined;
  user.failedLogins++;
  return WRONG_LOGIN;
}

const LIMITED_LOGINS = 5;
const LOGIN_WINDOW_MS = 60_000;

/** The refusal of the sixth attempt within a minute. The contract shows no rate limit. */
function rateLimited(call: MockCall, who: string) {
  const { state, clock, endpoint, tenant, environment } = call;
  const { loginRateLimit } = state.choices;
  if (loginRateLimit === 'off') return undefined;
  const key = `${endpoint.id} ${tenant} ${environment} ${who.toLowerCase()}`;
  const now = clock.now();
  state.loginAttempts = state.loginAttempts.filter(({ at }) => at > now - LOGIN_WINDOW_MS);
  const earlier = state.loginAttempts.filter((one) => one.key === key);
  const [oldest] = earlier;
  if (earlier.length < LIMITED_LOGINS || oldest === undefined) {
    state.loginAttempts.push({ key, at: now });
    return undefined;
  }
  const seconds = Math.ceil((oldest.at + LOGIN_WINDOW_MS - now) / 1_000);
  const headers = { 'retry-after': String(seconds) };
  return {
    ...errorResponse(429, 'Too many requests'),
    ...(loginRateLimit === 'with-retry-after' && { headers }),
  };
}

/** The users of the tenant and the environment that a request is for. */
const usersOf = ({ state, environment, tenant }: MockCall) =>
  state.users.filter((user) => user.tenant === tenant && isInEnvironment(environment, user));

/** Behaviours of the login endpoints. */
export const authBehaviours: Behaviours = {
  'auth.login': (call) => {
    const limited = rateLimited(call, textOf(call, 'email'));
    if (limited !== undefined) return limited;
    const user = usersOf(call).find(({ email }) => email === textOf(call, 'email'));
    const { choices } = call.state;
    const rejected = user?.loginRejectedStatus ?? choices.loginRejectedStatus;
    if (user === undefined) return errorResponse(rejected, WRONG_LOGIN);
    const problem = passwordProblem(user, textOf(call, 'password'));
    if (problem !== undefined) return errorResponse(rejected, problem);
    if (user.otpEnabled && call.input['otpCode'] === undefined) {
      return otpRequired(call, user, user.otpRequiredStatus ?? choices.otpRequiredStatus);
    }
    if (user.otpEnabled && !consumeOtp(call, user)) {
      user.failedLogins++;
      return otpRejected(call, user, user.otpRejectedStatus ?? choices.otpRejectedStatus);
    }
    user.failedLogins = 0;
    const { id: userId, verificationState, isLinked, phase } = user;
    const facts = { userId, isOtpRequired: false, verificationState, isLinked };
    if (phase !== null) return ok({ accessToken: null, ...facts, phase });
    return ok({ accessToken: createSession(call, user), ...facts });
  },

  'auth.sendLoginOtp': (call) => {
    const { state, clock, ids } = call;
    const limited = rateLimited(call, textOf(call, 'userId'));
    if (limited !== undefined) return limited;
    const user = usersOf(call).find(({ id }) => id === textOf(call, 'userId'));
    if (user === undefined) return errorResponse(400, 'userId is required');
    if (user.phoneNumber === null) return errorResponse(400, 'user has no phone number');
    const expiresAt = clock.now() + OTP_LIFETIME_MS;
    state.otps = state.otps.filter(({ userId }) => userId !== user.id);
    state.otps.push({ userId: user.id, code: ids.digits(6), expiresAt });
    return ok({ success: true });
  },
};
