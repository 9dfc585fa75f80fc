import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import { afterAll, describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import { type CardProxy, toNodeHandler } from '../../src/server/index.js';
import { json, rejection } from '../support/clients.js';
import { BASE_PATH, mockProxy, scriptedProxy } from './support.js';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  if (!server.listening) {
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const onExpress = (proxy: CardProxy, ...before: express.RequestHandler[]) => {
  const app = express();
  for (const handler of before) app.use(handler);
  app.use(BASE_PATH, toNodeHandler(proxy));
  return listen(createServer(app as RequestListener));
};

async function onHono(proxy: CardProxy): Promise<string> {
  const app = new Hono().all(`${BASE_PATH}/*`, (c) => proxy(c.req.raw));
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server;
  await new Promise((resolve) => server.once('listening', resolve));
  return listen(server);
}

/** Each way to put the proxy behind a real server. */
const SERVERS: readonly (readonly [string, (proxy: CardProxy) => Promise<string>])[] = [
  ['node:http', (proxy) => listen(createServer(toNodeHandler(proxy)))],
  ['Express', (proxy) => onExpress(proxy)],
  ['Express after express.json()', (proxy) => onExpress(proxy, express.json())],
  ['Express after express.raw()', (proxy) => onExpress(proxy, express.raw({ type: '*/*' }))],
  ['Express after express.text()', (proxy) => onExpress(proxy, express.text({ type: '*/*' }))],
  ['Express after express.urlencoded()', (proxy) => onExpress(proxy, express.urlencoded())],
  ['Hono', onHono],
];

/** The client of a page, with the headers of a browser. */
function pageOf(origin: string): CardPlatformClient {
  return new CardPlatformClient({
    baseUrl: `${origin}${BASE_PATH}`,
    throughProxy: true,
    random: () => 0,
    middleware: [
      (_request, next) => next({ headers: { origin, 'sec-fetch-site': 'same-origin' } }),
    ],
  });
}

/** Sends bytes over a socket and returns everything that comes back. */
function exchange(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      received += text;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
    socket.write(bytes);
  });
}

/** A request as text. `close` makes the server end the connection. */
function requestText(origin: string, start: string, headers: string[] = [], body = ''): string {
  const { host } = new URL(origin);
  const all = [`Host: ${host}`, 'Connection: close', `Origin: ${origin}`, ...headers];
  return `${start} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
}

describe.each(SERVERS)('the proxy behind %s', (_, start) => {
  it('serves reads, writes, paging and errors to the client of a page', async () => {
    const { mock, user, proxy } = mockProxy();
    const page = pageOf(await start(proxy));
    expect(await page.card.status()).toMatchObject({ status: 'ACTIVE' });
    await page.card.freeze();
    expect(user.card?.status).toBe('FROZEN');
    expect(await rejection(page.card.freeze())).toMatchObject({ code: 'card_already_frozen' });
    await page.card.createDetailsToken({ customCss: { panTextColor: '#000000' } });
    const wallets = await page.wallets.internal.list();
    expect(Array.isArray(wallets)).toBe(true);
    mock.fail('card.status', 403);
    expect(await rejection(page.card.status())).toMatchObject({ name: 'PermissionError' });
  });

  it('keeps not_sent and unknown apart', async () => {
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' });
    const broken = Object.assign(new Error(), { code: 'ECONNRESET', syscall: 'read' });
    for (const [failure, outcome] of [
      [refused, 'not_sent'],
      [broken, 'unknown'],
    ] as const) {
      const { proxy } = scriptedProxy([failure]);
      const page = pageOf(await start(proxy));
      const error = await rejection(page.wallets.credit.withdraw({ amount: '1' }));
      expect(error).toMatchObject({ outcome });
    }
  });

  it('refuses what only a socket can send, and sends nothing to the service', async () => {
    const { proxy, requests } = scriptedProxy([json({ success: true })]);
    const origin = await start(proxy);
    const path = `${BASE_PATH}/v1/card/freeze`;
    const smuggled = 'GET /v1/webhooks HTTP/1.1\r\nHost: x\r\n\r\n';
    const attacks = [
      requestText(origin, `POST http://api.example.com/v1/card/freeze`),
      requestText(origin, `POST //evil.example${path}`),
      requestText(origin, `POST ${BASE_PATH}/..${path}x`),
      requestText(origin, `POST ${BASE_PATH}/v1/card%2ffreeze`),
      requestText(origin, `POST ${path}%00`),
      requestText(origin, `POST ${BASE_PATH}\\v1\\card\\freeze`),
      requestText(
        origin,
        `POST ${path}`,
        ['Transfer-Encoding: chunked', 'Content-Length: 3'],
        '0\r\n\r\n',
      ),
      requestText(origin, `POST ${path}`, ['Content-Length: 2', 'Content-Length: 3'], '{}'),
      requestText(origin, `POST ${path}`, ['Transfer-Encoding: xchunked'], smuggled),
      requestText(origin, `POST ${path}`, ['X-A: a\rX-B: b']),
      requestText(origin, `POST ${path}`, ['Origin: https://evil.example']),
      requestText(origin, `GET ${BASE_PATH}/v1/card/status`, ['Content-Length: 2'], '{}x'),
      // One that something in front of the server may have checked, and one that it reads.
      requestText(origin, `POST ${path}`, ['Host: evil.example']),
      requestText(origin, `POST ${path}`, [`Host: ${new URL(origin).host}`]),
      requestText(origin, `POST ${path}`, ['hOST: ']),
      requestText(origin, `TRACE ${BASE_PATH}/v1/card/status`),
      requestText(origin, `OPTIONS ${BASE_PATH}/v1/card/status`),
    ];
    for (const attack of attacks.filter((text) => !text.startsWith('GET'))) {
      const [line = ''] = (await exchange(origin, attack)).split('\r\n');
      expect(line, attack).toMatch(/^HTTP\/1\.1 (?:4\d\d|3\d\d)/);
    }
    expect(requests).toEqual([]);
  });

  it('refuses a long body without reading all of it', async () => {
    const { proxy, requests } = scriptedProxy([json({ txHash: 'x' })], { maxBodyBytes: 100 });
    const origin = await start(proxy);
    const path = `POST ${BASE_PATH}/v1/wallet/credit/withdraw`;
    const type = 'Content-Type: application/json';
    const declared = requestText(origin, path, [type, 'Content-Length: 101'], 'x'.repeat(101));
    const chunk = `65\r\n${'1'.repeat(101)}\r\n`;
    const chunked = requestText(
      origin,
      path,
      [type, 'Transfer-Encoding: chunked'],
      `${chunk}0\r\n\r\n`,
    );
    for (const text of [declared, chunked]) {
      // A body parser before the proxy may find first that it is not JSON.
      expect(await exchange(origin, text)).toMatch(/^HTTP\/1\.1 4(?:13|00)/);
    }
    expect(requests).toEqual([]);
  });
});

describe('a request with two Host headers', () => {
  it.each(SERVERS)('is refused behind %s, also a read', async (_, start) => {
    const { proxy, requests } = scriptedProxy([json({ id: 'c', status: 'ACTIVE' })]);
    const origin = await start(proxy);
    const read = `GET ${BASE_PATH}/v1/card/status`;
    expect(await exchange(origin, requestText(origin, read))).toMatch(/^HTTP\/1\.1 200/);
    expect(requests.length).toBe(1);
    for (const second of ['evil.example', new URL(origin).host]) {
      const text = requestText(origin, read, [`Host: ${second}`]);
      expect(await exchange(origin, text)).toMatch(/^HTTP\/1\.1 400/);
    }
    expect(requests.length).toBe(1);
  });

  it('is refused as a Request, where its headers show it', async () => {
    const { proxy, requests, failures } = scriptedProxy([json({ id: 'c', status: 'ACTIVE' })]);
    const headers = new Headers({ host: 'app.example' });
    headers.append('host', 'evil.example');
    const request = new Request(`https://app.example${BASE_PATH}/v1/card/status`, { headers });
    expect((await proxy(request)).status).toBe(400);
    expect(failures).toMatchObject([{ reason: 'request_malformed', outcome: 'not_sent' }]);
    expect(requests).toEqual([]);
  });
});

describe('toNodeHandler', () => {
  it.each([
    'a/b',
    'a@b',
    'a b',
    '',
    '[::1',
    'x\tb',
    'a?b',
    'a#b',
  ])('refuses the Host header %j', async (host) => {
    const { proxy, requests } = scriptedProxy([json({ success: true })]);
    const origin = await listen(createServer({ requireHostHeader: false }, toNodeHandler(proxy)));
    const text = `GET ${BASE_PATH}/v1/card/status HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect(await exchange(origin, text)).toMatch(/^HTTP\/1\.1 400/);
    expect(requests).toEqual([]);
  });

  it('reports what to do when other code has read the body and nothing is left of it', async () => {
    const { proxy } = scriptedProxy([json({ txHash: 'x' })]);
    const drain: express.RequestHandler = (request, _response, next) => {
      request.on('end', () => next()).resume();
    };
    const origin = await onExpress(proxy, drain);
    const response = await fetch(`${origin}${BASE_PATH}/v1/wallet/credit/withdraw`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: '{"amount":"1"}',
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'body_consumed', message: /before body/ });
  });

  it('does not touch a response that other code has sent in the meantime', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { proxy } = scriptedProxy([json({ id: 'c', status: 'ACTIVE' })], {
      session: async () => {
        await released;
        return { accessToken: 'token' };
      },
    });
    let handled: Promise<void> | undefined;
    const handler = toNodeHandler(proxy);
    const origin = await listen(
      createServer((request, response) => {
        handled = handler(request, response);
        // A time limit of the server.
        response.writeHead(503).end('too slow', release);
      }),
    );
    const response = await fetch(`${origin}${BASE_PATH}/v1/card/status`);
    expect(await response.text()).toBe('too slow');
    await expect(handled).resolves.toBeUndefined();
  });

  it('ends a read when the page closes its connection', async () => {
    let abort: () => void = () => {};
    const aborted = new Promise<void>((resolve) => {
      abort = resolve;
    });
    let arrive: () => void = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { proxy } = scriptedProxy(
      [json({})],
      {},
      {
        fetch: (_url, init) => {
          init.signal?.addEventListener('abort', abort);
          arrive();
          return new Promise(() => {});
        },
      },
    );
    const origin = await onExpress(proxy);
    const gone = new AbortController();
    const reading = fetch(`${origin}${BASE_PATH}/v1/card/status`, { signal: gone.signal });
    await arrived;
    gone.abort();
    await expect(reading).rejects.toThrow();
    await aborted;
  });
});
