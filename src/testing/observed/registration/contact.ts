import { type MockResponse, ok, textOf } from '../../behaviour.js';
import { MockUsers } from '../../users.js';
import { sendMessage } from '../messages.js';
import {
  isAt,
  type ObservedBehaviours,
  type ObservedCall,
  rejectedCode,
  userByEmail,
} from '../observed-call.js';
import type { MockContactVerification, MockRegistration } from '../state.js';
import { type Registering, shownUser, withRegistration } from './find-registration.js';

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
    creditBalance: '0',
    hasCreditWallet: false,
    profile: { ...EMPTY_PROFILE, countryOfResidence: textOf(call, 'countryOfResidence') },
  });
  const registration: MockRegistration = {
    ...place,
    onboardingId: ids.uuid(),
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
