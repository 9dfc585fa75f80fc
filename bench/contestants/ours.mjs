import { CardPlatformClient } from 'card-platform-sdk';
import { BODY, KEY } from './request.mjs';

export function connect(baseUrl, options = {}) {
  const client = new CardPlatformClient({
    ...{ baseUrl, clientKey: KEY, accessToken: KEY },
    ...options,
  });
  return {
    get: () => client.card.status(),
    post: () => client.card.createPinToken(BODY),
  };
}
