import { CardPlatformClient } from 'card-platform-sdk';
import { KEY } from './request.mjs';

/** A withdrawal opens a connection of its own, which no other contestant does. */
export function connect(baseUrl) {
  const client = new CardPlatformClient({ baseUrl, clientKey: KEY, accessToken: KEY });
  return {
    get: () => client.card.status(),
    post: () => client.wallets.credit.withdraw({ amount: '1.5' }),
  };
}
