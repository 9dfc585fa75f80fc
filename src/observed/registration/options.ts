import { ConfigurationError, type Sender } from '../../endpoints/index.js';
import type { KeyValueStore } from '../../index.js';
import type { Region } from '../oauth/session-tokens.js';
import { consentCalls, type RegistrationConsents } from './consent-steps.js';
import { StepRunner } from './step-runner.js';
import { RegistrationStore, type StoredRegistration } from './stored-registration.js';

/** The options of {@link createRegistration}. */
export type RegistrationOptions = {
  /** The region of the user. All steps, the login and later calls of one user use the same. */
  region: Region;
  /**
   * Keeps the step and the ids of the registration. They are secrets: together with the public
   * client key, `onboardingId` gives access to personal data. Pass a keychain, or `sessionStorage`.
   * Default: memory, so closing the page loses the registration.
   */
  store?: KeyValueStore | undefined;
  /** The key in the store. Default `card-platform.registration`. */
  key?: string | undefined;
  /**
   * How consents are recorded. Default: the contract's calls, for which the client needs the secret
   * key, so only on a server. `false` leaves both consent steps out.
   */
  consents?: RegistrationConsents | false | undefined;
};

/** The parts of a registration that its steps use. */
export type RegistrationContext = {
  client: Sender;
  region: Region;
  stored: RegistrationStore;
  runner: StepRunner;
  consents: RegistrationConsents | undefined;
  /** The step after the personal details. */
  afterDetails: (state: StoredRegistration) => 'consent' | 'address';
};

/** Returns an id that an earlier step has returned. */
export function required<
  Name extends 'onboardingId' | 'contactVerificationId' | 'consentSetId' | 'userId',
>(state: Readonly<Partial<Record<Name, string | undefined>>>, name: Name): string {
  const value = state[name];
  if (value !== undefined) return value;
  throw new ConfigurationError(
    name,
    `${name} is not known on this device, so nothing was sent. Continue on the device where the ` +
      'registration began, or begin again with restart().',
  );
}

/** Checks the options. */
export function contextOf(
  client: Sender,
  { region, store, key = 'card-platform.registration', consents }: RegistrationOptions,
): RegistrationContext {
  if (region !== 'us' && region !== 'global') {
    throw new ConfigurationError('region', "region must be 'us' or 'global'.");
  }
  const chosen = consents ?? consentCalls(client, region);
  const stored = new RegistrationStore(store, key, region);
  return {
    client,
    region,
    stored,
    runner: new StepRunner(stored),
    consents: chosen === false ? undefined : chosen,
    afterDetails: ({ consentSetId }) =>
      chosen === false || consentSetId !== undefined ? 'address' : 'consent',
  };
}
