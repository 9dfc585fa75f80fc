import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CardPlatformClient } from '../../src/client.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { clientFor } from '../support/clients.js';

export const WITHDRAW = '/v1/wallet/credit/withdraw';
export const WITHDRAWAL = { txHash: `0x${'a'.repeat(64)}` };
/** No server exists at this address, so every response comes from a mock. */
export const MOCKED_URL = 'https://api.example.com';

/** Creates a client whose requests a mock receives. */
export function mockedClient(options: Partial<ClientOptions> = {}, baseUrl = MOCKED_URL) {
  return clientFor(baseUrl, options);
}

/** Makes a call that must never be sent twice. */
export const withdraw = (userClient: CardPlatformClient) =>
  userClient.wallets.credit.withdraw({ amount: '1' });

/**
 * Starts a real server that records the adapter of each request: only `fetch` sends this header.
 */
export async function startService() {
  const requests: ('node-http' | 'fetch')[] = [];
  const server = createServer((request, response) => {
    requests.push(request.headers['sec-fetch-mode'] === undefined ? 'node-http' : 'fetch');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(WITHDRAWAL));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the requests since the last call. */
    takeRequests: () => requests.splice(0),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
