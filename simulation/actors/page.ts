import { CardPlatformClient } from '../../src/client.js';
import { createCardProxy } from '../../src/server/index.js';
import type { MockUser } from '../../src/testing/state.js';
import { SEND, type Send, type Sender } from '../../src/transport/send.js';
import { RealRequest } from '../engine/globals.js';
import type { Random } from '../engine/random.js';
import { textOf } from '../world/bytes.js';
import type { Call } from '../world/ledger.js';
import {
  CALL_HEADER,
  type Incoming,
  type Outgoing,
  openNetwork,
  type Server,
} from '../world/network.js';
import { drawOperation } from '../world/operations.js';
import { noteToken } from '../world/platform.js';
import { Machine, type Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { keepRunning, repeat } from './actor.js';
import { invokeOn, pursue, showValue } from './call.js';
import { chosenJournal, chosenStore, clientOptions, pageOptions } from './client-options.js';
import { lookUpAll } from './look-up.js';
import { addUsUser } from './us-user.js';

const ORIGIN = 'https://app.example';

/** The same client, whose calls the ledger recognise as those of a page. */
function sendingFor(client: Sender, callId: string | null): Sender {
  if (callId === null) return client;
  const send = ((endpoint, input, options) => {
    const headers = { [CALL_HEADER]: callId };
    return client[SEND](endpoint, input, { ...options, headers });
  }) as Send;
  return { [SEND]: send };
}

/** Values that a page must never receive. */
function checkResponse(world: World, text: string): void {
  for (const name of world.ledger.secrets.namesIn(text)) {
    const isOfServer = ['access token', 'client key', 'client id', 'secret key'].includes(name);
    if (isOfServer) world.claim('no-secret-shown', `${name} on a page`);
  }
}

/** The proxy on the server of a page. It is `undefined` while its process is down. */
class ProxyServer {
  server: Server;

  constructor(world: World, user: MockUser) {
    keepRunning(world, new Machine('edge'), 'proxy', (process, random) => {
      process.onEnd(() => {
        this.server = undefined;
      });
      this.server = this.#serverOf(world, process, random, user);
    });
  }

  #serverOf(world: World, process: Process, random: Random, user: MockUser): Server {
    const client = new CardPlatformClient(clientOptions(world, process, random));
    const region = user.environment;
    const newToken = () => noteToken(world, world.mock.accessTokenFor(user), user);
    let token = newToken();
    const accessToken = ({ reason }: { reason: string }) => {
      if (reason === 'rejected') token = newToken();
      return token;
    };
    return async ({ url, method, headers, body }: Incoming): Promise<Outgoing> => {
      const proxy = createCardProxy({
        client: sendingFor(client, headers.get(CALL_HEADER)),
        session: () => ({ accessToken, region, userId: user.id }),
        basePath: '/api',
        onFailure: (failure) => showValue(world, 'onFailure of the proxy', failure),
      });
      // Headers that the browser adds.
      const sent = new Headers(headers);
      sent.set('sec-fetch-site', 'same-origin');
      const request = new RealRequest(url, { method, headers: sent, ...(body !== '' && { body }) });
      const response = await proxy(request);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (process.isAlive) checkResponse(world, textOf(bytes));
      if (!process.isAlive) return new Promise<Outgoing>(() => {});
      return { status: response.status, headers: response.headers, bytes };
    };
  }
}

/** A page whose client knows no key and no token. */
class Page {
  readonly #world: World;
  readonly #process: Process;
  readonly #random: Random;
  readonly #user: MockUser;
  readonly #client: CardPlatformClient;

  constructor(world: World, process: Process, random: Random, user: MockUser, proxy: ProxyServer) {
    this.#world = world;
    this.#process = process;
    this.#random = random;
    this.#user = user;
    this.#client = new CardPlatformClient({
      ...pageOptions(world, process, random),
      baseUrl: `${ORIGIN}/api`,
      throughProxy: true,
      fetch: openNetwork(world, process, ORIGIN, () => proxy.server),
      journal: chosenJournal(world, process, {
        store: chosenStore(world, process),
        user: user.id,
      }),
    });
    repeat(world, process, random, 20, () => this.#act());
    repeat(world, process, random, 240, () => this.#lookUp());
    world.scheduler.after(random.between(10, 4_000), process, () => void this.#lookUp());
  }

  async #act(repeated?: Call): Promise<void> {
    const { mock, ledger } = this.#world;
    const operation = repeated?.intention.operation ?? drawOperation(this.#random);
    const user = mock.users.get(this.#user.id);
    const input = operation.input(user, this.#random, mock.state);
    const isRefused = operation.isServerOnly === true || operation.id === 'orders.create';
    if (repeated === undefined && (input === null || isRefused)) return;
    const intention =
      repeated?.intention ?? ledger.newIntention(user, operation, input ?? undefined);
    const { call } = await pursue(this.#world, this.#process, intention, this.#random, {
      hasJournal: true,
      invoke: invokeOn(this.#client, intention),
    });
    // Sometimes the user looks up the result at once.
    if (call.outcome !== 'unknown' || !this.#random.chance(0.5)) return;
    const soon = this.#random.between(100, 100_000);
    this.#world.scheduler.after(soon, this.#process, () => void this.#lookUp());
  }

  async #lookUp(): Promise<void> {
    await lookUpAll(this.#world, this.#process, this.#random, {
      anyJournal: () => this.#client.journal,
      journalFor: async () => this.#client.journal,
      again: (call) => void this.#act(call),
    });
  }
}

/** A page, and the proxy on its own server that has the keys. */
export function startPage(world: World): void {
  const user = addUsUser(world);
  const proxy = new ProxyServer(world, user);
  keepRunning(world, new Machine('browser'), 'page', (process, random) => {
    new Page(world, process, random, user, proxy);
  });
}
