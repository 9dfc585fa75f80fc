import Lithic from 'lithic';
import { BODY, KEY } from './request.mjs';

export function connect(baseUrl) {
  const client = new Lithic({ apiKey: KEY, baseURL: baseUrl });
  return {
    get: () => client.cards.retrieve('card'),
    post: () => client.cards.create(BODY),
  };
}
