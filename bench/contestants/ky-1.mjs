// The version of ky with which the package is built.
import ky from '../../node_modules/ky/distribution/index.js';
import { BODY, HEADERS } from './request.mjs';

export function connect(baseUrl) {
  const client = ky.create({ prefixUrl: baseUrl, headers: HEADERS });
  return {
    get: () => client.get('v1/card/status').json(),
    post: () => client.post('v1/card/pin/token', { json: BODY }).json(),
  };
}
