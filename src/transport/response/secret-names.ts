import type { Endpoint } from '../../contract/endpoint.js';

/**
 * Names of fields that hold secrets. They are concealed in error bodies, and in everything of an
 * endpoint outside the contract.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  (
    'password newPassword oldPassword currentPassword passcode secret secretKey ' +
    'token accessToken refreshToken idToken sessionToken bearer authorization ' +
    'clientSecret codeVerifier privateKey apiKey signingKey clientKey ' +
    'otp otpCode pin cvv cvc pan ssn sigMessage sigHash signature ' +
    'imageUrl hostedPageUrl sessionUrl onboardingId'
  )
    .split(' ')
    .map(normalise),
);

function normalise(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** Whether a field of this name holds a secret: `refresh_token`, `refreshToken`, `refresh-token`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(normalise(name));
}

/** The last name in a path. For `user.*`, which stands for every field of `user`, it is `user`. */
const lastPart = (path: string) => path.replace(/\.\*$/, '').replace(/^.*\./, '');

/** Returns a test for input fields that hold secrets, at any depth. */
export function isSecretInput({ secretInputs = [], concealsNamed }: Endpoint) {
  return (name: string): boolean =>
    secretInputs.includes(lastPart(name)) ||
    (concealsNamed === true && isSecretName(lastPart(name)));
}

/**
 * Returns a test for fields of an error body that hold secrets. A failing service may send anything,
 * so every name that is secret elsewhere is secret here.
 */
export function isSecretInError({ secrets, secretInputs = [] }: Endpoint) {
  const names = new Set([...secrets.map(lastPart), ...secretInputs]);
  return (name: string): boolean => names.has(name) || isSecretName(name);
}
