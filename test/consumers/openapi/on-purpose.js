const EVENT_TYPES =
  'The package suggests the event types that are known. The service may have others.';
const EVENTS = '* or card.* or card.activated or kyc.status.changed or transaction.cleared';
const LIFETIME = 'The documents say seconds as a number. A program survives them as text.';

/** Differences that any endpoint may have, with their reasons. */
export const ANYWHERE = {
  'result resolvedByRetry: only in the package':
    'The client says so when a retry found the command done. The service has no such field.',
};

/** Where types that are generated from OpenAPI differ from ours on purpose, and why. */
export const ON_PURPOSE = {
  'card.status': {
    'result status: ACTIVE or BLOCKED or FROZEN or PENDING in OpenAPI, ACTIVE or BLOCKED or FROZEN or INACTIVE or PENDING in the package':
      'INACTIVE was observed. The contract does not have it.',
  },
  'delegation.getToken': {
    'result faucetOutcome: only in the package':
      'The client reads it from the status and the request.',
  },
  'referral.get': Object.fromEntries(
    ['cap', 'code', 'used'].map((name) => [
      `result ${name}: required only in the package`,
      'The service returns `{}` where no campaign is active. The client returns null.',
    ]),
  ),
  'wallets.internal.withdraw': Object.fromEntries(
    ['recipientMemo', 'sourceMemo'].map((name) => [
      `input ${name}: null only in the package`,
      'A wallet without a memo has null there. The client leaves it out.',
    ]),
  ),
  'webhooks.create': {
    [`input event_types.*: any in OpenAPI, ${EVENTS} in the package`]: EVENT_TYPES,
    [`result data.eventTypes.*: any in OpenAPI, ${EVENTS} in the package`]: EVENT_TYPES,
  },
  'webhooks.get': {
    [`result eventTypes.*: any in OpenAPI, ${EVENTS} in the package`]: EVENT_TYPES,
  },
  'webhooks.list': {
    [`result *.eventTypes.*: any in OpenAPI, ${EVENTS} in the package`]: EVENT_TYPES,
  },
  'webhooks.rotateKey': {
    [`result data.eventTypes.*: any in OpenAPI, ${EVENTS} in the package`]: EVENT_TYPES,
  },
  'webhooks.update': {
    [`input event_types.*: any in OpenAPI, ${EVENTS} in the package`]: EVENT_TYPES,
    [`result data.eventTypes.*: any in OpenAPI, ${EVENTS} in the package`]: EVENT_TYPES,
  },
  'auth.oauth.initiate': Object.fromEntries(
    ['code_challenge_method', 'response_type'].map((name) => [
      `input ${name}: only in OpenAPI`,
      'It always has one value, which the client adds.',
    ]),
  ),
  ...Object.fromEntries(
    ['auth.oauth.exchangeCode', 'auth.oauth.refresh'].map((id) => [
      id,
      {
        'result expires_in: number in OpenAPI, number or text in the package': LIFETIME,
        'result refresh_token_expires_in: number in OpenAPI, number or text in the package':
          LIFETIME,
      },
    ]),
  ),
  ...Object.fromEntries(
    ['auth.oauth2.exchangeCode', 'auth.oauth2.refresh'].map((id) => [
      id,
      { 'result expires_in: number in OpenAPI, number or text in the package': LIFETIME },
    ]),
  ),
  'auth.passwordReset.confirm': {
    'input confirmPassword: required only in OpenAPI': 'The client repeats the password.',
  },
  'webhooks.events.list': {
    'input status: any in OpenAPI, completed or failed or pending or processing or skipped in the package':
      'The package suggests the states that are known. The service may have others.',
  },
};
