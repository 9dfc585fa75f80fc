import type { ClientOptions } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import type { LocalEvmWallet } from './local-evm-wallet.js';
import type { LocalSolanaWallet } from './local-solana-wallet.js';

/** The service of the journey, and the actions of the user and of a bank. */
export type JourneyEnvironment = {
  options: ClientOptions;
  login: { email: string; password: string };
  onboardingId: string;
  tenantId: string;
  wallet: string;
  productId: string;
  webhookId: string;
  /** Polling interval in milliseconds. */
  interval: number;
  /** Returns the code that was sent to the user's phone. */
  readOtp: () => Promise<string>;
  /** Opens the provider's page and submits documents. */
  completeVerification: (sessionUrl: string) => Promise<void>;
  /** Advances the clock of the mock platform. A real service needs no help. */
  passTime: () => void;
  /** Returns the current time of the service, in milliseconds since 1970. */
  now: () => number;
  /** Deposits money into the user's custodial wallet. */
  deposit: (amount: string) => void;
};

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`set ${name} to run against a real service`);
  return value;
}

/** Creates a mock platform that checks proofs on the chains of the user's wallets. */
export async function mockEnvironment(
  ownWallet: LocalEvmWallet | undefined,
  solanaWallet: LocalSolanaWallet | undefined,
): Promise<JourneyEnvironment> {
  const mock = createMockPlatform({
    verifyEvmProof: ownWallet?.verifyProof(() => mock.now),
    verifySolanaProof: solanaWallet?.verifyProof(() => mock.now),
  });
  const user = mock.users.add({
    email: 'ada@example.com',
    password: 'correct horse battery staple',
    otpEnabled: true,
    verificationState: 'UNVERIFIED',
    faucet: 'declined',
  });
  const webhookId = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
  const now = new Date(mock.now).toISOString();
  mock.state.webhooks.push({
    id: webhookId,
    tenant: 'mock-tenant',
    name: 'card events',
    url: 'https://hooks.example.com/card',
    apiKey: 'whk_0000000000000000000000000000000000000000',
    eventTypes: ['card.activated'],
    isActive: true,
    metadata: {},
    createdAt: now,
    updatedAt: now,
  });
  return {
    options: { baseUrl: mock.baseUrl, fetch: mock.fetch, ...mock.credentials },
    login: { email: user.email, password: user.password },
    onboardingId: 'onboarding-1',
    tenantId: 'mock-tenant',
    wallet: ownWallet?.address ?? '0x52908400098527886E0F7030069857D2E4169EE7',
    productId: 'metal-card',
    webhookId,
    interval: 1,
    readOtp: async () => mock.otpFor(user) ?? '',
    completeVerification: async () => mock.completeVerification(user),
    passTime: () => mock.advance('5 minutes'),
    now: () => mock.now,
    deposit: (amount) => {
      for (const wallet of user.internalWallets) wallet.balance = amount;
      mock.addTransactions(user, user.internalWallets[0]?.id ?? '', deposits(amount, now));
    },
  };
}

function deposits(amount: string, date: string) {
  return Array.from({ length: 24 }, (_, index) => ({
    name: `Deposit ${24 - index}`,
    amount,
    currency: 'usdc',
    sign: 'credit' as const,
    date,
  }));
}

/** Uses the service at `CARD_PLATFORM_BASE_URL`, with credentials from environment variables. */
export async function serviceEnvironment(baseUrl: string): Promise<JourneyEnvironment> {
  const { createInterface } = await import('node:readline/promises');
  const ask = async (question: string) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question(question);
    terminal.close();
    return answer.trim();
  };
  return {
    options: {
      baseUrl,
      clientKey: fromEnvironment('CARD_PLATFORM_CLIENT_KEY'),
      clientId: fromEnvironment('CARD_PLATFORM_CLIENT_ID'),
      secretKey: fromEnvironment('CARD_PLATFORM_SECRET_KEY'),
    },
    login: {
      email: fromEnvironment('CARD_PLATFORM_EMAIL'),
      password: fromEnvironment('CARD_PLATFORM_PASSWORD'),
    },
    onboardingId: fromEnvironment('CARD_PLATFORM_ONBOARDING_ID'),
    tenantId: fromEnvironment('CARD_PLATFORM_TENANT_ID'),
    wallet: fromEnvironment('CARD_PLATFORM_WALLET'),
    productId: fromEnvironment('CARD_PLATFORM_PRODUCT_ID'),
    webhookId: fromEnvironment('CARD_PLATFORM_WEBHOOK_ID'),
    interval: 5_000,
    readOtp: () => ask('The code that was sent to your phone: '),
    completeVerification: async (sessionUrl) => {
      await ask(`Open ${sessionUrl} and press Enter when you are done. `);
    },
    passTime: () => {},
    now: Date.now,
    deposit: () => {},
  };
}
