import Stripe from 'stripe';
import { BODY, KEY } from './request.mjs';

export function connect(baseUrl) {
  const { hostname, port } = new URL(baseUrl);
  const client = new Stripe(KEY, { host: hostname, port, protocol: 'http' });
  return {
    get: () => client.balance.retrieve(),
    // Its second API accepts JSON. The first one accepts forms.
    post: () => client.rawRequest('POST', '/v2/card/pin/token', BODY),
  };
}
