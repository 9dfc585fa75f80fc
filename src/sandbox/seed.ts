import type { MockPlatform } from '../testing/index.js';

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
