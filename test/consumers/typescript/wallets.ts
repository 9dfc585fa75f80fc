import { CardPlatformClient, type InternalWallet, isApiError } from 'card-platform-sdk';
import { buildSolanaApproval } from 'card-platform-sdk/solana';
import { createMockPlatform, type MockPlatform, type MockUser } from 'card-platform-sdk/testing';

// A project without optional peers: no viem, web3.js or msw.

export async function balances(userClient: CardPlatformClient): Promise<Record<string, string>> {
  const wallets: readonly InternalWallet[] = await userClient.wallets.internal.list();
  return Object.fromEntries(wallets.map(({ id, balance }) => [id, balance]));
}

export async function freeze(userClient: CardPlatformClient): Promise<'frozen' | 'was frozen'> {
  const { error } = await userClient.card.freeze().safe();
  if (error === undefined) return 'frozen';
  if (isApiError(error, 'card_already_frozen')) return 'was frozen';
  throw error;
}

export function signIn(platform: MockPlatform, user: MockUser): CardPlatformClient {
  const { baseUrl, fetch, credentials } = platform;
  const accessToken = platform.accessTokenFor(user);
  return new CardPlatformClient({ baseUrl, fetch, ...credentials, accessToken });
}

const platform = createMockPlatform();
const ada = platform.users.add({
  card: 'ACTIVE',
  wallets: [{ network: 'linea', currency: 'usdc' }],
});
platform.fail('card.freeze', 500, { times: 2 });
// @ts-expect-error an undocumented status must be requested explicitly
platform.fail('card.freeze', 418);
platform.fail('card.freeze', { status: 418, isUndocumented: true });

const userClient = signIn(platform, ada);
// @ts-expect-error an amount is a string: a number would be rounded
userClient.wallets.credit.withdraw({ amount: 15 });

export const approval: Uint8Array = buildSolanaApproval({
  owner: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  spender: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  amount: 250_000_000n,
  decimals: 6,
}).data;
