import {
  call,
  createOnboardingConsent,
  linkConsentToUser,
  type Sender,
} from '../../endpoints/index.js';
import {
  ConfigurationError,
  type ConsentInput,
  type CreateConsentInput,
  isApiError,
} from '../../index.js';
import type { Region } from '../oauth/session-tokens.js';

/** How consents are recorded. */
export type RegistrationConsents = {
  /**
   * Records the consents, for example through your server, which holds the secret key. Returns the
   * `consentSetId`, also where the set exists already.
   */
  create: (input: CreateConsentInput) => Promise<{ consentSetId: string }>;
  /** Links the consents to the user. */
  link: (input: { consentSetId: string; userId: string }) => Promise<unknown>;
};

/** The consents of the user. */
export type RecordConsentInput = {
  tenantId: string;
  /** Every type that the policy requires, once: see `REQUIRED_CONSENTS`. */
  consents: readonly ConsentInput[];
  /** Default: `US` for a resident of the US, otherwise `global`. */
  policyType?: CreateConsentInput['policyType'] | undefined;
  metadata?: CreateConsentInput['metadata'];
};

/**
 * Returns the contract's calls. They need the secret key of the client, which only a server has.
 */
export function consentCalls(client: Sender, region: Region): RegistrationConsents {
  return {
    create: (input) => call(client, createOnboardingConsent, input, { region }),
    link: (input) => call(client, linkConsentToUser, input, { region }),
  };
}

/** Whether the consents are linked already: an earlier try whose response was lost. */
export function isLinked(error: unknown): boolean {
  return isApiError(error) && error.code === 'consent_already_linked';
}

/** Returns how consents are recorded. */
export function recordedConsents(consents: RegistrationConsents | undefined): RegistrationConsents {
  if (consents !== undefined) return consents;
  throw new ConfigurationError('consents', 'consents is false: this registration records none.');
}

/** Returns the policy of a resident. */
export function policyOf(isInUs: boolean | undefined): CreateConsentInput['policyType'] {
  if (isInUs !== undefined) return isInUs ? 'US' : 'global';
  throw new ConfigurationError('policyType', 'policyType is required: the country is not known.');
}
