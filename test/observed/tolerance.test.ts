import { describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { type ObservedPlatform, observe } from '../../src/observed/index.js';
import { rejection } from '../support/clients.js';

/** The calls of a strict client whose service always responds with this body, and its drift. */
function respondingWith(body: unknown) {
  const drift: unknown[] = [];
  const client = new CardPlatformClient({
    baseUrl: 'https://api.example.com',
    clientKey: 'key',
    accessToken: 'token',
    fetch: async () => Response.json(body),
    responseValidation: 'strict',
    onDrift: (report) => void drift.push(report),
  });
  return { calls: observe(client), drift };
}

type Call = (calls: ObservedPlatform) => Promise<unknown>;

describe('the response to an observed call, which nobody promises', () => {
  it.each<[string, Call, unknown]>([
    [
      'an unknown field',
      ({ card }) => card.cashback(),
      { amount: '1', ratePercent: '2', level: 1 },
    ],
    [
      'an amount of another format',
      ({ card }) => card.cashback(),
      { amount: '1e3', ratePercent: 'x' },
    ],
    [
      'an unknown value and a number for a text',
      ({ wallets }) => wallets.reward.get(),
      { id: 'r', currency: 'USDC', type: 'BONUS', balance: 3 },
    ],
    [
      'an unknown state and a time in words',
      ({ webhooks }) => webhooks.events.list(),
      { total: '1', events: [{ id: 'e', status: 'lost', createdAt: 'today' }] },
    ],
    [
      'an unknown policy of a consent set',
      ({ consent }) => consent.getByUser({ userId: 'u' }),
      { consentStatus: 'partial', consentSets: [{ policyType: 'EU', createdAt: 1 }], _links: [] },
    ],
    [
      'other verification states and ids',
      ({ user }) => user.registration.get({ onboardingId: 'o' }),
      { id: 7, verificationState: 'MAYBE', dateOfBirth: '1990-12-31' },
    ],
    [
      'countries with ids of another type',
      ({ user }) => user.registration.settings(),
      { countries: [{ id: { code: 'DE' } }] },
    ],
  ])('is returned as it came with %s, in strict mode too', async (_title, call, body) => {
    const { calls, drift } = respondingWith(body);
    expect(await call(calls)).toEqual(body);
    expect(drift).toEqual([]);
  });

  it.each<[string, Call, unknown, string]>([
    [
      'an essential field is absent',
      ({ card }) => card.cashback(),
      { amount: '1' },
      'ratePercent: must be a string',
    ],
    [
      'an essential field is a number',
      ({ card }) => card.cashback(),
      { amount: 1, ratePercent: '2' },
      'amount: must be a string',
    ],
    [
      'an essential field is empty',
      ({ wallets }) => wallets.reward.get(),
      { id: 'r', currency: '' },
      'currency: must not be empty',
    ],
    [
      'a renewal has no access token',
      ({ auth }) => auth.oauth.refresh({ refreshToken: 'r' }),
      { expires_in: 3600, refresh_token: 'next' },
      'access_token: must be a string',
    ],
    [
      'a body is no object',
      ({ auth }) => auth.oauth2.refresh({ refreshToken: 'r' }),
      ['a'],
      'must be an object',
    ],
  ])('is an error where %s, and blames no schema of the caller', async (_title, call, body, says) => {
    const { calls } = respondingWith(body);
    const error = await rejection(call(calls));
    expect(error).toMatchObject({ name: 'ResponseValidationError' });
    expect(String(error)).toContain(says);
    expect(String(error)).not.toContain('caller');
  });
});
