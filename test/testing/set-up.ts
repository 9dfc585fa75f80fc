import { expect, onTestFinished } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import type { CreateWebhookInput } from '../../src/index.js';
import {
  createMockPlatform,
  type MockPlatform,
  type MockPlatformOptions,
  type NewUser,
} from '../../src/testing/index.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';

/** The input of a consent of onboarding that the platform accepts. */
export const CONSENT = {
  onboardingId: 'o-1',
  tenantId: 't',
  policyType: 'global',
  consents: [
    { consentType: 'termsAndPrivacy', consentStatus: 'granted' },
    { consentType: 'marketingNotifications', consentStatus: 'denied' },
    { consentType: 'smsNotifications', consentStatus: 'granted' },
    { consentType: 'emailNotifications', consentStatus: 'granted' },
  ],
} as const;

/** Statuses of successes that the contract leaves out, and that the live service has. */
const OBSERVED_SUCCESSES: Readonly<Record<string, readonly number[]>> = {
  'webhooks.create': [201],
};

/** Fails the test if a success of the platform had another status than the contract's. */
function expectDocumentedSuccesses({ requests }: MockPlatform): void {
  for (const { operation = '', status = 0 } of requests) {
    const row = CONTRACT_ROWS.find(({ id }) => id === operation);
    if (status < 200 || status >= 300) continue;
    const documented = row?.contract ? row.ok : OBSERVED_SUCCESSES[operation];
    if (documented !== undefined) expect(documented, operation).toContain(status);
  }
}

/**
 * Creates a platform with one user, and that user's client. Each success of the platform in the test
 * must have a status that the contract documents.
 */
export function setUp(user: NewUser = {}, options: MockPlatformOptions = {}) {
  const mock = createMockPlatform(options);
  onTestFinished(() => expectDocumentedSuccesses(mock));
  const ada = mock.users.add({ email: 'ada@example.com', password: 'pass', ...user });
  const appClient = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    retry: false,
  });
  return {
    mock,
    ada,
    platform: appClient,
    client: appClient.withAccessToken(mock.accessTokenFor(ada)),
  };
}

/** Creates a webhook, and returns it with its id and its key. */
export async function createWebhook(client: CardPlatformClient, input: CreateWebhookInput) {
  const { data } = await client.webhooks.create({ isActive: true, ...input });
  const { id, apiKey } = data ?? {};
  if (!id || !apiKey) throw new Error('the platform returned no webhook');
  return { ...data, id, apiKey };
}

/** The only status with which the mock platform refuses. Some other refusals have a choice. */
const STATUS_OF_REFUSAL: Readonly<Record<string, number>> = {
  card_already_frozen: 400,
  card_not_found: 404,
  card_not_frozen: 400,
  consent_already_linked: 409,
  consent_set_exists: 409,
  consent_set_not_found: 404,
  custodial_platform_required: 403,
  insufficient_balance: 400,
  invalid_network_or_currency: 422,
  invalid_recipient_address: 400,
  max_linked_wallets: 400,
  no_credit_wallet: 404,
  no_external_wallet: 400,
  no_phone_number: 400,
  user_already_has_card: 400,
  wallet_already_approved: 422,
  webhook_limit_reached: 400,
  webhook_not_found: 404,
  withdrawals_not_allowed: 400,
};

/**
 * Returns the code of a call's error, or `ok` when the call succeeds. Fails the test if the refusal
 * has another status than its only one.
 */
export async function codeOf(call: PromiseLike<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    const { code, status } = error as { code: string; status?: number };
    expect(status, code).toBe(STATUS_OF_REFUSAL[code] ?? status);
    return code;
  }
}
