import type { MockState } from '../state.js';

/** Returns the id of the user whose code, token or registration a request names. */
export function observedUserId(
  { observed }: MockState,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  if (observed === undefined) return undefined;
  const { code, refresh_token: token, onboardingId, contactVerificationId } = input;
  const { authorizations, grants, registrations } = observed;
  const authorization = authorizations.find((one) => one.code !== null && one.code === code);
  const grant = grants.find(
    ({ refreshToken, usedRefreshTokens }) =>
      refreshToken !== null && [refreshToken, ...usedRefreshTokens].some((one) => one === token),
  );
  const registration = registrations.find(
    (one) =>
      one.onboardingId === onboardingId || one.contactVerificationId === contactVerificationId,
  );
  return authorization?.userId ?? grant?.userId ?? registration?.userId;
}
