import { createServer } from 'node:http';
import { CardPlatformClient } from 'card-platform-sdk';

export const WITHDRAW = '/v1/wallet/credit/withdraw';
export const CARD_STATUS = '/v1/card/status';

const RESPONSES = {
  [WITHDRAW]: { txHash: `0x${'a'.repeat(64)}` },
  [CARD_STATUS]: { id: 'card-1', status: 'ACTIVE' },
};

/** Creates the client of a user. */
export function clientOf(baseUrl, options = {}) {
  return new CardPlatformClient({ baseUrl, clientKey: 'key', accessToken: 'token', ...options });
}

export const withdraw = (client) => client.wallets.credit.withdraw({ amount: '1' });

/** Every `fetch` of undici sends this header, and `node:http` does not. */
const adapterOf = (headers) => (headers['sec-fetch-mode'] === undefined ? 'node-http' : 'fetch');

/** Starts a real server that records each request. It responds with these statuses, then with 200. */
export async function startService() {
  const requests = [];
  const statuses = [];
  const server = createServer((request, response) => {
    const { url, headers } = request;
    requests.push({ adapter: adapterOf(headers), url, traceparent: headers.traceparent });
    const status = statuses.shift() ?? 200;
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? RESPONSES[url] : {}));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    respondFirst: (...first) => statuses.push(...first),
    /** Returns the requests since the last call. */
    takeRequests: () => requests.splice(0),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
