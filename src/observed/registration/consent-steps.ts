import { getConsentByOnboarding } from '../../contract/observed/consent.js';
import {
  ConfigurationError,
  call,
  createOnboardingConsent,
  isApiError,
  linkConsentToUser,
  outcomeOf,
  type Sender,
} from '../../endpoints/index.js';
import type {
  ConsentInput,
  ConsentItem,
  ConsentSet,
  CreateConsentInput,
  LinkConsentInput,
} from '../../index.js';
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
 * Looks up the sets of an onboarding after an error.
 *
 * @throws the same error where they cannot be seen; after a refusal, an error of the look-up that may pass
 */
async function setsAfter(
  error: unknown,
  { client, region }: RecordingContext,
  onboardingId: string,
): Promise<readonly ConsentSet[]> {
  try {
    const found = await call(client, getConsentByOnboarding, { onboardingId }, { region });
    return found?.consentSets ?? [];
  } catch (lookUp) {
    const mayPass = outcomeOf(error) === 'rejected' && outcomeOf(lookUp) !== 'rejected';
    throw mayPass ? lookUp : error;
  }
}

/** Whether a set has exactly these choices. One client sees sets without a policy. */
function isSetOf({ policyType, consents }: ConsentSet, input: CreateConsentInput): boolean {
  const choices = (items: readonly (ConsentItem | null)[]) =>
    items.map((item) => `${item?.consentType} ${item?.consentStatus}`).sort();
  const isPolicy = !policyType || policyType.toLowerCase() === input.policyType.toLowerCase();
  return isPolicy && String(choices(consents ?? [])) === String(choices(input.consents));
}

/**
 * Records the consents. After a lost response, or where they exist already, their id is looked up:
 * an onboarding cannot have a second set. A set with other choices is not that of this input.
 */
export async function recordConsents(
  context: RecordingContext,
  input: CreateConsentInput,
): Promise<string> {
  try {
    return (await requireConsents(context.consents).create(input)).consentSetId;
  } catch (error) {
    if (!mayExist(error)) throw error;
    const sets = await setsAfter(error, context, input.onboardingId);
    const consentSetId = sets.find((set) => isSetOf(set, input))?.consentSetId;
    if (!consentSetId) throw error;
    return consentSetId;
  }
}

/**
 * Links the consents. They may be linked already, by an earlier attempt whose response was lost, or
 * by somebody else to another user: only the set shows to whom.
 */
export async function linkConsents(
  context: RecordingContext,
  onboardingId: string,
  ids: LinkConsentInput,
): Promise<void> {
  try {
    await requireConsents(context.consents).link(ids);
  } catch (error) {
    if (!isApiError(error) || error.code !== 'consent_already_linked') throw error;
    const sets = await setsAfter(error, context, onboardingId);
    const isLinked = sets.some(
      ({ consentSetId, userId }) => consentSetId === ids.consentSetId && userId === ids.userId,
    );
    if (!isLinked) throw error;
  }
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
