import { call, cardStatus, createClient, createPinToken } from 'card-platform-sdk/endpoints';
import { BODY, KEY } from './request.mjs';

/** Measures endpoints as values, for small bundles. */
export function connect(baseUrl) {
  const client = createClient({ baseUrl, clientKey: KEY, accessToken: KEY });
  return {
    get: () => call(client, cardStatus, {}),
    post: () => call(client, createPinToken, BODY),
  };
}
