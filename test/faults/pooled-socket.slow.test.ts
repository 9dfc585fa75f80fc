import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADAPTERS, type AdapterName, clientOver } from '../support/adapters.js';
import { CREDENTIALS, clientFor } from '../support/clients.js';

const CALLS = 1_000;

/** Closes each connection at about the time when the client may use it again. */
class RacingServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly hits = new Map<string, number>();

  constructor() {
    this.#server = createServer((request, response) => {
      const name = String(request.headers['x-case']);
      this.hits.set(name, (this.hits.get(name) ?? 0) + 1);
      response.setHeader('content-type', 'application/json');
      response.end('{"success":true,"id":"c","status":"ACTIVE"}', () => {
        setImmediate(() => request.socket.destroy());
      });
      request.resume();
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('a server that closes connections as they are reused', () => {
  const server = new RacingServer();
  beforeAll(() => server.start());
  const agent = new Agent({ keepAlive: true });
  afterAll(() => {
    agent.destroy();
    return server.stop();
  });

  const clientOf = (sender: string) =>
    sender === 'an agent of the caller'
      ? clientFor(server.baseUrl, { agent })
      : clientOver(sender as AdapterName, { baseUrl: server.baseUrl, ...CREDENTIALS });

  it.each([
    ...ADAPTERS,
    'an agent of the caller',
  ])('rarely fails a request over %s and never receives one twice', async (transport) => {
    const client = clientOf(transport);
    let failures = 0;
    for (let i = 0; i < CALLS; i++) {
      const reading = client.card.status({ headers: { 'x-case': `${transport} read ${i}` } });
      const read = await reading.safe();
      const headers = { 'x-case': `${transport} ${i}` };
      const acted = await client.card.unfreeze({ headers }).safe();
      if (!acted.ok) {
        failures++;
        expect(acted.error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
      }
      expect(server.hits.get(headers['x-case']) ?? 0).toBeLessThanOrEqual(1);
      expect(read.ok || read.error.outcome === 'unknown').toBe(true);
    }
    expect(failures).toBeLessThan(CALLS / 100);
  });
});
