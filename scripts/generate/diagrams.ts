import { delegateEvm } from '../../src/evm/index.js';
import { CardPlatformClient } from '../../src/index.js';
import { createMockPlatform, type MockPlatform, type MockUser } from '../../src/testing/index.js';
import { createMockWallet } from '../../src/testing/wallets/index.js';
import { drawLadders, type Rung } from './draw-ladder.js';
import { drawSequence, type Message } from './draw-sequence.js';

function start(user: Parameters<MockPlatform['users']['add']>[0]) {
  const mock = createMockPlatform({ startsAt: Date.UTC(2026, 0, 1) });
  const ada = mock.users.add(user);
  const clientWith = (fetch: typeof mock.fetch) =>
    new CardPlatformClient({
      baseUrl: mock.baseUrl,
      fetch,
      ...mock.credentials,
      accessToken: mock.accessTokenFor(ada),
    });
  return { mock, ada, clientWith };
}

/**
 * Runs a delegation on the kit's wallet and chain, and draws every message with its sender and
 * receiver.
 */
export async function delegationDiagram(): Promise<string> {
  const { mock, clientWith } = start({});
  const wallet = await createMockWallet({ platform: mock, seed: 1 });
  const linea = wallet.chains.evm('linea');
  const messages: Message[] = [];
  const add = (to: string, text: string) => {
    // The flow reads the chain many times in a row.
    const last = messages.at(-1);
    if (last?.to !== to || last.text !== text) messages.push({ to, text });
  };
  type Call = { method: string; params?: unknown };
  const watched = <T extends { request(call: Call): Promise<unknown> }>(real: T, to: string) => ({
    request(call: Call) {
      const asksUser = /^(personal_sign|eth_sendTransaction)$/.test(call.method);
      add(to, to === 'chain' ? 'read' : asksUser ? `${call.method}: the user accepts` : 'look up');
      return real.request(call);
    },
  });
  const client = clientWith(async (input, init) => {
    const response = await mock.fetch(input, init);
    const { method, path } = mock.requests.at(-1) ?? {};
    add('service', `${method} ${path}`);
    return response;
  });
  await delegateEvm({
    client,
    wallet: watched(wallet.evm, 'wallet'),
    node: watched(linea, 'chain'),
    network: 'linea',
    currency: 'usdc',
    amount: '100',
    spender: 'chain-config',
    confirmSpender: () => true,
    domain: 'app.example',
    uri: 'https://app.example',
    runtime: wallet.chains.runtime,
    onProgress: ({ message }) => add('app', message),
  });
  const title = 'A delegation: what your app sends to wallet, chain and service';
  return drawSequence(title, ['app', 'wallet', 'chain', 'service'], messages);
}

type Action = (mock: MockPlatform, ada: MockUser, client: CardPlatformClient) => unknown;

/** Everything that can happen to a card. */
const ACTIONS: Readonly<Record<string, Action>> = {
  'card.order': (_, __, client) => client.card.order({ type: 'VIRTUAL' }),
  'it is provisioned': (mock) => mock.advance('3 seconds'),
  'card.freeze': (_, __, client) => client.card.freeze(),
  'card.unfreeze': (_, __, client) => client.card.unfreeze(),
  'support blocks it': (mock, ada) => ada.card && mock.cards.block(ada),
};

/** From top to bottom: what a user can undo stands before what nobody can. */
const ORDER = ['no card', 'PENDING', 'ACTIVE', 'FROZEN', 'BLOCKED'];

/** Deployed clients saw this status. Nobody knows what leads to it, so no arrow does. */
const UNEXPLAINED = { start: 'INACTIVE (seen, not explained)', rungs: [] };

/** Returns the state of the card after some actions, which fail where the service refuses them. */
async function stateAfter(actions: readonly string[]): Promise<string> {
  const { mock, ada, clientWith } = start({ verified: true });
  for (const name of actions) {
    await Promise.resolve(ACTIONS[name]?.(mock, ada, clientWith(mock.fetch))).catch(() => {});
  }
  await clientWith(mock.fetch).card.status().safe();
  return ada.card?.status ?? 'no card';
}

/** Tries every action in every state that the mock platform reaches, and draws what changes. */
export async function cardDiagram(): Promise<string> {
  const first = await stateAfter([]);
  const ways = new Map<string, string[]>([[first, []]]);
  const rungsOf = new Map<string, Rung[]>();
  for (const [from, way] of ways) {
    for (const name of Object.keys(ACTIONS)) {
      const to = await stateAfter([...way, name]);
      if (to === from) continue;
      rungsOf.set(from, [...(rungsOf.get(from) ?? []), { text: name, to }]);
      if (!ways.has(to)) ways.set(to, [...way, name]);
    }
  }
  const reached = [...ways.keys()].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const ladders = reached.map((start) => ({ start, rungs: rungsOf.get(start) ?? [] }));
  return drawLadders('The life of a card', [...ladders, UNEXPLAINED]);
}
