import { check } from '../check.js';
import { defineEndpoint } from '../define-endpoint.js';
import { flag, maybe, notBlank } from '../fields.js';
import { isObject } from '../formats/is-object.js';
import { bodyOf, inputOf, noInput, objectOf, responseOf } from './schema.js';

/** The proof of the phone's wallet for one attempt. One code base hex-encodes all four fields. */
export type ProvisionAppleInput = {
  leafCertificate: string;
  intermediateCertificate: string;
  /** For one use. */
  nonce: string;
  nonceSignature: string;
};

/** Data to pass to the phone's wallet unchanged. Card credentials: every field prints redacted. */
export type AppleProvisioning = {
  encryptedPassData: string;
  activationData: string;
  ephemeralPublicKey: string;
};

/** Data to pass to the phone's wallet unchanged. Card credentials: every field prints redacted. */
export type GoogleProvisioning = {
  success?: boolean | null | undefined;
  data: { opaquePaymentCard: string };
};

const pass = objectOf<AppleProvisioning>({
  encryptedPassData: notBlank,
  activationData: notBlank,
  ephemeralPublicKey: notBlank,
});

/** The object that contains the pass: the body, or its `data`. */
function passIn(value: unknown): unknown {
  return isObject(value) && isObject(value['data']) && check(pass, value).length > 0
    ? value['data']
    : value;
}

/** POST /v1/card/wallet/provision/apple (certainty medium) */
export const provisionApple = defineEndpoint({
  id: 'card.provisioning.apple',
  certainty: 'medium',
  method: 'POST',
  path: '/v1/card/wallet/provision/apple',
  pageAccess: 'on-request',
  retry: 'never',
  isRecorded: false,
  input: inputOf<ProvisionAppleInput>({
    leafCertificate: notBlank,
    intermediateCertificate: notBlank,
    nonce: notBlank,
    nonceSignature: notBlank,
  }),
  output: bodyOf(pass, (value) => value as AppleProvisioning, passIn),
  secretInputs: ['leafCertificate', 'intermediateCertificate', 'nonce', 'nonceSignature'],
  secrets: ['*', 'data.*', 'encryptedPassData', 'activationData', 'ephemeralPublicKey'],
});

/** POST /v1/card/wallet/provision/google (certainty low) */
export const provisionGoogle = defineEndpoint({
  id: 'card.provisioning.google',
  certainty: 'low',
  method: 'POST',
  path: '/v1/card/wallet/provision/google',
  pageAccess: 'on-request',
  retry: 'issues-token',
  // Each request leaves one more card credential, so only the caller sends another.
  maxRequests: 1,
  input: noInput,
  sendsBody: true,
  output: responseOf<GoogleProvisioning>({
    success: maybe(flag),
    data: objectOf<GoogleProvisioning['data']>({ opaquePaymentCard: notBlank }),
  }),
  secrets: ['*', 'data.*', 'opaquePaymentCard'],
});
