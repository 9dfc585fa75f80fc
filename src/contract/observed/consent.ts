import type { OpenEnum } from '../common.js';
import { type ConsentLink, type ConsentSet, consentLink, consentSet } from '../consent.js';
import { defineEndpoint } from '../define-endpoint.js';
import { list, mapOf, maybe, notBlank, oneOf, optional, text } from '../fields.js';
import { withOptionalFields } from '../response.js';
import { bodyOf, inputOf, objectOf, responseOf } from './schema.js';

/** The onboarding whose consents to return. */
export type ConsentByOnboardingInput = {
  /** The id of e-mail verification. A secret. */
  onboardingId: string;
};

/** The consents of an onboarding. */
export type ConsentByOnboarding = {
  onboardingId?: string | null | undefined;
  /** `userId` and `completedAt` are null until a set is linked. */
  consentSets?: readonly ConsentSet[] | null | undefined;
  _links?: Readonly<Record<string, ConsentLink | null | undefined>> | null | undefined;
};

/** The user whose consents to return. */
export type ConsentByUserInput = {
  userId: string;
  /** `'true'` (a string) asks for the consent sets. */
  full?: 'true' | undefined;
};

/** The consents of a user. */
export type ConsentByUser = {
  userId?: string | null | undefined;
  consentStatus?: OpenEnum<'complete'> | null | undefined;
  /** Only with `full`. */
  consentSets?: readonly ConsentSet[] | null | undefined;
  _links?: Readonly<Record<string, ConsentLink | null | undefined>> | null | undefined;
};

const sets = maybe(list(withOptionalFields(consentSet)));
const links = maybe(mapOf(maybe(withOptionalFields(consentLink))));

/** GET /v2/consent/onboarding/{onboardingId} (certainty high). `null` where there are none. */
export const getConsentByOnboarding = defineEndpoint({
  id: 'consent.getByOnboarding',
  certainty: 'high',
  method: 'GET',
  path: '/v2/consent/onboarding/{onboardingId}',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'safe',
  input: inputOf<ConsentByOnboardingInput>({ onboardingId: notBlank }),
  output: bodyOf(
    objectOf<ConsentByOnboarding>({
      onboardingId: maybe(text),
      consentSets: sets,
      _links: links,
    }),
    (value) => value as ConsentByOnboarding | null,
  ),
  mayBeEmpty: true,
  resultWhen: { 404: null },
  secretInputs: ['onboardingId'],
  secrets: ['onboardingId', 'consentSets.onboardingId'],
  errors: [404],
});

/** GET /v2/consent/user/{userId} (certainty medium) */
export const getConsentByUser = defineEndpoint({
  id: 'consent.getByUser',
  certainty: 'medium',
  method: 'GET',
  path: '/v2/consent/user/{userId}',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'safe',
  input: inputOf<ConsentByUserInput>({ userId: notBlank, full: optional(oneOf(['true'])) }),
  query: ['full'],
  output: responseOf<ConsentByUser>({
    userId: maybe(text),
    consentStatus: maybe(oneOf(['complete'])),
    consentSets: sets,
    _links: links,
  }),
  mayBeEmpty: true,
});
