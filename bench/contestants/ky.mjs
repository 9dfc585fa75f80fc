import ky from 'ky';
import { BODY, HEADERS } from './request.mjs';

export function connect(baseUrl) {
  const client = ky.create({ baseUrl, headers: HEADERS });
  return {
    get: () => client.get('/v1/card/status').json(),
    post: () => client.post('/v1/card/pin/token', { json: BODY }).json(),
  };
}
