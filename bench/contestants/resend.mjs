import { Resend } from 'resend';
import { BODY, KEY } from './request.mjs';

export function connect(baseUrl) {
  const client = new Resend(KEY, { baseUrl });
  return {
    get: () => client.domains.get('card'),
    post: () => client.post('/v1/card/pin/token', BODY),
  };
}
