import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/index.js';
import type { Exchange, HttpRequest } from '../../src/transport/adapters/http-adapter.js';
import {
  agentOfCaller,
  defaultAgents,
  type NodeModules,
  nodeModules,
} from '../../src/transport/adapters/node-connections.js';
import { nodeHttpAdapter } from '../../src/transport/adapters/node-http.js';
import { selfSignedCertificate } from '../faults/certificate.js';
import { FaultServer, sendResponse } from '../faults/fault-server.js';
import { clientFor, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const modules = nodeModules() as NodeModules;
const identity = selfSignedCertificate('sockets');
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const RESPONSE = '{"success":true,"id":"c","status":"ACTIVE"}';

/** A real server that knows its connections. It holds responses back while `isHolding`. */
class SocketServer {
  readonly #server: http.Server | https.Server;
  readonly #open = new Set<Socket>();
  readonly #held: http.ServerResponse[] = [];
  readonly #arrivals = new EventEmitter();
  /** The most connections that were open at the same time. */
  most = 0;
  connections = 0;
  /** For each request, how many its connection had carried before. */
  readonly carriedBefore: number[] = [];
  /** For each TLS connection, whether it resumed a session. */
  readonly resumed: boolean[] = [];
  requests = 0;
  isHolding = false;

  constructor(readonly protocol: 'http' | 'https') {
    const carried = new WeakMap<Socket, number>();
    const respond: http.RequestListener = (request, response) => {
      const before = carried.get(request.socket) ?? 0;
      carried.set(request.socket, before + 1);
      this.carriedBefore.push(before);
      this.requests++;
      request.resume();
      response.setHeader('content-type', 'application/json');
      if (this.isHolding) this.#held.push(response);
      else response.end(RESPONSE);
      this.#arrivals.emit('request');
    };
    this.#server =
      protocol === 'https' ? https.createServer(identity, respond) : http.createServer(respond);
    this.#server.on('connection', (socket: Socket) => {
      this.connections++;
      this.#open.add(socket);
      this.most = Math.max(this.most, this.#open.size);
      socket.on('close', () => this.#open.delete(socket));
    });
    this.#server.on('secureConnection', (socket: TLSSocket) => {
      this.resumed.push(socket.isSessionReused());
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1', 2_000);
    await once(this.#server, 'listening');
    closers.push(() => {
      for (const socket of this.#open) socket.destroy();
      return new Promise((resolve) => this.#server.close(resolve));
    });
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get baseUrl(): string {
    return `${this.protocol}://127.0.0.1:${this.port}`;
  }

  /** Waits until this many requests have arrived in all. */
  async arrived(count: number): Promise<void> {
    while (this.requests < count) await once(this.#arrivals, 'request');
  }

  releaseHeld(): void {
    this.isHolding = false;
    for (const response of this.#held.splice(0)) response.end(RESPONSE);
  }
}

function requestTo(server: SocketServer, onlyOnce: boolean, host = '127.0.0.1'): HttpRequest {
  const url = `${server.protocol}://${host}:${server.port}/v1/x`;
  return { method: 'POST', url, headers: {}, body: '{}', onlyOnce };
}

/** The adapter over the agents of this package, with a TLS client that trusts the test's server. */
function ownAdapter(maxSockets = 256, more: http.RequestOptions = {}) {
  const open = (from: typeof http | typeof https) => (options: http.RequestOptions) =>
    from.request({ ...options, ca: identity.cert, ...more } as https.RequestOptions);
  const used = {
    ...modules,
    http: { ...http, request: open(http) },
    https: { ...https, request: open(https) },
  } as unknown as NodeModules;
  return nodeHttpAdapter(used, defaultAgents(used, maxSockets));
}

function callersAgent(protocol: 'http' | 'https', options: https.AgentOptions = {}) {
  const Agent = protocol === 'https' ? https.Agent : http.Agent;
  const agent = new Agent({ keepAlive: true, ca: identity.cert, ...options });
  closers.push(() => agent.destroy());
  return agent;
}

const WITHDRAWAL = {
  amount: '1',
  currency: 'xrp',
  recipientAddress: 'rMoved',
  recipientMemo: null,
  sourceAddress: 'rOwn',
  checkRecipient: false,
} as const;

const countSockets = (sockets: NodeJS.ReadOnlyDict<Socket[]>) =>
  Object.values(sockets).flat().length;

describe('requests that may arrive only once', () => {
  it.each([
    'own',
    'caller',
  ])('each use a new connection over TLS, which resumes the session of the first: agent of the %s', async (owner) => {
    const server = await new SocketServer('https').start();
    const adapter =
      owner === 'own'
        ? ownAdapter()
        : nodeHttpAdapter(modules, agentOfCaller(callersAgent('https'), 256));
    for (let i = 0; i < 20; i++) {
      const exchange = adapter.start(requestTo(server, true));
      expect(exchange.facts.connection).toBe('none');
      expect((await exchange.response).status).toBe(200);
      expect(exchange.facts).toEqual({ connection: 'established', status: 200 });
    }
    await Promise.all(
      Array.from({ length: 20 }, () => adapter.start(requestTo(server, true)).response),
    );
    expect(server.connections).toBe(40);
    expect(Math.max(...server.carriedBefore)).toBe(0);
    expect(server.resumed).toEqual([false, ...Array(39).fill(true)]);
  });

  it('are not sent while a resumed handshake is unfinished', async () => {
    const server = await new SocketServer('https').start();
    const adapter = ownAdapter();
    await adapter.start(requestTo(server, true)).response;
    // Passes bytes on until the client has begun its second handshake, and then nothing more.
    const silent = net.createServer((socket) => {
      closers.push(() => socket.destroy());
      socket.once('data', () => silent.emit('hello'));
      socket.on('error', () => {});
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closers.push(() => silent.close());
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const exchange = adapter.start({ ...requestTo(server, true), url });
    await once(silent, 'hello');
    expect(exchange.facts.connection).toBe('none');
    exchange.cancel();
    expect(await rejection(exchange.response)).toMatchObject({ message: 'cancelled' });
    expect(exchange.facts.connection).toBe('none');
  });
});

describe('the agent of the caller', () => {
  it.each([
    'http',
    'https',
  ] as const)('keeps its idle %s connections when a request needs a new one', async (protocol) => {
    const server = await new SocketServer(protocol).start();
    const agent = callersAgent(protocol);
    const adapter = nodeHttpAdapter(modules, agentOfCaller(agent, 256));
    server.isHolding = true;
    const reads = Array.from({ length: 20 }, () => adapter.start(requestTo(server, false)));
    await server.arrived(20);
    server.releaseHeld();
    await Promise.all(reads.map(({ response }) => response));
    await new Promise(setImmediate);
    const idle = new Set(Object.values(agent.freeSockets).flat());
    expect(idle.size).toBe(20);
    await adapter.start(requestTo(server, true)).response;
    await adapter.start(requestTo(server, true)).response;
    expect(new Set(Object.values(agent.freeSockets).flat())).toEqual(idle);
    expect([server.connections, server.carriedBefore.at(-1)]).toEqual([22, 0]);
    await adapter.start(requestTo(server, false)).response;
    expect(server.connections).toBe(22);
  });

  it.each([
    ['maxSockets', { maxSockets: 2 }],
    ['maxTotalSockets', { maxTotalSockets: 2 }],
  ])('gives up one idle connection where %s leaves no room', async (_, limits) => {
    const server = await new SocketServer('http').start();
    const agent = callersAgent('http', limits);
    const adapter = nodeHttpAdapter(modules, agentOfCaller(agent, 256));
    server.isHolding = true;
    const reads = [false, false].map((once) => adapter.start(requestTo(server, once)));
    await server.arrived(2);
    server.releaseHeld();
    await Promise.all(reads.map(({ response }) => response));
    await new Promise(setImmediate);
    expect(countSockets(agent.freeSockets)).toBe(2);
    await adapter.start(requestTo(server, true)).response;
    expect(server.carriedBefore.at(-1)).toBe(0);
    expect(countSockets(agent.freeSockets)).toBe(1);
    expect(server.connections).toBe(3);
  });

  it('never lends a used connection through its own queue', async () => {
    const server = await new SocketServer('http').start();
    const agent = callersAgent('http', { maxSockets: 1 });
    server.isHolding = true;
    // Code outside this package has the only connection, and returns it to the agent.
    const foreign = http.get({ port: server.port, host: '127.0.0.1', agent });
    foreign.on('response', (message) => message.resume());
    await server.arrived(1);
    const adapter = nodeHttpAdapter(modules, agentOfCaller(agent, 256));
    const exchange = adapter.start(requestTo(server, true));
    expect(countSockets(agent.requests as never)).toBe(1);
    expect(exchange.facts.connection).toBe('none');
    server.releaseHeld();
    expect((await exchange.response).status).toBe(200);
    expect(server.carriedBefore).toEqual([0, 0]);
  });

  it.each([
    [15, 1],
    [16, 0],
  ])('that first returns %i used connections sends the request %i times', async (count, sent) => {
    const server = await new SocketServer('http').start();
    let opened = 0;
    class UsedSocketsAgent extends http.Agent {
      override createConnection(options: http.ClientRequestArgs): Socket {
        const socket = net.connect(options as net.NetConnectOpts);
        if (++opened > count) return socket;
        return Object.defineProperty(socket, 'bytesWritten', { value: 1 });
      }
    }
    const client = clientFor(server.baseUrl, { agent: new UsedSocketsAgent(), retry: false });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(server.requests).toBe(sent);
    expect(opened).toBe(16);
    // The response of this server has no transaction hash.
    if (sent === 1) expect(error).toMatchObject({ name: 'ResponseValidationError' });
    else expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not_sent' });
  });

  it('gets a lookup of its idle connections back even when a request cannot be made', async () => {
    const agent = callersAgent('http');
    const { freeSockets } = agent;
    const agents = agentOfCaller(agent, 256);
    const fail = () => {
      throw new Error('no request');
    };
    expect(() => agents.open('http:', true, fail)).toThrow('no request');
    expect(agent.freeSockets).toBe(freeSockets);
  });
});

it('an idle connection is closed after 4 seconds, before most servers do it', async () => {
  // It does not say for how long it keeps connections.
  const server = new FaultServer(sendResponse(200, RESPONSE));
  await server.start();
  closers.push(() => server.stop());
  const agents = defaultAgents(modules, 256);
  let pool: http.Agent | undefined;
  const adapter = nodeHttpAdapter(modules, {
    ...agents,
    open: (protocol, onlyOnce, request) =>
      agents.open(protocol, onlyOnce, (agent) => {
        pool = agent;
        return request(agent);
      }),
  });
  const read = { method: 'GET', url: server.baseUrl, headers: {}, body: undefined };
  await adapter.start({ ...read, onlyOnce: false }).response;
  await expect.poll(() => Object.values(pool?.freeSockets ?? {}).flat()).toHaveLength(1);
  const [idle] = Object.values(pool?.freeSockets ?? {}).flat() as [Socket];
  expect(idle.timeout).toBe(4_000);
  idle.emit('timeout');
  expect(idle.destroyed).toBe(true);
});

describe('the connections to one host', () => {
  it('are at most 256 for 1,000 calls at the same time, reads and withdrawals', async () => {
    const server = await new SocketServer('http').start();
    const client = clientFor(server.baseUrl);
    server.isHolding = true;
    const calls = Array.from({ length: 1_000 }, (_, index) =>
      index % 2 === 0
        ? client.card.status().then(() => 'read')
        : client.wallets.internal.withdraw(WITHDRAWAL).then(() => 'moved'),
    );
    await server.arrived(256);
    server.releaseHeld();
    await Promise.all(calls);
    expect(server.requests).toBe(1_000);
    expect(server.most).toBe(256);
  });

  it.each(['own', 'caller'])('are at most `maxSockets`: agent of the %s', async (owner) => {
    const server = await new SocketServer('http').start();
    const agent = owner === 'caller' ? { agent: callersAgent('http') } : {};
    const client = clientFor(server.baseUrl, { maxSockets: 5, ...agent });
    server.isHolding = true;
    const calls = Array.from({ length: 40 }, (_, index) =>
      index % 3 === 0
        ? client.card.unfreeze()
        : client.card.status({ headers: { 'x-n': `${index}` } }),
    );
    await server.arrived(5);
    expect(server.most).toBe(5);
    server.releaseHeld();
    await Promise.all(calls);
    expect([server.requests, server.most]).toEqual([40, 5]);
  });

  it('are at most the `maxSockets` of an agent that allows fewer', async () => {
    const server = await new SocketServer('http').start();
    const client = clientFor(server.baseUrl, { agent: callersAgent('http', { maxSockets: 3 }) });
    server.isHolding = true;
    const calls = Array.from({ length: 30 }, () => client.card.unfreeze());
    await server.arrived(3);
    server.releaseHeld();
    await Promise.all(calls);
    expect([server.requests, server.most]).toEqual([30, 3]);
    expect(Math.max(...server.carriedBefore)).toBe(0);
  });

  it('are shared by clients with the same limit or agent, and counted for each host', async () => {
    const [one, other] = [
      await new SocketServer('http').start(),
      await new SocketServer('http').start(),
    ];
    const clients = [0, 1].map(() => clientFor(one.baseUrl, { maxSockets: 7 }));
    one.isHolding = true;
    const held = Array.from({ length: 14 }, (_, index) => clients[index % 2]?.card.unfreeze());
    await one.arrived(7);
    await clientFor(other.baseUrl, { maxSockets: 7 }).card.unfreeze();
    expect([one.requests, other.requests]).toEqual([7, 1]);
    one.releaseHeld();
    await Promise.all(held);
    expect(one.most).toBe(7);
  });
});

describe('a request that waits for a connection', () => {
  async function withOneSocketTaken() {
    const server = await new SocketServer('http').start();
    server.isHolding = true;
    const clock = new FakeClock({ auto: false });
    const client = clientFor(server.baseUrl, {
      agent: callersAgent('http', { maxSockets: 1 }),
      clock,
      retry: false,
    });
    const first = client.card.unfreeze({ timeout: 100_000, totalTimeout: 100_000 });
    await server.arrived(1);
    return { server, clock, client, first };
  }

  it('is not sent when its time runs out, and its place is free again', async () => {
    const { server, clock, client, first } = await withOneSocketTaken();
    const failed = rejection(client.wallets.credit.withdraw({ amount: '1' }, { timeout: 500 }));
    await new Promise(setImmediate);
    clock.advance(500);
    expect(await failed).toMatchObject({
      name: 'TimeoutError',
      phase: 'connect',
      outcome: 'not_sent',
    });
    server.releaseHeld();
    await first;
    await client.card.unfreeze();
    expect(server.requests).toBe(2);
  });

  it('is not sent when the caller aborts it', async () => {
    const { server, client, first } = await withOneSocketTaken();
    const controller = new AbortController();
    const { signal } = controller;
    const failed = rejection(client.wallets.credit.withdraw({ amount: '1' }, { signal }));
    const next = client.card.unfreeze();
    const reason = new Error('the user left');
    controller.abort(reason);
    expect(await failed).toBe(reason);
    expect(outcomeOf(reason)).toBe('not_sent');
    server.releaseHeld();
    await Promise.all([first, next]);
    expect(server.requests).toBe(2);
  });

  it('is not sent when it is cancelled just as its turn comes', async () => {
    const server = await new SocketServer('http').start();
    const adapter = ownAdapter(1);
    const running = adapter.start(requestTo(server, true));
    const waiting = adapter.start(requestTo(server, true));
    const slots = [running, waiting];
    // The slot of the first is returned now, and the second starts in the next microtask.
    slots[0]?.cancel();
    slots[1]?.cancel();
    expect(await rejection(waiting.response)).toMatchObject({ message: 'cancelled' });
    await rejection(running.response);
    expect(waiting.facts).toEqual({ connection: 'none', status: undefined });
    await adapter.start(requestTo(server, true)).response;
    expect(server.requests).toBe(1);
  });

  it('is made in the async context of its own call', async () => {
    const server = await new SocketServer('http').start();
    const context = new AsyncLocalStorage<number>();
    const seen: (number | undefined)[] = [];
    const request = (options: http.RequestOptions) => {
      seen.push(context.getStore());
      return http.request(options);
    };
    const traced = { ...modules, http: { ...http, request } } as NodeModules;
    const adapter = nodeHttpAdapter(traced, defaultAgents(traced, 1));
    const run = (id: number) =>
      context.run(id, () => adapter.start(requestTo(server, id % 2 === 0)).response);
    await Promise.all([1, 2, 3, 4].map(run));
    expect(seen).toEqual([1, 2, 3, 4]);
  });
});

describe('a system without a free file handle', () => {
  /** Fails to connect, as the system does, while more than `limit` connections are open. */
  function scarce(server: SocketServer, limit: number, code = 'EMFILE') {
    const open = new Set<Socket>();
    let refused = 0;
    const lookup: net.LookupFunction = (_host, _options, found) => {
      // A socket gives its handle back when it is destroyed, before it reports that it closed.
      const inUse = [...open].filter(({ destroyed }) => !destroyed).length;
      if (inUse < limit) found(null, [{ address: '127.0.0.1', family: 4 }]);
      else {
        refused++;
        found(Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' }), []);
      }
    };
    const watch = (exchange: Exchange) => exchange.response;
    const track = (options: http.RequestOptions) => {
      const request = http.request({ ...options, lookup });
      request.on('socket', (socket: Socket) => {
        open.add(socket);
        socket.once('close', () => open.delete(socket));
      });
      return request;
    };
    const used = { ...modules, http: { ...http, request: track } } as unknown as NodeModules;
    const adapter = nodeHttpAdapter(used, defaultAgents(used, 64));
    const send = (onlyOnce: boolean) =>
      watch(adapter.start(requestTo(server, onlyOnce, 'localhost')));
    return { send, refusals: () => refused };
  }

  it('makes requests wait for one another instead of failing', async () => {
    const server = await new SocketServer('http').start();
    const { send, refusals } = scarce(server, 3);
    const responses = await Promise.all(Array.from({ length: 200 }, () => send(true)));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(server.requests).toBe(200);
    expect(server.most).toBeLessThanOrEqual(3);
    expect(refusals()).toBeGreaterThan(0);
  });

  it('uses the handles of idle connections', async () => {
    const server = await new SocketServer('http').start();
    const { send, refusals } = scarce(server, 3);
    server.isHolding = true;
    const reads = [false, false, false].map(send);
    await server.arrived(3);
    server.releaseHeld();
    await Promise.all(reads);
    await new Promise(setImmediate);
    expect((await send(true)).status).toBe(200);
    expect(refusals()).toBe(1);
  });

  it.each([
    'EMFILE',
    'EADDRNOTAVAIL',
  ])('reports %s when nothing else could return one', async (code) => {
    const server = await new SocketServer('http').start();
    const { send } = scarce(server, 0, code);
    expect(await rejection(send(true))).toMatchObject({ code });
    const both = await Promise.all([rejection(send(true)), rejection(send(false))]);
    expect(both).toMatchObject([{ code }, { code }]);
    expect(server.requests).toBe(0);
  });
});

describe('after any mixture of endings', () => {
  it('every connection can be used again', async () => {
    const server = await new SocketServer('http').start();
    const adapter = ownAdapter(3);
    const closed = net.createServer();
    closed.listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const endings: ((index: number) => Promise<unknown>)[] = [
      (index) => adapter.start(requestTo(server, index % 2 === 0)).response,
      (index) => {
        const exchange = adapter.start(requestTo(server, index % 2 === 0));
        exchange.cancel();
        return rejection(exchange.response);
      },
      async (index) => {
        const exchange = adapter.start(requestTo(server, index % 2 === 0));
        await new Promise(setImmediate);
        exchange.cancel();
        return exchange.response.catch(() => {});
      },
      () =>
        rejection(
          adapter.start({ ...requestTo(server, true), url: `http://127.0.0.1:${port}/` }).response,
        ),
      () =>
        rejection(adapter.start({ ...requestTo(server, true), headers: { bad: '\n' } }).response),
      () =>
        adapter.start({ ...requestTo(server, true), maxResponseBytes: 1 }).response.catch(() => {}),
    ];
    await Promise.all(
      Array.from({ length: 120 }, (_, index) => endings[index % endings.length]?.(index)),
    );
    server.isHolding = true;
    const before = server.requests;
    const three = [true, false, true].map(
      (once) => adapter.start(requestTo(server, once)).response,
    );
    await server.arrived(before + 3);
    server.releaseHeld();
    await Promise.all(three);
    expect(server.most).toBeLessThanOrEqual(3);
  });

  it('a mocked request that never closes keeps nothing occupied', async () => {
    const open = () => Object.assign(new EventEmitter(), { end: () => {}, destroy: () => {} });
    let made = 0;
    const request = () => {
      made++;
      const mocked = open();
      setImmediate(() => mocked.emit('error', new Error('mocked')));
      return mocked;
    };
    const mocked = { ...modules, http: { ...http, request } } as unknown as NodeModules;
    const server = await new SocketServer('http').start();
    const adapter = nodeHttpAdapter(mocked, defaultAgents(mocked, 2));
    const failures = Array.from({ length: 10 }, () =>
      rejection(adapter.start(requestTo(server, true)).response),
    );
    expect(await Promise.all(failures)).toHaveLength(10);
    expect(made).toBe(10);
  });
});
