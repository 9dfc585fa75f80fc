import type { TransactionInstruction } from '@solana/web3.js';
import { QueryClient } from '@tanstack/query-core';
import type { CardPlatformClient } from 'card-platform-sdk';
import { buildApprovalCalls, delegateEvm } from 'card-platform-sdk/evm';
import { createQueries } from 'card-platform-sdk/query';
import { buildSolanaApproval, SOLANA_CURRENCIES } from 'card-platform-sdk/solana';
import { toWeb3Instruction } from 'card-platform-sdk/solana/web3';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { mswHandlers } from 'card-platform-sdk/testing/msw';
import type { RequestHandler } from 'msw';
import { createPublicClient, createWalletClient, custom, type EIP1193Provider, http } from 'viem';
import { linea } from 'viem/chains';

// A consumer's file that imports every entry that needs a peer.

export const handlers: RequestHandler[] = mswHandlers(createMockPlatform());

export const instruction: TransactionInstruction = toWeb3Instruction(
  buildSolanaApproval({
    ...SOLANA_CURRENCIES.usdc,
    owner: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
    spender: '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp',
    amount: 1n,
  }),
);

const asset = {
  network: 'linea',
  currency: 'usdc',
  spender: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
  amount: '100.5',
};

export const to: `0x${string}` | undefined = buildApprovalCalls(asset)[0]?.to;

export async function delegate(
  client: CardPlatformClient,
  provider: EIP1193Provider,
): Promise<string> {
  const { transactionId } = await delegateEvm({
    client,
    wallet: createWalletClient({ chain: linea, transport: custom(provider) }),
    node: createPublicClient({ chain: linea, transport: http() }),
    ...asset,
    domain: 'app.example',
    uri: 'https://app.example',
  });
  return transactionId ?? 'nothing was sent';
}

export async function readCard(client: CardPlatformClient): Promise<string> {
  const queries = createQueries({ client, user: 'user-1', region: 'global' });
  const queryClient = new QueryClient();
  const card = await queryClient.fetchQuery(queries.card.status());
  const kept: typeof card | undefined = queryClient.getQueryData(queries.card.status().queryKey);
  return kept?.status ?? 'none';
}
