import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { DocsPlatform } from './docs-platform.js';
import { call, type PageSetup } from './page-setup.js';
import type { Exported } from './run-block.js';

const ID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
const OLD_KEY = 'whk_the_key_from_the_beginning';

/** Implements the store that the page declares. */
class Store {
  #keys = [OLD_KEY];
  #isChanging = false;
  readonly events: (string | undefined)[] = [];
  readonly keys = async () => ({ accepted: this.#keys, isChanging: this.#isChanging });
  readonly saveOnce = async (eventId: string | undefined) => this.events.push(eventId);
  readonly addKey = async (key: string) => this.#keys.unshift(key);
  readonly beginChange = async () => {
    this.#isChanging = true;
  };
  readonly endChange = async () => {
    this.#keys.length = 1;
    this.#isChanging = false;
  };
}

type Delivery = { body: string; headers: Record<string, string> };

/** Adds a webhook, and checks deliveries before, during and after its key is replaced. */
export async function webhooksSetup({ mock, after }: DocsPlatform): Promise<PageSetup> {
  const now = new Date(mock.now).toISOString();
  mock.state.webhooks.push({
    id: ID,
    tenant: 'tenant-1',
    name: 'all',
    url: 'https://hooks.example.com/card',
    apiKey: OLD_KEY,
    eventTypes: ['*'],
    isActive: true,
    metadata: {},
    createdAt: now,
    updatedAt: now,
  });
  const store = new Store();
  let receive: unknown;
  const deliver = async ({ body, headers }: Delivery) => {
    const request = new Request('https://hooks.example.com/card', {
      method: 'POST',
      body,
      headers,
    });
    return ((await call(receive, request)) as Response).status;
  };
  const signed = (key: string) => mock.signWebhook(key, { event_id: '1', event_type: 'card.x' });
  const all = mock.state.webhooks[0];

  // The service has the new key, but its response has not arrived yet.
  let statusDuringRotation: number | undefined;
  after['webhooks.rotateKey'] = async () => {
    statusDuringRotation = await deliver(await signed(all?.apiKey ?? ''));
  };

  const use = async (exported: Exported, block: number) => {
    if (block === 2) {
      receive = exported['receive'];
      expect(await deliver(await signed(OLD_KEY))).toBe(204);
      expect(await deliver(await signed('another'))).toBe(400);
    }
    if (block === 3)
      await receiveThroughServer(exported['receiveInExpress'], await signed(OLD_KEY));
    if (block === 4) {
      expect(statusDuringRotation).toBe(503);
      expect(await deliver(await signed(OLD_KEY))).toBe(204);
      expect(await deliver(await signed(all?.apiKey ?? ''))).toBe(204);
      await call(exported['finish']);
      expect(await deliver(await signed(OLD_KEY))).toBe(400);
      expect(await deliver(await signed(all?.apiKey ?? ''))).toBe(204);
    }
  };
  return { names: { store }, use };
}

/** Calls a handler on a real server, with the body that `express.raw` would provide. */
async function receiveThroughServer(handler: unknown, { body, headers }: Delivery): Promise<void> {
  const server = createServer(async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    await call(handler, Object.assign(req, { body: Buffer.concat(chunks) }), res);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', body, headers });
  expect(response.status).toBe(204);
  server.close();
}
