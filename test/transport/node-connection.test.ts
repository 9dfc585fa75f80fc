import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  beforeCancel,
  beforeConnection,
  type NodeModules,
  nodeModules,
  watchConnection,
} from '../../src/transport/adapters/node-connections.js';
import type { ExchangeFacts } from '../../src/transport/outcome/outcome.js';

const modules = nodeModules() as NodeModules;
const sockets = new Set<net.Socket>();
// Accepts connections and sends nothing, so a TLS handshake with it never ends.
const silentServer = net.createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => {});
});

beforeAll(async () => {
  silentServer.listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silentServer.close();
  await once(silentServer, 'close');
});

function address(): { host: string; port: number } {
  return { host: '127.0.0.1', port: (silentServer.address() as AddressInfo).port };
}

function openSocket<T extends net.Socket>(socket: T): T {
  sockets.add(socket);
  socket.on('error', () => {});
  return socket;
}

function watched(socket: net.Socket): ExchangeFacts {
  const facts: ExchangeFacts = { connection: 'unproven', status: undefined };
  watchConnection(socket, facts, modules, () => true);
  return facts;
}

describe('the connection of a socket', () => {
  it('is none while the socket connects, and established once it has', async () => {
    const socket = openSocket(net.connect(address()));
    const facts = watched(socket);
    expect(facts.connection).toBe('none');
    await once(socket, 'connect');
    expect(facts.connection).toBe('established');
  });

  it('is established at once for a socket that is already connected', async () => {
    const socket = openSocket(net.connect(address()));
    await once(socket, 'connect');
    expect(watched(socket).connection).toBe('established');
  });

  it('is none for a socket that was destroyed before it connected', () => {
    const socket = openSocket(new net.Socket());
    socket.destroy();
    expect(watched(socket).connection).toBe('none');
  });

  it('is none over TLS after the TCP connection, until the handshake has ended', async () => {
    const socket = openSocket(tls.connect({ ...address(), rejectUnauthorized: false }));
    const facts = watched(socket);
    expect(facts.connection).toBe('none');
    await once(socket, 'connect');
    expect(facts.connection).toBe('none');
    // The TCP connection exists, but nothing of the request has left.
    expect(watched(socket).connection).toBe('none');
    socket.emit('secureConnect');
    expect(facts.connection).toBe('established');
  });

  it('is unproven for a socket of a mock, until that socket connects', () => {
    class MockSocket extends net.Socket {
      override connecting = true;
    }
    const socket = openSocket(new MockSocket());
    const facts = watched(socket);
    expect(facts.connection).toBe('unproven');
    socket.emit('connect');
    expect(facts.connection).toBe('established');
  });
});

describe('the connection of a request', () => {
  const recorded = (request: unknown): ExchangeFacts => {
    const facts: ExchangeFacts = { connection: 'established', status: undefined };
    beforeConnection(request as http.ClientRequest, facts, modules);
    return facts;
  };

  it('is none at first for a request of Node, and unproven for a made-up one', () => {
    const request = http.request({ ...address(), agent: false });
    request.on('error', () => {});
    expect(recorded(request).connection).toBe('none');
    request.destroy();
    expect(recorded(new EventEmitter()).connection).toBe('unproven');
  });

  it.each([
    ['none', 0, 'unproven', 'has handed the request over'],
    ['none', 12, 'none', 'still holds the request'],
    ['established', 0, 'established', 'was connected'],
    ['unproven', 0, 'unproven', 'proves nothing'],
  ] as const)('changes from %s with %d unwritten bytes to %s when it is cancelled, because the socket %s', (connection, writableLength, expected, _reason) => {
    const facts: ExchangeFacts = { connection, status: undefined };
    beforeCancel({ socket: { writableLength } } as http.ClientRequest, facts);
    expect(facts.connection).toBe(expected);
  });

  it('stays none when a request is cancelled before it has a socket', () => {
    const facts: ExchangeFacts = { connection: 'none', status: undefined };
    beforeCancel({ socket: null } as unknown as http.ClientRequest, facts);
    expect(facts.connection).toBe('none');
  });
});
