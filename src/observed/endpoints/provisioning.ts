import { defineEndpoint } from '../../endpoints/index.js';
import { filled, flag, isRecord, object, type Rule, seen } from '../schema/rule.js';
import { input, noInput, response, schemaOf } from '../schema/schema.js';

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

const pass = object<AppleProvisioning>({
  encryptedPassData: filled,
  activationData: filled,
  ephemeralPublicKey: filled,
});

/** The object that holds the pass: the body, or its `data`. */
function passIn(value: unknown): unknown {
  return isRecord(value) && isRecord(value['data']) && pass.check(value).length > 0
    ? value['data']
    : value;
}

// @__NO_SIDE_EFFECTS__
function insideData(rule: Rule): Rule {
  return { ...rule, check: (value) => rule.check(passIn(value)) };
}

/** POST /v1/card/wallet/provision/apple (certainty medium) */
export const provisionApple = /* @__PURE__ */ defineEndpoint({
  id: 'card.provisioning.apple',
  method: 'POST',
  path: '/v1/card/wallet/provision/apple',
  pageAccess: 'on-request',
  retry: 'never',
  input: input<ProvisionAppleInput>({
    leafCertificate: filled,
    intermediateCertificate: filled,
    nonce: filled,
    nonceSignature: filled,
  }),
  output: schemaOf(insideData(pass), (value) => passIn(value) as AppleProvisioning),
  secretInputs: ['leafCertificate', 'intermediateCertificate', 'nonce', 'nonceSignature'],
  secrets: ['*', 'data.*', 'encryptedPassData', 'activationData', 'ephemeralPublicKey'],
});

/** POST /v1/card/wallet/provision/google (certainty low) */
export const provisionGoogle = /* @__PURE__ */ defineEndpoint({
  id: 'card.provisioning.google',
  method: 'POST',
  path: '/v1/card/wallet/provision/google',
  pageAccess: 'on-request',
  retry: 'issues-token',
  input: noInput,
  sendsBody: true,
  output: response<GoogleProvisioning>({
    success: seen(flag),
    data: object<GoogleProvisioning['data']>({ opaquePaymentCard: filled }),
  }),
  secrets: ['*', 'data.*', 'opaquePaymentCard'],
});
