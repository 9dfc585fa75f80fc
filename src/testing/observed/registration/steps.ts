import { errorResponse, fieldErrors, type MockResponse, ok, textOf } from '../../behaviour.js';
import { changeVerification } from '../../events.js';
import { createSession } from '../../sessions.js';
import { startVerification } from '../../verification.js';
import type { ObservedBehaviours, ObservedCall } from '../observed-call.js';
import { type Registering, shownUser, withRegistration } from './find-registration.js';

type Country = [iso3166alpha2: string, name: string, callingCode: string, canSignUp: boolean];

const COUNTRIES: readonly Country[] = [
  ['BR', 'Brazil', '55', true],
  ['DE', 'Germany', '49', true],
  ['ES', 'Spain', '34', true],
  ['FR', 'France', '33', true],
  ['GB', 'United Kingdom', '44', true],
  ['JP', 'Japan', '81', false],
  ['PT', 'Portugal', '351', true],
  ['US', 'United States', '1', true],
];

const STATES: readonly [name: string, postalAbbreviation: string, canSignUp: boolean][] = [
  ['California', 'CA', true],
  ['Florida', 'FL', true],
  ['New York', 'NY', false],
  ['Texas', 'TX', true],
];

const LINKS = {
  termsAndConditions: 'https://legal.example/terms',
  accountOpeningDisclosure: 'https://legal.example/account-opening',
  noticeOfPrivacy: 'https://legal.example/privacy',
};

const CONFIG = {
  emailSpecialCharactersDomainsException: [],
  consentSmsNumber: '+15550199',
  supportEmail: 'support@legal.example',
};

/** The countries, links and contacts that a registration form shows. All are made up. */
const SETTINGS = {
  countries: COUNTRIES.map(([iso3166alpha2, name, callingCode, canSignUp]) => {
    return { id: iso3166alpha2.toLowerCase(), iso3166alpha2, name, callingCode, canSignUp };
  }),
  usStates: STATES.map(([name, postalAbbreviation, canSignUp]) => {
    return { id: postalAbbreviation.toLowerCase(), name, postalAbbreviation, canSignUp };
  }),
  links: {
    us: { ...LINKS, eSignConsentDisclosure: 'https://legal.example/e-sign' },
    intl: { ...LINKS, rightToInformation: 'https://legal.example/information' },
  },
  config: { us: CONFIG, intl: CONFIG },
};

/** Unlike the session of a signed-in user, that of a registration can be used again. */
const SESSION_LIFETIME_MS = 7 * 24 * 60 * 60_000;

/** The phases of a registration, in their order. */
const PHASES = ['PHONE_NUMBER', 'PERSONAL_INFORMATION', 'PHYSICAL_ADDRESS', 'MAILING_ADDRESS'];

/** Whether a registration has reached a phase. */
const hasReached = ({ user }: Registering, phase: string) =>
  user.phase === null || PHASES.indexOf(user.phase) >= PHASES.indexOf(phase);

const outOfOrder = (words: string) => errorResponse(400, words);

const isFromUs = ({ user }: Registering) =>
  user.profile['countryOfResidence']?.toUpperCase() === 'US';

function notVerified({ state }: ObservedCall, { user }: Registering): MockResponse {
  const status = user.notVerifiedStatus ?? state.choices.notVerifiedStatus;
  return { status, body: { code: 'USER_NOT_VERIFIED', message: 'User is not verified' } };
}

/** Copies fields of a request into the user's profile. */
function save(call: ObservedCall, { user }: Registering, fields: readonly string[]): void {
  for (const field of fields) user.profile[field] = textOf(call, field) || null;
}

/** Ends the registration: the user gets an access token, without a refresh token. */
function finish(call: ObservedCall, found: Registering): MockResponse {
  found.user.phase = null;
  return respond(found, { accessToken: createSession(call, found.user) });
}

const respond = (found: Registering, more: Readonly<Record<string, unknown>> = {}) =>
  ok({ ...more, onboardingId: found.registration.onboardingId, user: shownUser(found) });

const ADDRESS = ['addressLine1', 'addressLine2', 'city', 'zip', 'usState'];

/** Returns the field of the mailing address: `mailingCity` for `city`. */
const mailingField = (name: string) => `mailing${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const SUMMARY = [
  'id',
  'email',
  'firstName',
  'lastName',
  'phoneNumber',
  'verificationState',
  'addressLine1',
  'city',
  'countryOfResidence',
  'countryOfNationality',
];

/** The steps of a registration after the phone number, and the settings that its forms read. */
export const stepBehaviours: ObservedBehaviours = {
  'user.registration.settings': () => ok(SETTINGS),

  'user.registration.startVerification': withRegistration((call, found) => {
    const { user } = found;
    if (!hasReached(found, 'PERSONAL_INFORMATION')) return outOfOrder('Phone is not verified');
    // Observed: the verification is pending once the session exists, not once the user submits.
    if (user.verificationState !== 'VERIFIED') changeVerification(user, 'PENDING', call.emit);
    return startVerification(call, user, SESSION_LIFETIME_MS, { isReusable: true });
  }),

  'user.registration.submitPersonalDetails': withRegistration((call, found) => {
    const { user } = found;
    if (!hasReached(found, 'PERSONAL_INFORMATION')) return outOfOrder('Phone is not verified');
    if (user.verificationState !== 'VERIFIED') return notVerified(call, found);
    if (hasReached(found, 'MAILING_ADDRESS')) return outOfOrder('Personal details are final');
    if (isFromUs(found) && textOf(call, 'ssn') === '') {
      return fieldErrors({ field: 'ssn', message: 'is required' });
    }
    save(call, found, ['firstName', 'lastName', 'dateOfBirth', 'countryOfNationality', 'ssn']);
    user.phase = 'PHYSICAL_ADDRESS';
    return respond(found);
  }),

  'user.registration.submitAddress': withRegistration((call, found) => {
    const { user } = found;
    // Observed for every request after the one that created the user.
    if (hasReached(found, 'MAILING_ADDRESS')) return errorResponse(500, 'create user failed');
    if (!hasReached(found, 'PHYSICAL_ADDRESS')) return outOfOrder('Personal details are missing');
    if (isFromUs(found) && textOf(call, 'usState') === '') {
      return fieldErrors({ field: 'usState', message: 'is required' });
    }
    save(call, found, ADDRESS);
    if (!isFromUs(found) || call.input['isSameMailingAddress'] !== false)
      return finish(call, found);
    user.phase = 'MAILING_ADDRESS';
    return respond(found, { accessToken: null });
  }),

  'user.registration.submitMailingAddress': withRegistration((call, found) => {
    if (found.user.phase !== 'MAILING_ADDRESS') return outOfOrder('No mailing address is expected');
    const fields = ADDRESS.map((name) => [mailingField(name), textOf(call, name) || null]);
    found.registration.mailingAddress = Object.fromEntries(fields);
    return finish(call, found);
  }),

  'user.registration.get': withRegistration((_call, found) => {
    const shown = shownUser(found);
    // Here the date of birth is a complete instant, and everywhere else a date.
    const { dateOfBirth } = found.user.profile;
    const born = dateOfBirth ? `${dateOfBirth}T00:00:00.000Z` : null;
    const summary = Object.fromEntries(SUMMARY.map((name) => [name, shown[name]]));
    return ok({ ...summary, dateOfBirth: born });
  }),
};
