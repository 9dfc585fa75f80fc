import { errorResponse, fieldErrors, type MockResponse, ok, textOf } from '../behaviour.js';
import { createSession } from '../credentials.js';
import { changeVerification } from '../events.js';
import type { MockUser } from '../state.js';
import { MockUsers } from '../users.js';
import { startVerification } from '../verification.js';
import {
  isAt,
  type ObservedBehaviours,
  type ObservedCall,
  rejectedCode,
  sendMessage,
  userByEmail,
} from './observed-call.js';
import type { MockContactVerification, MockRegistration } from './state.js';

/** A registration and its user. */
type Registering = { registration: MockRegistration; user: MockUser };

/** Runs a step for the registration that a request names. Responds 404 when there is none. */
const withRegistration =
  (step: (call: ObservedCall, found: Registering) => MockResponse) =>
  (call: ObservedCall): MockResponse => {
    const { observed, state } = call;
    const onboardingId = textOf(call, 'onboardingId');
    const registration = observed.registrations.find(
      (one) => one.onboardingId === onboardingId && isAt(call, one),
    );
    const user = state.users.find(({ id }) => id === registration?.userId);
    if (registration && user) return step(call, { registration, user });
    return errorResponse(404, 'Onboarding not found');
  };

/** Returns a user's fields during the registration. The id is `null` until the address is known. */
function shownUser({ registration, user }: Registering): Record<string, unknown> {
  const { email, verificationState, phoneNumber, profile, createdAt } = user;
  const isCreated = user.phase === null || user.phase === 'MAILING_ADDRESS';
  return {
    id: isCreated ? user.id : null,
    ...profile,
    email,
    verificationState,
    phoneNumber,
    createdAt,
    ...registration.mailingAddress,
    contactVerificationId: registration.contactVerificationId,
  };
}

/** The sources say 10 to 15 minutes. */
const CODE_LIFETIME_MS = 15 * 60_000;

const unknownContact = (call: ObservedCall): MockResponse =>
  rejectedCode(call, 'Invalid or expired contact verification ID');

function findContact(call: ObservedCall): MockContactVerification | undefined {
  const id = textOf(call, 'contactVerificationId');
  return call.observed.contactVerifications.find((one) => one.id === id && isAt(call, one));
}

const EMPTY_PROFILE = { firstName: null, lastName: null, dateOfBirth: null };

/** Creates the user and the registration of a verified e-mail address. */
function createAccount(call: ObservedCall, contact: MockContactVerification): Registering {
  const { simulation, observed, ids, place, input } = call;
  const user = new MockUsers(simulation).add({
    ...place,
    email: contact.email,
    password: textOf(call, 'password'),
    phoneNumber: null,
    verified: false,
    phase: 'PHONE_NUMBER',
    hasCreditWallet: false,
    profile: { ...EMPTY_PROFILE, countryOfResidence: textOf(call, 'countryOfResidence') },
  });
  const registration: MockRegistration = {
    ...place,
    onboardingId: ids.token(),
    contactVerificationId: contact.id,
    userId: user.id,
    phone: null,
    mailingAddress: null,
    allowMarketing: input['allowMarketing'] === true,
    allowSms: input['allowSms'] === true,
    userExternalId: textOf(call, 'userExternalId') || null,
  };
  observed.registrations.push(registration);
  return { registration, user };
}

/** Returns the phone number of a request, in international form. */
const internationalNumber = (call: ObservedCall): string =>
  `+${textOf(call, 'phoneCountryCode').replace('+', '')}${textOf(call, 'phoneNumber')}`;

/** The steps of a registration that prove an e-mail address and a phone number. */
export const contactBehaviours: ObservedBehaviours = {
  'user.registration.sendEmailCode': (call) => {
    const { observed, clock, ids, place } = call;
    const email = textOf(call, 'email');
    const verification: MockContactVerification = {
      ...place,
      id: ids.uuid(),
      email,
      code: ids.digits(6),
      expiresAt: clock.now() + CODE_LIFETIME_MS,
      isVerified: false,
    };
    const { code, expiresAt } = verification;
    observed.contactVerifications.push(verification);
    sendMessage(call, { channel: 'email', to: email, purpose: 'registration', code, expiresAt });
    return ok({ contactVerificationId: verification.id });
  },

  'user.registration.verifyEmail': (call) => {
    const { clock } = call;
    const contact = findContact(call);
    const isOpen = contact !== undefined && !contact.isVerified && contact.expiresAt > clock.now();
    if (!isOpen || contact.email !== textOf(call, 'email')) return unknownContact(call);
    if (contact.code !== textOf(call, 'verificationCode')) {
      return rejectedCode(call, 'Invalid verification code');
    }
    contact.isVerified = true;
    if (userByEmail(call, contact.email) !== undefined) {
      return ok({ hasAccount: true, onboardingId: null, user: null });
    }
    const created = createAccount(call, contact);
    const { onboardingId } = created.registration;
    return ok({ hasAccount: false, onboardingId, user: shownUser(created) });
  },

  'user.registration.sendPhoneCode': (call) => {
    const { observed, clock, ids } = call;
    const contact = findContact(call);
    const registration = observed.registrations.find(
      ({ contactVerificationId }) => contactVerificationId === contact?.id,
    );
    if (registration === undefined) return unknownContact(call);
    const expiresAt = clock.now() + CODE_LIFETIME_MS;
    const code = ids.digits(6);
    const countryCode = textOf(call, 'phoneCountryCode');
    registration.phone = { countryCode, number: internationalNumber(call), code, expiresAt };
    const message = { channel: 'phone', purpose: 'registration' } as const;
    sendMessage(call, { ...message, to: internationalNumber(call), code, expiresAt });
    return ok({ success: true });
  },

  'user.registration.verifyPhone': withRegistration((call, found) => {
    const { registration, user } = found;
    if (findContact(call)?.id !== registration.contactVerificationId) return unknownContact(call);
    const { phone } = registration;
    const isSent = phone !== null && phone.number === internationalNumber(call);
    if (!isSent || phone.expiresAt <= call.clock.now()) {
      return rejectedCode(call, 'Verification code has expired');
    }
    if (phone.code !== textOf(call, 'verificationCode')) {
      return rejectedCode(call, 'Invalid verification code');
    }
    registration.phone = null;
    user.phoneNumber = phone.number;
    user.profile['phoneCountryCode'] = phone.countryCode;
    if (user.phase === 'PHONE_NUMBER') user.phase = 'PERSONAL_INFORMATION';
    return ok({ onboardingId: registration.onboardingId, user: shownUser(found) });
  }),
};

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
