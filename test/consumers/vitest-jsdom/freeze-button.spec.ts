import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { mswHandlers } from 'card-platform-sdk/testing/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freezeButton } from './freeze-button.js';

const platform = createMockPlatform({ baseUrl: 'https://api.example.com' });
const server = setupServer(...mswHandlers(platform));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());
beforeEach(() => platform.reset());

function signIn(card: 'ACTIVE' | 'FROZEN', fetch?: typeof globalThis.fetch) {
  const { baseUrl, credentials } = platform;
  const client = new CardPlatformClient({
    baseUrl,
    clientKey: credentials.clientKey,
    ...(fetch && { fetch }),
  });
  return client.withAccessToken(platform.accessTokenFor(platform.users.add({ card })));
}

describe.each([
  ['the in-memory fetch', platform.fetch],
  ['MSW handlers', undefined],
])('the freeze button in jsdom with %s', (_access, fetch) => {
  it.each([
    ['ACTIVE', 'Frozen'],
    ['FROZEN', 'Was already frozen'],
  ] as const)('shows for a card that is %s: %s', async (card, text) => {
    const button = freezeButton(signIn(card, fetch));
    button.click();
    await vi.waitFor(() => expect(button.textContent).toBe(text));
  });

  it('shows "Try again" when the service responds 403', async () => {
    platform.fail('card.freeze', 403);
    const button = freezeButton(signIn('ACTIVE', fetch));
    button.click();
    await vi.waitFor(() => expect(button.textContent).toBe('Try again'));
  });
});

it('the client accepts a secret key in jsdom, which is not a browser', async () => {
  const { baseUrl, credentials } = platform;
  const client = new CardPlatformClient({ baseUrl, ...credentials });
  const given = { consentStatus: 'granted' } as const;
  const { consentSetId } = await client.consent.createOnboarding({
    onboardingId: 'onboarding-1',
    tenantId: 'tenant-1',
    policyType: 'global',
    consents: [
      { consentType: 'termsAndPrivacy', ...given },
      { consentType: 'marketingNotifications', ...given },
      { consentType: 'smsNotifications', ...given },
      { consentType: 'emailNotifications', ...given },
    ],
  });
  expect(consentSetId).toBeTruthy();
});
