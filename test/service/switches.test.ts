import { describe, expect, it } from 'vitest';
import { RateLimitError } from '../../src/index.js';
import { rejection } from '../support/clients.js';
import { CONSENT } from '../testing/set-up.js';
import { onPlatform, PLATFORMS } from './platforms.js';

const RECIPIENT = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

describe.each(PLATFORMS)('the platform %s', (way) => {
  it.each([
    'with-retry-after',
    'without-retry-after',
  ] as const)('limits the logins of one user, %s', (loginRateLimit) =>
    onPlatform(way, { platform: { choices: { loginRateLimit } } }, async (reached) => {
      const { mock, ada, client } = reached;
      const bob = mock.users.add({ email: 'bob@example.com' });
      const login = (user: typeof ada) =>
        client.auth.login({ email: user.email, password: user.password });
      for (let count = 0; count < 5; count++) await login(ada);
      mock.advance('20 seconds');
      const error = await rejection(login(ada));
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ status: 429, outcome: 'rejected' });
      const { headers } = error as RateLimitError;
      const isSent = loginRateLimit === 'with-retry-after';
      expect(headers?.['retry-after']).toBe(isSent ? '40' : undefined);
      await login(bob);
      await client.auth.sendLoginOtp({ userId: ada.id });
      mock.advance('40 seconds');
      await login(ada);
    }));

  it('limits no login unless it is chosen', () =>
    onPlatform(way, {}, async ({ ada, client }) => {
      const { email, password } = ada;
      for (let count = 0; count < 12; count++) await client.auth.login({ email, password });
    }));

  it('pays only recipients that are allowed, where that is chosen', () =>
    onPlatform(
      way,
      {
        user: { wallets: [{ balance: '9' }] },
        platform: { choices: { recipients: 'allowed-only' } },
      },
      async ({ ada, client }) => {
        const input = {
          ...{ amount: '1', currency: 'usdc', recipientAddress: RECIPIENT },
          sourceAddress: ada.internalWallets[0]?.address ?? '',
        };
        const refused = await rejection(client.wallets.internal.withdraw(input));
        expect(refused).toMatchObject({ status: 403, outcome: 'rejected' });
        expect(ada.internalWallets[0]?.balance).toBe('9');
        ada.allowedRecipients.push(RECIPIENT);
        await client.wallets.internal.withdraw(input);
        expect(ada.internalWallets[0]?.balance).toBe('8');
      },
    ));

  it('lets only verified users withdraw, where that is chosen', () =>
    onPlatform(
      way,
      { user: { verified: false, wallets: [{ balance: '9' }] } },
      async ({ mock, ada, client }) => {
        const input = {
          ...{ amount: '1', currency: 'usdc', recipientAddress: RECIPIENT },
          sourceAddress: ada.internalWallets[0]?.address ?? '',
        };
        await client.wallets.internal.withdraw(input);
        Object.assign(mock.state.choices, { withdrawals: 'verified-only', notVerifiedStatus: 400 });
        // What a user has counts before what the platform has.
        for (const status of [403, 400] as const) {
          ada.notVerifiedStatus = status === 403 ? status : undefined;
          expect(await rejection(client.wallets.internal.withdraw(input))).toMatchObject({
            ...{ code: 'user_not_verified', status },
          });
        }
        mock.completeVerification(ada);
        await client.wallets.internal.withdraw(input);
      },
    ));

  it.each([
    ['documented', [true, true, false]],
    ['absent', [false, false, false]],
    ['on-reads-too', [true, true, true]],
  ] as const)('has links of a consent set: %s', (consentLinks, shown) =>
    onPlatform(way, { platform: { choices: { consentLinks } } }, async ({ ada, client, mock }) => {
      const created = await client.consent.createOnboarding(CONSENT);
      const { consentSetId } = created;
      const linked = await client.consent.linkUser({ consentSetId, userId: ada.id });
      const read = await client.consent.getSet({ id: consentSetId });
      const responses = [created, linked, read].map((one) => Reflect.get(one, '_links'));
      expect(responses.map((links) => links !== undefined)).toEqual(shown);
      const self = { href: `${mock.baseUrl}/v2/consent/consentSet/${consentSetId}`, method: 'GET' };
      for (const links of responses.filter(Boolean)) expect(links).toMatchObject({ self });
      if (shown[1]) expect(responses[1]).toHaveProperty('audit.method', 'GET');
    }));
});
