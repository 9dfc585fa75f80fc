import { CardPlatformClient } from 'card-platform-sdk';
import { KEY } from '../contestants/request.mjs';
import { AMOUNT, USER } from './steps.mjs';

export function open(baseUrl) {
  let client = new CardPlatformClient({ baseUrl, clientKey: KEY });
  return [
    async () => {
      const session = await client.auth.login(USER);
      client = client.withAccessToken(session.accessToken);
    },
    () => client.card.status(),
    () => client.wallets.credit.withdraw(AMOUNT),
  ];
}
