import { CardPlatformClient, isApiError, verifyWebhook } from 'card-platform-sdk';
import { type EthersSigner, walletFromEthers } from 'card-platform-sdk/evm/ethers';
import { schemas } from 'card-platform-sdk/schemas';
import { buildSolanaApproval, SOLANA_CURRENCIES } from 'card-platform-sdk/solana';
import { createMockPlatform } from 'card-platform-sdk/testing';

// A consumer's file that imports every entry that needs no peer.

const mock = createMockPlatform();
const client = new CardPlatformClient({ baseUrl: mock.baseUrl, fetch: mock.fetch });

export async function journey(): Promise<string> {
  const session = await client.auth.login({ email: 'ada@example.com', password: 'a secret' });
  if (session.phase) return session.phase;
  const userClient = client.withAccessToken(session.accessToken);
  const result = await userClient.card.freeze().safe();
  if (!result.ok && isApiError(result.error, 'card_already_frozen')) return result.error.message;
  for await (const { amount } of userClient.wallets.history.iterate({
    walletType: 'CREDIT',
    walletId: 'w',
  }))
    return `${amount}`;
  // @ts-expect-error amounts are strings
  await userClient.wallets.credit.withdraw({ amount: 5 });
  // @ts-expect-error only VIRTUAL
  await userClient.card.order({ type: 'METAL' });
  const { status }: { status: string } = await userClient.card.status();
  return status;
}

export const checked = schemas['card.order'].request['~standard'].validate({ type: 'VIRTUAL' });

export const bytes: Uint8Array = buildSolanaApproval({
  ...SOLANA_CURRENCIES.usdc,
  owner: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  spender: '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp',
  amount: 1n,
}).data;

export async function addressOf(signer: EthersSigner): Promise<string> {
  const { address }: { address: string } = await walletFromEthers(signer);
  return address;
}

export async function receive(request: Request, keys: string): Promise<string | undefined> {
  const event = await verifyWebhook({ body: await request.text(), headers: request.headers, keys });
  return event.eventId;
}
