import Stripe from 'stripe';
import { KEY } from '../contestants/request.mjs';
import { AMOUNT, PATHS, USER } from './steps.mjs';

export function open(baseUrl) {
  const { hostname, port } = new URL(baseUrl);
  const client = new Stripe(KEY, { host: hostname, port, protocol: 'http' });
  // Its second API accepts JSON. The first one accepts forms.
  const path = (first) => first.replace('/v1/', '/v2/');
  return [
    () => client.rawRequest('POST', path(PATHS.login), USER),
    () => client.rawRequest('GET', path(PATHS.card)),
    () => client.rawRequest('POST', path(PATHS.withdraw), AMOUNT),
  ];
}
