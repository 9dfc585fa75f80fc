import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { connect } from 'node:net';
import { CardPlatformClient } from 'card-platform-sdk';

export const TX_HASH = `0x${'a'.repeat(64)}`;
export const WITHDRAW = '/v1/wallet/credit/withdraw';
export const CARD_STATUS = '/v1/card/status';
/** A URL without a server: only a mock can respond. */
export const MOCKED_URL = 'https://api.example.com';

const RESPONSES = {
  [WITHDRAW]: { txHash: TX_HASH },
  [CARD_STATUS]: { id: 'card-1', status: 'ACTIVE' },
};

export const json = { 'content-type': 'application/json' };

export const responseTo = (path) => RESPONSES[path];

/** Creates the client of a user. */
export function clientOf(baseUrl, options = {}) {
  return new CardPlatformClient({ baseUrl, clientKey: 'key', accessToken: 'token', ...options });
}

export const withdraw = (client) => client.wallets.credit.withdraw({ amount: '1' });

/** Returns the error of a call. */
export async function rejection(call) {
  return call.then(
    () => {
      throw new Error('the call was expected to fail');
    },
    (error) => error,
  );
}

async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

/** Every `fetch` of undici sends this header, and `node:http` does not. */
const adapterOf = (headers) => (headers['sec-fetch-mode'] === undefined ? 'node-http' : 'fetch');

/** Starts a real server that records the path of each request and the adapter that sent it. */
export async function startService() {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(`${adapterOf(request.headers)} ${request.url}`);
    request.resume().on('end', () => {
      response.writeHead(200, json).end(JSON.stringify(responseTo(request.url)));
    });
  });
  const baseUrl = await listen(server);
  return {
    baseUrl,
    /** Returns the requests since the last call. */
    takeRequests: () => requests.splice(0),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts a real HTTP proxy that counts the requests through it, tunnelled or not. */
export async function startProxy() {
  let count = 0;
  const server = createServer((request, response) => {
    count++;
    const { url, method, headers } = request;
    request.pipe(
      forward(url, { method, headers, agent: false }, (received) => {
        response.writeHead(received.statusCode, received.headers);
        received.pipe(response);
      }),
    );
  });
  server.on('connect', (request, socket) => {
    count++;
    const [host, port] = request.url.split(':');
    const target = connect(port, host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on('error', () => {});
  });
  const url = await listen(server);
  return {
    url,
    takeCount: () => {
      const taken = count;
      count = 0;
      return taken;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
