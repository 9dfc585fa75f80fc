import type { OpenEnum } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import {
  consentMetadata,
  contractRule,
  filledList,
  freeForm,
  identifier,
  input,
  list,
  maybe,
  oneOf,
  optional,
  responseBody,
  rule,
  text,
  timestamp,
  uuid,
} from './fields.js';
import { observedResponse, response } from './response.js';
import type { JsonObject } from './schema.js';

const CONSENT_TYPES = [
  'eSignAct',
  'termsAndPrivacy',
  'marketingNotifications',
  'smsNotifications',
  'emailNotifications',
] as const;

/** A kind of consent. */
export type ConsentType = (typeof CONSENT_TYPES)[number];

/**
 * The consents that each policy requires, each exactly once: `US` all five, `global` all but
 * `eSignAct`.
 */
export const REQUIRED_CONSENTS: Readonly<Record<'US' | 'global', readonly ConsentType[]>> = {
  US: CONSENT_TYPES,
  global: ['termsAndPrivacy', 'marketingNotifications', 'smsNotifications', 'emailNotifications'],
};

/** One consent of the user. */
export type ConsentInput = {
  consentType: ConsentType;
  consentStatus: 'granted' | 'denied';
  /**
   * For example `ipAddress`, `userAgent`, `timestamp` (ISO 8601), `clientId`, `version`. JSON of at
   * most 64 KiB: plain objects and arrays, no `Date`.
   */
  metadata?: JsonObject | undefined;
};

/** The consents of a person who is not a user yet. */
export type CreateConsentInput = {
  /** The id returned by e-mail verification, not a new one. */
  onboardingId: string;
  tenantId: string;
  policyType: 'global' | 'US';
  /** Every type that the policy requires, once. */
  consents: readonly ConsentInput[];
  /** Like the metadata of one consent. */
  metadata?: JsonObject | undefined;
};

/** A link to a further request. */
export type ConsentLink = { href?: string | null | undefined; method?: string | null | undefined };

/** A consent set that has been created. */
export type CreatedConsentSet = {
  consentSetId: string;
  onboardingId?: string | null | undefined;
  tenantId?: string | null | undefined;
  /** ISO 8601. */
  createdAt?: string | null | undefined;
  _links?: { self?: ConsentLink | null | undefined } | null | undefined;
};

/** The consent set, and the user to link it to. */
export type LinkConsentInput = {
  /** UUID of the consent set. */
  consentSetId: string;
  userId: string;
};

/** A stored consent. */
export type ConsentItem = {
  consentId?: string | null | undefined;
  consentType?: OpenEnum<ConsentType> | null | undefined;
  consentStatus?: OpenEnum<'granted' | 'denied'> | null | undefined;
  metadata?: JsonObject | null | undefined;
  createdAt?: string | null | undefined;
  updatedAt?: string | null | undefined;
};

/** The consents of one onboarding. */
export type ConsentSet = {
  consentSetId?: string | null | undefined;
  onboardingId?: string | null | undefined;
  /** `null` until linked. */
  userId?: string | null | undefined;
  tenantId?: string | null | undefined;
  policyType?: OpenEnum<'global' | 'US'> | null | undefined;
  /** ISO 8601; `null` until linked. */
  completedAt?: string | null | undefined;
  /** ISO 8601. */
  createdAt?: string | null | undefined;
  /** ISO 8601. */
  updatedAt?: string | null | undefined;
  consents?: readonly ConsentItem[] | null | undefined;
};

/** A consent set that has been linked to a user. Cannot be undone. */
export type LinkedConsentSet = {
  /** Absent, like all fields, when the service responds without a body. */
  consentSetId?: string | undefined;
  userId?: string | undefined;
  /** ISO 8601. */
  completedAt?: string | null | undefined;
  consentSet?: ConsentSet | null | undefined;
  _links?:
    | { self?: ConsentLink | null | undefined; audit?: ConsentLink | null | undefined }
    | null
    | undefined;
};

/** The consent set to return. */
export type GetConsentSetInput = {
  /** UUID of the consent set. */
  id: string;
};

function typesOf(input: CreateConsentInput): readonly ConsentType[] {
  return Array.isArray(input.consents) ? input.consents.map((item) => item?.consentType) : [];
}

function coversPolicy(input: CreateConsentInput): boolean {
  const given = typesOf(input);
  const isKnown = Object.hasOwn(REQUIRED_CONSENTS, input.policyType);
  return !isKnown || REQUIRED_CONSENTS[input.policyType].every((type) => given.includes(type));
}

function namesEachOnce(input: CreateConsentInput): boolean {
  const given = typesOf(input);
  return new Set(given).size === given.length;
}

const policyType = oneOf(['global', 'US']);
const consentType = oneOf(CONSENT_TYPES);
const consentStatus = oneOf(['granted', 'denied']);
/** A link to a further call. */
export const consentLink = responseBody({ href: text, method: text });

/** A consent set, as every endpoint shows it. */
export const consentSet = responseBody({
  consentSetId: uuid,
  onboardingId: text,
  // Set when linked.
  userId: maybe(text),
  tenantId: text,
  policyType,
  completedAt: maybe(timestamp),
  createdAt: timestamp,
  updatedAt: timestamp,
  consents: list(
    responseBody({
      consentId: text,
      consentType,
      consentStatus,
      metadata: freeForm,
      createdAt: timestamp,
      updatedAt: timestamp,
    }),
  ),
});

/** POST /v2/consent/onboarding */
export const createOnboardingConsent = defineEndpoint<CreateConsentInput, CreatedConsentSet>({
  id: 'consent.createOnboarding',
  method: 'POST',
  path: '/v2/consent/onboarding',
  pageAccess: 'on-request',
  credentials: ['clientKey', 'secretKey'],
  // A 500 is final: the first request may have taken effect unseen.
  retry: 'idempotent',
  retryAfterStatuses: [502, 503, 504],
  input: input(
    {
      onboardingId: identifier,
      tenantId: identifier,
      policyType,
      consents: filledList(
        input({
          consentType,
          consentStatus,
          metadata: optional(consentMetadata),
        }),
        'must have at least 1 consent',
      ),
      metadata: optional(consentMetadata),
    },
    contractRule('consents', 'must name every consent that the policy requires', coversPolicy),
    rule('consents', 'must name each consent once', namesEachOnce),
  ),
  responses: {
    201: response(
      responseBody({
        consentSetId: uuid,
        onboardingId: text,
        tenantId: text,
        createdAt: timestamp,
        _links: responseBody({ self: consentLink }),
      }),
      ['consentSetId'],
    ),
  },
  secretInputs: ['onboardingId'],
  secrets: ['onboardingId'],
  redactsNamed: true,
  errors: [400, 409, 498, 499],
  // The first request probably created the set, but its id was in the lost response.
  unknownWhenRetried: { 409: 'executed' },
});

/** PATCH /v2/consent/onboarding/{consentSetId} */
export const linkConsentToUser = defineEndpoint<LinkConsentInput, LinkedConsentSet>({
  id: 'consent.linkUser',
  method: 'PATCH',
  path: '/v2/consent/onboarding/{consentSetId}',
  pageAccess: 'on-request',
  credentials: ['clientKey', 'secretKey'],
  // A 500 is final: the first request may have taken effect unseen.
  retry: 'idempotent',
  retryAfterStatuses: [502, 503, 504],
  input: input({ consentSetId: uuid, userId: identifier }),
  responses: {
    200: response(
      responseBody({
        consentSetId: uuid,
        userId: text,
        completedAt: timestamp,
        consentSet,
        _links: responseBody({ self: consentLink, audit: consentLink }),
      }),
      ['consentSetId'],
      { mayBeEmpty: true },
    ),
  },
  secrets: ['consentSet.onboardingId'],
  redactsNamed: true,
  errors: [400, 404, 409],
  // The set is linked, but another caller may have linked another user.
  unknownWhenRetried: { 409: 'undecided' },
});

/** GET /v2/consent/consentSet/{id} (preview) */
export const getConsentSet = defineEndpoint<GetConsentSetInput, ConsentSet>({
  id: 'consent.getSet',
  method: 'GET',
  path: '/v2/consent/consentSet/{id}',
  pageAccess: 'on-request',
  credentials: ['clientKey', 'secretKey'],
  stability: 'preview',
  retry: 'safe',
  input: input({ id: uuid }),
  responses: { 200: observedResponse(consentSet) },
  secrets: ['onboardingId'],
  redactsNamed: true,
});
