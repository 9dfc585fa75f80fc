import type { MockPlatform, NewUser } from '../testing/index.js';

/** One user for each result of a login that the first three users do not show. */
const FURTHER_LOGINS: readonly NewUser[] = [
  {
    email: 'alan@example.com',
    card: 'ACTIVE',
    profile: { firstName: 'Alan', lastName: 'Password' },
  },
  {
    email: 'edsger@example.com',
    otpEnabled: true,
    otpRequiredStatus: 200,
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
    profile: { firstName: 'Margaret', lastName: 'Us', usState: 'MA' },
  },
];

/** How each demo user logs in, for the console, the page and the guide. */
export const DEMO_LOGINS: readonly (readonly [email: string, login: string])[] = [
  ['alan@example.com', 'password'],
  ['ada@example.com', 'password and code; asks for the code with status 400'],
  ['edsger@example.com', 'password and code; asks for the code with status 200'],
  ['grace@example.com', 'password; not verified'],
  ['katherine@example.com', 'password; has not finished onboarding, so there is no token'],
  ['barbara@example.com', 'password; the client has no permission (403 afterwards)'],
  ['margaret@example.com', 'password; in the US environment (x-us-env: true)'],
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
  const date = new Date(platform.now).toISOString();
  const entries = Array.from({ length: 24 }, (_, index) => ({
    name: `Coffee ${24 - index}`,
    amount: '3.5',
    currency: 'usdc',
    sign: 'debit' as const,
    date,
  }));
  platform.addTransactions(ada, ada.creditWallet.id, entries);
  platform.addTransactions(grace, grace.creditWallet.id, entries.slice(0, 3));
}
