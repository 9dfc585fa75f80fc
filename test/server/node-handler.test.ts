import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { type NodeRequest, toNodeHandler } from '../../src/server/index.js';
import { json } from '../support/clients.js';
import { BASE_PATH, scriptedProxy } from './support.js';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

type Serve = (request: IncomingMessage, response: ServerResponse) => unknown;

async function listen(serve: Serve): Promise<string> {
  const server = createServer(serve);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server whose proxy notes the requests that reach it, and what it does with each. */
async function open(read: (request: Request) => unknown = (request) => request.text()) {
  const seen: { request: Request; read: unknown }[] = [];
  const handler = toNodeHandler(async (request) => {
    seen.push({ request, read: await read(request) });
    return Response.json({ reached: true });
  });
  return { host: await listen(handler), handler, seen };
}

function socketTo(host: string): Socket {
  const { hostname, port } = new URL(`http://${host}`);
  return connect(Number(port), hostname);
}

/** Sends a request as text, and returns the status and the message of the response. */
async function exchange(host: string, line: string, headers: string[] = [], body = '') {
  const text = [`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers].join('\r\n');
  const socket = socketTo(host);
  socket.setEncoding('utf8').write(`${text}\r\n\r\n${body}`);
  let received = '';
  for await (const part of socket) received += part;
  const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(received) ?? [];
  const [, message] = /"message":"([^"]*)"/.exec(received) ?? [];
  return { status: Number(status), message };
}

describe('the target of a request', () => {
  it.each([
    '/',
    '/v1/card/status',
    '/v1/card/status/',
    '/v1.2/a-b_c~d!$&()*+,;=:@',
    '/.well-known/x',
    '/..a/b..',
    '/...',
    '/caf%C3%A9',
    '/x?',
    '/x?a=1&b[]=/../%2e%2e%2F%00',
    '/x?a=b?c',
  ])('%s arrives unchanged', async (target) => {
    const { host, seen } = await open();
    expect(await exchange(host, `GET ${target}`)).toMatchObject({ status: 200 });
    expect(seen.map(({ request }) => request.url)).toEqual([`http://${host}${target}`]);
  });

  it.each([
    '*',
    'x',
    '//evil.example/x',
    'http://evil.example/x',
    '/.',
    '/..',
    '/./x',
    '/../x',
    '/x/.',
    '/x/..',
    '/x/./y',
    '/x/../y',
    '/x/..?a=1',
    '/x\\y',
    '/x"y',
    '/x<y',
    '/x%2e%2e/y',
    '/x%2E',
    '/x%2fy',
    '/x%5Cy',
    '/x%00',
    '/x#y',
    '/x?a#b',
    '/x?a\\b',
  ])('%s is refused: programs read it in different ways', async (target) => {
    const { host, seen } = await open();
    const { status, message } = await exchange(host, `GET ${target}`);
    // Node itself refuses some of them.
    expect([status, message ?? 'The path is malformed.']).toEqual([400, 'The path is malformed.']);
    expect(seen).toEqual([]);
  });

  it('has the scheme of the connection', async () => {
    const { handler, seen } = await open();
    const encrypted: Serve = (request, response) => {
      const socket = Object.assign(Object.create(request.socket), { encrypted: true });
      return handler(Object.create(request, { socket: { value: socket } }), response);
    };
    const host = await listen(encrypted);
    await exchange(host, 'GET /x');
    expect(seen[0]?.request.url).toBe(`https://${host}/x`);
  });
});

describe('the headers of a request', () => {
  it('arrive, also those that are repeated', async () => {
    const { host, seen } = await open();
    await exchange(host, 'GET /x', ['X-One: 1', 'x-one: 2', 'Last: end']);
    const { headers } = seen[0]?.request ?? new Request('http://x');
    expect([headers.get('x-one'), headers.get('last')]).toEqual(['1, 2', 'end']);
  });

  it('may have the value host', async () => {
    const { host } = await open();
    expect(await exchange(host, 'GET /x', ['X-One: host', 'X-Two: Host'])).toMatchObject({
      status: 200,
    });
  });

  it('have Host once', async () => {
    const { host, seen } = await open();
    expect(await exchange(host, 'GET /x', [`HOST: ${host}`])).toEqual({
      status: 400,
      message: 'The Host header is malformed.',
    });
    expect(seen).toEqual([]);
  });

  it('that no Request can have are refused', async () => {
    const { host, handler, seen } = await open();
    const answered = new Promise<number>((resolve) => {
      const serve: Serve = async (request, response) => {
        const rawHeaders = ['Host', host, 'not a name', '1'];
        await handler(Object.create(request, { rawHeaders: { value: rawHeaders } }), response);
        resolve(response.statusCode);
      };
      listen(serve).then((other) => exchange(other, 'GET /x', []));
    });
    expect(await answered).toBe(400);
    expect(seen).toEqual([]);
  });
});

describe('the method of a request', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s reaches the proxy', async (method) => {
    const { host, seen } = await open();
    await exchange(host, `${method} /x`);
    expect(seen.map(({ request }) => request.method)).toEqual([method]);
  });

  it.each(['TRACE', 'OPTIONS', 'PROPFIND', 'PURGE'])('%s is not allowed', async (method) => {
    const { host, seen } = await open();
    expect(await exchange(host, `${method} /x`)).toEqual({
      status: 405,
      message: 'The proxy does not allow this method.',
    });
    expect(seen).toEqual([]);
  });

  it.each(['POSTS', 'XGET', 'post'])('%s of another server is not allowed', async (method) => {
    const { handler, seen } = await open();
    const serve: Serve = (request, response) =>
      handler(Object.create(request, { method: { value: method } }), response);
    expect(await exchange(await listen(serve), 'GET /x')).toMatchObject({ status: 405 });
    expect(seen).toEqual([]);
  });
});

describe('the body of a request', () => {
  it.each([
    [[], ''],
    [['Content-Length: 0'], ''],
  ])('is missing with the headers %j', async (headers, body) => {
    const { host, seen } = await open(({ body: found }) => found);
    await exchange(host, 'POST /x', headers, body);
    expect(seen.map(({ read }) => read)).toEqual([null]);
  });

  it('arrives whole, however many parts it has and however late it is read', async () => {
    const { handler, seen } = await open();
    const slow = toNodeHandler(async (request) => {
      await paused;
      seen.push({ request, read: await request.text() });
      return new Response(null);
    });
    let pause = () => {};
    const paused = new Promise<void>((resolve) => {
      pause = resolve;
    });
    const text = Array.from({ length: 100_000 }, (_, index) => `${index},`).join('');
    for (const [serve, onPause] of [
      [handler, () => {}],
      // Nothing of it is read until the connection has to wait.
      [slow, pause],
    ] as const) {
      const host = await listen((request, response) => {
        request.on('pause', onPause);
        return serve(request, response);
      });
      expect(
        (await exchange(host, 'POST /x', [`Content-Length: ${text.length}`], text)).status,
      ).toBe(200);
    }
    expect(seen.map(({ read }) => read)).toEqual([text, text]);
  });

  it('leaves no listener behind', async () => {
    const { handler } = await open();
    const counts: Record<string, number[]> = { data: [], end: [], error: [] };
    const host = await listen(async (request, response) => {
      const count = () => {
        for (const [name, list] of Object.entries(counts)) list.push(request.listenerCount(name));
      };
      count();
      await handler(request, response);
      count();
    });
    await exchange(host, 'POST /x', ['Content-Length: 2'], '{}');
    // One for errors stays, because nobody waits for those of a connection that breaks later.
    expect(counts).toMatchObject({ data: [0, 0], error: [0, 1] });
    expect(counts['end']?.[1]).toBe(counts['end']?.[0]);
  });

  it('that breaks off is refused, and nothing is sent', async () => {
    const { proxy, requests, failures } = scriptedProxy([json({ success: true })]);
    const handler = toNodeHandler(proxy);
    const handled = new Promise((resolve) => {
      const serve: Serve = (request, response) => {
        resolve(handler(request, response));
        request.socket.destroy();
      };
      listen(serve).then((host) => {
        const headers = [`Origin: http://${host}`, 'Content-Type: application/json'];
        const path = `${BASE_PATH}/v1/wallet/credit/withdraw`;
        return exchange(host, `POST ${path}`, [...headers, 'Content-Length: 100'], '{"amount":');
      });
    });
    await handled;
    expect(failures).toMatchObject([{ reason: 'request_malformed', outcome: 'not_sent' }]);
    expect(requests).toEqual([]);
  });

  it('of a GET is refused', async () => {
    const { host, seen } = await open();
    expect(await exchange(host, 'GET /x', ['Content-Length: 2'], '{}')).toEqual({
      status: 400,
      message: 'A GET request must not have a body.',
    });
    expect(seen).toEqual([]);
  });

  it('of a request whose method is missing is refused as that of a GET', async () => {
    const { handler, seen } = await open();
    const serve: Serve = (request, response) =>
      handler(Object.create(request, { method: { value: undefined } }) as NodeRequest, response);
    const { status } = await exchange(await listen(serve), 'POST /x', ['Content-Length: 0']);
    expect([status, seen[0]?.request.method]).toEqual([200, 'GET']);
  });
});

describe('the signal of a request', () => {
  it('is not aborted by the end of its response', async () => {
    let request = new Request('http://x');
    const handler = toNodeHandler(async (given) => {
      request = given;
      return new Response('{}');
    });
    const closed = new Promise((resolve) => {
      listen((incoming, response) => {
        handler(incoming, response);
        response.on('close', resolve);
      }).then((host) => exchange(host, 'GET /x'));
    });
    await closed;
    expect(request.signal.aborted).toBe(false);
  });
});

it('a response without a body has none', async () => {
  const handler = toNodeHandler(async () => new Response(null, { status: 204 }));
  const host = await listen(handler);
  const response = await fetch(`http://${host}/x`);
  expect([response.status, await response.text()]).toEqual([204, '']);
});
