import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { Exported } from './run-block.js';
import { call, type Scene } from './scene.js';
import type { Stage } from './stage.js';

const ID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
const OLD_KEY = 'whk_the_key_from_the_beginning';

/** The store that the page declares. */
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

/** A webhook that exists already, and deliveries before, during and after its key is replaced. */
export async function webhooksScene({ mock, after }: Stage): Promise<Scene> {
  const now = new Date(mock.now).toISOString();
  mock.state.webhooks.push({
    ...{ id: ID, tenant: 'tenant-1', name: 'all', url: 'https://hooks.example.com/card' },
    ...{ apiKey: OLD_KEY, eventTypes: ['*'], isActive: true, metadata: {} },
    ...{ createdAt: now, updatedAt: now },
  });
  const store = new Store();
  let receive: unknown;
  const receives = async ({ body, headers }: Delivery) => {
    const request = new Request('https://hooks.example.com/card', {
      ...{ method: 'POST', body, headers },
    });
    return ((await call(receive, request)) as Response).status;
  };
  const signed = (key: string) => mock.signWebhook(key, { event_id: '1', event_type: 'card.x' });
  const all = mock.state.webhooks[0];

  // The service has the new key, and its answer has not come yet.
  let early: number | undefined;
  after['webhooks.rotateKey'] = async () => {
    early = await receives(await signed(all?.apiKey ?? ''));
  };

  const use = async (exported: Exported, block: number) => {
    if (block === 2) {
      receive = exported['receive'];
      expect(await receives(await signed(OLD_KEY))).toBe(204);
      expect(await receives(await signed('another'))).toBe(400);
    }
    if (block === 3) await inExpress(exported['receiveInExpress'], await signed(OLD_KEY));
    if (block === 4) {
      expect(early).toBe(503);
      expect(await receives(await signed(OLD_KEY))).toBe(204);
      expect(await receives(await signed(all?.apiKey ?? ''))).toBe(204);
      await call(exported['finish']);
      expect(await receives(await signed(OLD_KEY))).toBe(400);
      expect(await receives(await signed(all?.apiKey ?? ''))).toBe(204);
    }
  };
  return { names: { store }, use };
}

/** What Express does with `express.raw` before a handler, on a real server. */
async function inExpress(handler: unknown, { body, headers }: Delivery): Promise<void> {
  const server = createServer(async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    await call(handler, Object.assign(req, { body: Buffer.concat(chunks) }), res);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', body, headers });
  expect(answer.status).toBe(204);
  server.close();
}
