import { BODY, HEADERS } from './request.mjs';

const WITH_JSON = { ...HEADERS, 'content-type': 'application/json' };

/** The lower bound: `fetch` and `JSON.parse` without checks, timeout or errors. */
export function connect(baseUrl) {
  return {
    get: async () => {
      const response = await fetch(`${baseUrl}/v1/card/status`, { headers: HEADERS });
      return JSON.parse(await response.text());
    },
    post: async () => {
      const init = { method: 'POST', headers: WITH_JSON, body: JSON.stringify(BODY) };
      const response = await fetch(`${baseUrl}/v1/card/pin/token`, init);
      return JSON.parse(await response.text());
    },
  };
}
