import { request } from '@octokit/request';
import { BODY, HEADERS } from './request.mjs';

export function connect(baseUrl) {
  const send = request.defaults({ baseUrl, headers: HEADERS });
  return {
    get: () => send('GET /v1/card/status'),
    post: () => send('POST /v1/card/pin/token', BODY),
  };
}
