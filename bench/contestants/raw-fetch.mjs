import { BODY, HEADERS } from './request.mjs';

const WITH_JSON = { ...HEADERS, 'content-type': 'application/json' };

/** The floor: `fetch` and `JSON.parse`, no check, no timeout, no error. */
export function connect(baseUrl) {
  return {
    get: async () => {
      const answer = await fetch(`${baseUrl}/v1/card/status`, { headers: HEADERS });
      return JSON.parse(await answer.text());
    },
    post: async () => {
      const init = { method: 'POST', headers: WITH_JSON, body: JSON.stringify(BODY) };
      const answer = await fetch(`${baseUrl}/v1/card/pin/token`, init);
      return JSON.parse(await answer.text());
    },
  };
}
