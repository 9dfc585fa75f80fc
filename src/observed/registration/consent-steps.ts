import { getConsentByOnboarding } from '../../contract/observed/consent.js';
import {
  ConfigurationError,
  call,
  createOnboardingConsent,
  isApiError,
  linkConsentToUser,
  type Sender,
} from '../../endpoints/index.js';
import type { ConsentInput, CreateConsentInput } from '../../index.js';
import type { Region } from '../oauth/session-tokens.js';
import { hadNoEffect } from './refusals.js';

/** How consents are recorded. */
export type RegistrationConsents = {
  /**
   * Records the consents, for example through your server, which has the secret key. Returns the
   * `consentSetId`.
   */
  create: (input: CreateConsentInput) => Promise<{ consentSetId: string }>;
  /** Links the consents to the user. */
  link: (input: { consentSetId: string; userId: string }) => Promise<unknown>;
};

/** The parts of a registration that record consents. */
type RecordingContext = {
  client: Sender;
  region: Region;
  consents: RegistrationConsents | undefined;
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

/** Whether the consents may have been recorded although the call failed. */
const mayExist = (error: unknown) =>
  (isApiError(error) && error.code === 'consent_set_exists') || !hadNoEffect(error);

/**
 * Records the consents. After a lost response, or where they exist already, their id is looked up:
 * an onboarding cannot have a second set.
 */
export async function recordConsents(
  { client, region, consents }: RecordingContext,
  input: CreateConsentInput,
): Promise<string> {
  try {
    return (await requireConsents(consents).create(input)).consentSetId;
  } catch (error) {
    if (!mayExist(error)) throw error;
    const { onboardingId } = input;
    const found = await call(client, getConsentByOnboarding, { onboardingId }, { region });
    const consentSetId = found?.consentSets?.find((set) => set.consentSetId)?.consentSetId;
    if (!consentSetId) throw error;
    return consentSetId;
  }
}

/** Whether the consents are linked already, by an earlier attempt whose response was lost. */
export function isLinked(error: unknown): boolean {
  return isApiError(error) && error.code === 'consent_already_linked';
}

/** Returns the calls that record consents, and refuses a registration that records none. */
export function requireConsents(consents: RegistrationConsents | undefined): RegistrationConsents {
  if (consents !== undefined) return consents;
  throw new ConfigurationError('consents', 'consents is false: this registration records none.');
}

/** Returns the policy of a resident. */
export function policyOf(isInUs: boolean | undefined): CreateConsentInput['policyType'] {
  if (isInUs !== undefined) return isInUs ? 'US' : 'global';
  throw new ConfigurationError('policyType', 'policyType is required: the country is not known.');
}
