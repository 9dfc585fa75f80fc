import type { MockPlatform, NewExternalWallet, NewUser } from '../testing/index.js';

/** A wallet of the user's own, to which the credit wallet can pay. */
const REGISTERED: NewExternalWallet = { network: 'linea', balance: '1000', allowance: '500' };

const HOUR_MS = 3_600_000;
/**
 * Age of the newest entry of a history. A withdrawal with an unknown outcome is compared with the
 * entries around it, so entries of today would leave each of them undecided.
 */
const NEWEST_ENTRY_MS = 72 * HOUR_MS;

/** One user for each result of a login that the first three users do not show. */
const FURTHER_LOGINS: readonly NewUser[] = [
  {
    email: 'alan@example.com',
    card: 'ACTIVE',
    externalWallets: [REGISTERED],
    wallets: [
      { network: 'linea', currency: 'usdc', balance: '80', isLinked: true },
      { network: 'xrp', currency: 'xrp', balance: '500' },
    ],
    profile: { firstName: 'Alan', lastName: 'Password' },
  },
  {
    email: 'edsger@example.com',
    otpEnabled: true,
    otpRequiredStatus: 200,
    externalWallets: [REGISTERED],
    profile: { firstName: 'Edsger', lastName: 'Code' },
  },
  {
    email: 'katherine@example.com',
    phase: 'PERSONAL_INFORMATION',
    verified: false,
    profile: { firstName: 'Katherine', lastName: 'Onboarding' },
  },
  { email: 'hedy@example.com', locked: true, profile: { firstName: 'Hedy', lastName: 'Tries' } },
  {
    email: 'barbara@example.com',
    isLinked: false,
    profile: { firstName: 'Barbara', lastName: 'Forbidden' },
  },
  {
    email: 'margaret@example.com',
    environment: 'us',
    card: 'ACTIVE',
    externalWallets: [REGISTERED],
    profile: { firstName: 'Margaret', lastName: 'Us', usState: 'MA' },
  },
];

/** How each demo user logs in, for the console, the page and the guide. */
export const DEMO_LOGINS: readonly (readonly [email: string, login: string])[] = [
  ['alan@example.com', 'password; can withdraw'],
  ['ada@example.com', 'password and code; asks for the code with status 400; can withdraw'],
  ['edsger@example.com', 'password and code; asks for the code with status 200; can withdraw'],
  ['grace@example.com', 'password; not verified'],
  ['katherine@example.com', 'password; has not finished onboarding, so there is no token'],
  ['barbara@example.com', 'password; the client has no permission (403 afterwards)'],
  ['margaret@example.com', 'password; in the US environment (x-us-env: true); can withdraw'],
  ['linus@example.com', 'refused: disabled'],
  ['hedy@example.com', 'refused: locked after five wrong passwords'],
];

/** Adds demo users in the states that an app must show. */
export function seedDemo(platform: MockPlatform): void {
  const ada = platform.users.add({
    email: 'ada@example.com',
    card: 'ACTIVE',
    otpEnabled: true,
    creditBalance: '250.75',
    externalWallets: [REGISTERED],
    wallets: [
      { network: 'linea', currency: 'usdc', balance: '120.5', isLinked: true },
      { network: 'solana', currency: 'usdc', balance: '40' },
    ],
  });
  const grace = platform.users.add({
    email: 'grace@example.com',
    verificationState: 'UNVERIFIED',
    profile: { firstName: 'Grace', lastName: 'Hopper', countryOfResidence: 'US' },
  });
  platform.users.add({
    email: 'linus@example.com',
    isDisabled: true,
    profile: { firstName: 'Linus', lastName: 'Locked', countryOfResidence: 'FI' },
  });
  for (const user of FURTHER_LOGINS) platform.users.add(user);
  const entries = Array.from({ length: 24 }, (_, index) => ({
    name: `Coffee ${24 - index}`,
    amount: '3.5',
    currency: 'usdc',
    sign: 'debit' as const,
    date: new Date(platform.now - NEWEST_ENTRY_MS - index * 12 * HOUR_MS).toISOString(),
  }));
  platform.addTransactions(ada, ada.creditWallet.id, entries);
  platform.addTransactions(grace, grace.creditWallet.id, entries.slice(0, 3));
}
