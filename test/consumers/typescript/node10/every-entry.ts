// TypeScript's old resolution (`moduleResolution: node`) reads no `exports`. This file imports every
// entry that needs no peer, and uses a type of each, so that none of them is `any`.
import { CardPlatformClient, isApiError } from 'card-platform-sdk';
import { defineEndpoint } from 'card-platform-sdk/endpoints';
import { baseUnitsToAmount } from 'card-platform-sdk/evm';
import { nodeFromEthers } from 'card-platform-sdk/evm/ethers';
import { override, refreshOAuth } from 'card-platform-sdk/observed';
import * as schemas from 'card-platform-sdk/schemas';
import { associatedTokenAccount } from 'card-platform-sdk/solana';
import { toKitInstruction } from 'card-platform-sdk/solana/kit';
import { createMockPlatform, type MockUser } from 'card-platform-sdk/testing';
import { createMockWallet } from 'card-platform-sdk/testing/wallets';

export async function freeze(): Promise<MockUser> {
  const mock = createMockPlatform({ onUnhandled: 404 });
  const ada = mock.users.add({ card: 'ACTIVE', externalWallets: [{}] });
  const { baseUrl, fetch, credentials } = mock;
  const accessToken = mock.accessTokenFor(ada);
  const client = new CardPlatformClient({ baseUrl, fetch, ...credentials, accessToken });
  await client.card.freeze();
  const getLimits = defineEndpoint({ id: 'a', method: 'GET', path: '/v1/a', retry: 'safe' });
  mock.serve(getLimits, ({ user }) => ({ body: { user: user?.id } }));
  const wallet = await createMockWallet({ platform: mock });
  const address: string = wallet.evm.address;
  return mock.users.get(address);
}

export const known: boolean = isApiError(undefined, 'card_not_found');
export const amount: string = baseUnitsToAmount(BigInt(1), 6);
export const all = [schemas, nodeFromEthers, associatedTokenAccount, toKitInstruction];

// @ts-expect-error an entry that resolved to `any` would accept this
baseUnitsToAmount('1', 6);
// @ts-expect-error the same of the mock platform
createMockPlatform({ baseURL: 'https://api.example.com' });
// @ts-expect-error the same of the endpoints
defineEndpoint({ id: 1 });
// @ts-expect-error the same of the observed calls
override(refreshOAuth, { credentials: ['password'] });
// @ts-expect-error the same of the adapters
nodeFromEthers(1, 2, 3);
// @ts-expect-error the same of the adapters
toKitInstruction(1, 2, 3);
// @ts-expect-error the same of the Solana helpers
associatedTokenAccount(1, 2, 3);
// @ts-expect-error the same of the mock wallet
createMockWallet(1, 2, 3);
