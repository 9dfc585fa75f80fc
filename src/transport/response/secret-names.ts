import type { Endpoint } from '../../contract/endpoint.js';

/**
 * Names under which a secret is sent or returned, whatever the endpoint. A request outside the table
 * of endpoints conceals these without being asked.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  [
    ...[
      'password',
      'newPassword',
      'oldPassword',
      'currentPassword',
      'passcode',
      'secret',
      'secretKey',
    ],
    ...[
      'token',
      'accessToken',
      'refreshToken',
      'idToken',
      'sessionToken',
      'bearer',
      'authorization',
    ],
    ...['clientSecret', 'codeVerifier', 'privateKey', 'apiKey', 'signingKey', 'clientKey'],
    ...['otp', 'otpCode', 'pin', 'cvv', 'cvc', 'pan', 'ssn', 'sigMessage', 'sigHash', 'signature'],
    ...['imageUrl', 'hostedPageUrl', 'sessionUrl', 'onboardingId'],
  ].map(normalise),
);

function normalise(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** Whether a field of this name holds a secret: `refresh_token`, `refreshToken`, `refresh-token`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(normalise(name));
}

const lastPart = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** Tells which fields of an input hold secrets, wherever they stand. */
export function isSecretInput({ secretInputs = [], concealsNamed }: Endpoint) {
  return (name: string): boolean =>
    secretInputs.includes(lastPart(name)) ||
    (concealsNamed === true && isSecretName(lastPart(name)));
}

/**
 * Tells which fields of an error body hold secrets. A service that failed may say anything, so names
 * that are secret somewhere are secret here.
 */
export function isSecretInError({ secrets, secretInputs = [] }: Endpoint) {
  const names = new Set([...secrets.map(lastPart), ...secretInputs]);
  return (name: string): boolean => names.has(name) || isSecretName(name);
}
