import type { Agent } from 'node:http';
import type { AdapterChoice } from './choose-adapter.js';
import { fetchAdapter, type SendByFetch } from './fetch.js';
import type { HttpAdapter } from './http-adapter.js';
import { sendByKy } from './ky.js';
import { agentOfCaller, ownAgents } from './node-agents.js';
import { nodeHttpAdapter } from './node-http.js';
import { type NodeModules, nodeModules } from './node-modules.js';
import { hostOf } from './runtime.js';

type NodeChoice = Extract<AdapterChoice, { use: 'node' }>;

/** Finds the adapter of a call. Runs in each call, so that a mock installed later is used. */
type FindAdapter = () => HttpAdapter;

/**
 * Whether a function is the `fetch` that Node ships: its source loads Node's own undici. When in
 * doubt it counts as replaced and is called, which only costs speed.
 */
export function isNodeFetch(fetch: unknown): boolean {
  if (fetch !== lastFetch) {
    lastFetch = fetch;
    isLastOwn = typeof fetch === 'function' && String(fetch).includes('internal/deps/undici/');
  }
  return isLastOwn;
}
// Checked in each call, and the source text of a function is slow to read.
let lastFetch: unknown;
let isLastOwn = false;

/** Where undici keeps its global dispatcher. Version 7 writes both; version 8 puts a wrapper under 1. */
const DISPATCHERS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/**
 * Whether a global dispatcher of undici is not one that Node or `import 'undici'` sets: a mock, a
 * proxy, or an agent with interceptors. A plain `Agent` cannot be told from Node's own. The
 * wrapper of version 1 only forwards to the dispatcher behind the other symbol.
 */
function isReplacedDispatcher(key: symbol): boolean {
  const dispatcher: { dispatch?: unknown } | undefined = Reflect.get(globalThis, key);
  if (dispatcher === undefined) return false;
  const made: { name?: string; prototype?: typeof dispatcher } | undefined = dispatcher.constructor;
  if (made?.name === 'Dispatcher1Wrapper') return false;
  return made?.name !== 'Agent' || dispatcher.dispatch !== made.prototype?.dispatch;
}

// Clients with the same limit share connections; those with the same agent also share its limit.
const ownAdapters = new Map<number, HttpAdapter>();
const callersAdapters = new WeakMap<Agent, Map<number, HttpAdapter>>();

function nodeAdapter(modules: NodeModules, { agent, maxSockets }: NodeChoice): HttpAdapter {
  const adapters = agent === undefined ? ownAdapters : (callersAdapters.get(agent) ?? new Map());
  if (agent !== undefined) callersAdapters.set(agent, adapters);
  const found = adapters.get(maxSockets);
  if (found !== undefined) return found;
  const agents =
    agent === undefined ? ownAgents(modules, maxSockets) : agentOfCaller(agent, maxSockets);
  const adapter = nodeHttpAdapter(modules, agents);
  adapters.set(maxSockets, adapter);
  return adapter;
}

const callGlobalFetch: SendByFetch = (url, init) => globalThis.fetch(url, init);

function findOnNode(choice: NodeChoice): FindAdapter {
  const replaced = fetchAdapter(callGlobalFetch, { isForeign: true });
  const modules = nodeModules();
  if (modules === undefined) return () => replaced;
  const usual = nodeAdapter(modules, choice);
  const isUntouched = () => {
    // Jest's jsdom environment has no `fetch`.
    const { fetch } = globalThis as { fetch?: unknown };
    if (fetch !== undefined && !isNodeFetch(fetch)) return false;
    return !DISPATCHERS.some(isReplacedDispatcher);
  };
  return () => (isUntouched() ? usual : replaced);
}

function always(adapter: HttpAdapter): FindAdapter {
  return () => adapter;
}

function findFor(choice: AdapterChoice): FindAdapter {
  switch (choice.use) {
    case 'own-fetch': {
      const { fetch, host } = choice;
      return always(fetchAdapter(fetch, { isForeign: true, host }));
    }
    case 'node':
      return findOnNode(choice);
    case 'deno-fetch':
      return always(fetchAdapter(choice.fetch, { isForeign: false }));
    case 'global-fetch':
      return always(fetchAdapter(callGlobalFetch, { isForeign: false, host: hostOf() }));
    case 'ky':
      return always(fetchAdapter(sendByKy, { isForeign: false, host: hostOf() }));
  }
}

/** Adapter finders by the choice of their client, from the first call on. */
const adapterFinders = new WeakMap<AdapterChoice, FindAdapter>();

/** The adapter of a call, by the choice of its client; see `choose-adapter.ts` for the rule. */
export function openAdapter(choice: AdapterChoice): HttpAdapter {
  let find = adapterFinders.get(choice);
  if (find === undefined) {
    find = findFor(choice);
    adapterFinders.set(choice, find);
  }
  return find();
}
