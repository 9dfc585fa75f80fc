import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CardPlatformClient } from '../../src/client.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { clientFor } from '../support/clients.js';

export const WITHDRAW = '/v1/wallet/credit/withdraw';
export const WITHDRAWAL = { txHash: `0x${'a'.repeat(64)}` };
/** No server is there: whatever responds is a mock. */
export const NOWHERE = 'https://api.example.com';

/** A client whose mocks respond. */
export function client(options: Partial<ClientOptions> = {}, baseUrl = NOWHERE) {
  return clientFor(baseUrl, options);
}

/** A call that must never leave twice. */
export const withdraw = (user: CardPlatformClient) => user.wallets.credit.withdraw({ amount: '1' });

/** A real server that records which adapter sent each request: only `fetch` sends that header. */
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
    /** The requests since the last time. */
    takeRequests: () => requests.splice(0),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
