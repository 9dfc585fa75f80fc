import axios from 'axios';
import { BODY, HEADERS } from './request.mjs';

export function connect(baseUrl) {
  const client = axios.create({ baseURL: baseUrl, headers: HEADERS });
  return {
    get: () => client.get('/v1/card/status'),
    post: () => client.post('/v1/card/pin/token', BODY),
  };
}
