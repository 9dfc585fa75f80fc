import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../src/transport/adapters/http-adapter.js';
import {
  agentOfCaller,
  defaultAgents,
  type NodeModules,
  nodeModules,
} from '../../src/transport/adapters/node-connections.js';
import { nodeHttpAdapter } from '../../src/transport/adapters/node-http.js';
import { rejection } from '../support/clients.js';

const modules = nodeModules() as NodeModules;
const adapterOver = (used: NodeModules) => nodeHttpAdapter(used, defaultAgents(used, 256));
let server: http.Server;
let respond: http.RequestListener;
let connections: number;

beforeEach(async () => {
  connections = 0;
  respond = (_, response) => response.end('{}');
  server = http.createServer((request, response) => respond(request, response));
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function request(onlyOnce = false, host = '127.0.0.1'): HttpRequest {
  const { port } = server.address() as AddressInfo;
  const url = `http://${host}:${port}/v1/card/status?page=1`;
  return { method: 'GET', url, headers: {}, body: undefined, onlyOnce };
}

describe('the node:http adapter', () => {
  it('returns every header as the server sent it, by a name in any case', async () => {
    respond = (_, response) => {
      response.setHeader('X-Request-Id', 'id-1');
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.setHeader('Content-Type', 'application/json');
      response.end('{"id":1}');
    };
    const exchange = adapterOver(modules).start(request());
    const { status, headers, text } = await exchange.response;
    expect([status, text]).toEqual([200, '{"id":1}']);
    expect(headers.get('x-REQUEST-id')).toBe('id-1');
    expect(headers.get('x-absent')).toBeNull();
    expect(headers.toHeaders().getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(headers.toHeaders().get('content-type')).toBe('application/json');
    expect(exchange.facts).toEqual({ connection: 'established', status: 200 });
  });

  it('reports no connection before there is one', async () => {
    const exchange = adapterOver(modules).start(request());
    expect(exchange.facts).toEqual({ connection: 'none', status: undefined });
    await exchange.response;
  });

  it('reuses connections, but opens one for a request that may arrive only once', async () => {
    const received: (string | undefined)[] = [];
    respond = ({ headers }, response) => {
      received.push(headers.connection);
      response.end('{}');
    };
    const adapter = adapterOver(modules);
    for (const onlyOnce of [false, false, true]) await adapter.start(request(onlyOnce)).response;
    expect(connections).toBe(2);
    expect(received).toEqual(['keep-alive', 'keep-alive', 'close']);
  });

  it('does not read the body of a redirect', async () => {
    respond = (_, response) => {
      response.writeHead(302, { location: 'https://other.example/' });
      response.write('never read');
    };
    const { status, text } = await adapterOver(modules).start(request()).response;
    expect([status, text]).toEqual([302, '']);
  });

  it('ends a cancelled exchange, and knows that it was connected', async () => {
    const adapter = adapterOver(modules);
    const arrived = new Promise<void>((resolve) => {
      respond = () => resolve();
    });
    const exchange = adapter.start(request());
    await arrived;
    exchange.cancel();
    expect(await rejection(exchange.response)).toMatchObject({ message: 'cancelled' });
    expect(exchange.facts).toEqual({ connection: 'established', status: undefined });
  });

  it('sends to an IPv6 address without the brackets of its URL', async () => {
    const failed = await rejection(adapterOver(modules).start(request(true, '[::1]')).response);
    // Nothing listens there: the address was understood, and the connection refused.
    expect(failed).toMatchObject({ syscall: 'connect', address: '::1' });
  });

  it("keeps its connections apart from those of Node's global agent", async () => {
    const first = adapterOver(modules);
    await first.start(request()).response;
    await adapterOver(modules).start(request()).response;
    await first.start(request()).response;
    expect(connections).toBe(2);
    const { port } = server.address() as AddressInfo;
    const ofGlobalAgent = [http.globalAgent.freeSockets, http.globalAgent.sockets];
    expect(ofGlobalAgent.flatMap(Object.keys).filter((key) => key.includes(`:${port}:`))).toEqual(
      [],
    );
  });

  it("asks the server to close the connection of a request on the caller's agent", async () => {
    const agent = new http.Agent({ keepAlive: true });
    const received: (string | undefined)[] = [];
    respond = ({ headers }, response) => {
      received.push(headers.connection);
      response.end('{}');
    };
    const adapter = nodeHttpAdapter(modules, agentOfCaller(agent, 256));
    for (const onlyOnce of [false, true]) await adapter.start(request(onlyOnce)).response;
    agent.destroy();
    expect(received).toEqual(['keep-alive', 'close']);
  });

  it('does not take back a connection that was established, whatever the error claims', async () => {
    const sent: http.ClientRequest[] = [];
    const open = (options: http.RequestOptions) => {
      const one = http.request(options);
      sent.push(one);
      return one;
    };
    const adapter = adapterOver({
      ...modules,
      http: { ...http, request: open },
    } as NodeModules);
    const arrived = new Promise<void>((resolve) => {
      respond = () => resolve();
    });
    const exchange = adapter.start(request());
    await arrived;
    const refusal = { code: 'ECONNREFUSED', syscall: 'connect' };
    sent[0]?.destroy(Object.assign(new Error('connect ECONNREFUSED'), refusal));
    expect(await rejection(exchange.response)).toMatchObject(refusal);
    expect(exchange.facts).toEqual({ connection: 'established', status: undefined });
  });

  it('can be cancelled when Node could not even make the request', async () => {
    const failure = new Error('no request');
    const fail = () => {
      throw failure;
    };
    const broken = { ...modules, http: { ...http, request: fail } } as unknown as NodeModules;
    const exchange = adapterOver(broken).start(request());
    expect(await rejection(exchange.response)).toBe(failure);
    exchange.cancel();
    expect(exchange.facts).toStrictEqual({ connection: 'none', status: undefined });
  });

  it('no longer claims that nothing was sent when a mock has taken the request', async () => {
    // Node's own class, still connecting, and its bytes are gone: as MSW 3 does it.
    const socket = Object.assign(new net.Socket(), {
      connecting: true,
      _write: (_chunk: unknown, _encoding: string, taken: () => void) => taken(),
      _writev: (_chunks: unknown, taken: () => void) => taken(),
    });
    const open = (options: http.RequestOptions) =>
      http.request({ ...options, agent: undefined, createConnection: () => socket });
    const adapter = adapterOver({
      ...modules,
      http: { ...http, request: open },
    } as NodeModules);
    const exchange = adapter.start(request(true));
    await new Promise(setImmediate);
    expect(exchange.facts.connection).toBe('none');
    exchange.cancel();
    expect(await rejection(exchange.response)).toMatchObject({ message: 'cancelled' });
    expect(exchange.facts.connection).toBe('unproven');
  });
});
