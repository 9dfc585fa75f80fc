import { CardPlatformClient, CardPlatformError } from '../../../dist/index.js';

export function connect({ baseUrl, timeout, secrets }) {
  const { key: clientKey, accessToken, password } = secrets;
  const client = new CardPlatformClient({ baseUrl, timeout, clientKey, accessToken });
  return {
    money: () => client.wallets.credit.withdraw({ amount: '25.00' }),
    read: () => client.card.status(),
    login: () => client.auth.login({ email: 'ada@example.com', password }),
  };
}

export const isTyped = (error) => error instanceof CardPlatformError;
