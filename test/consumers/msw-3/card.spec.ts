import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { mswHandlers } from 'card-platform-sdk/testing/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const platform = createMockPlatform({ baseUrl: 'https://api.example.com' });
const server = setupServer(...mswHandlers(platform));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());
beforeEach(() => platform.reset());

function signIn() {
  const ada = platform.users.add({ card: 'ACTIVE' });
  const { baseUrl, credentials } = platform;
  const accessToken = platform.accessTokenFor(ada);
  return { ada, client: new CardPlatformClient({ baseUrl, ...credentials, accessToken }) };
}

describe('the mock platform behind MSW 3', () => {
  it('responds to requests to its base URL', async () => {
    const { ada, client } = signIn();
    await client.card.freeze();
    expect(platform.users.get(ada.id).card?.status).toBe('FROZEN');
    await expect(client.card.freeze()).rejects.toMatchObject({ code: 'card_already_frozen' });
  });

  it('lets a freeze be retried after its connection broke', async () => {
    const { client } = signIn();
    platform.drop('card.freeze', 'after-processing');
    expect(await client.card.freeze()).toEqual({ resolvedByRetry: true });
    expect(platform.requests.map(({ status }) => status)).toEqual([undefined, 400]);
  });

  it('responds 207 to a declined faucet request', async () => {
    const { client } = signIn();
    const bob = platform.users.add({ faucet: 'declined' });
    const { faucetOutcome } = await client
      .withAccessToken(platform.accessTokenFor(bob))
      .delegation.getToken({
        network: 'linea',
        address: '0x52908400098527886E0F7030069857D2E4169EE7',
        faucet: true,
      });
    expect(faucetOutcome).toBe('failed');
    expect(platform.requests.last?.status).toBe(207);
  });

  it.each([498, 499, 503] as const)('responds with a planned status %i', async (status) => {
    const { client } = signIn();
    platform.fail('card.status', status);
    await expect(client.card.status({ retry: false })).rejects.toMatchObject({ status });
  });

  it('names the nearest endpoint in the response to an unknown one', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = await fetch('https://api.example.com/v1/card/freezer', { method: 'POST' });
    expect(((await response.json()) as { message: string }).message).toContain('/v1/card/freeze');
  });
});
