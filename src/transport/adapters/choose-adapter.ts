import type { Agent } from 'node:http';
import { ConfigurationError } from '../../errors/index.js';
import { fetchAdapter, type SendByFetch, sendByKy } from './fetch.js';
import type { HttpAdapter } from './http-adapter.js';
import { agentOfCaller, defaultAgents, type NodeModules, nodeModules } from './node-connections.js';
import { nodeHttpAdapter } from './node-http.js';
import { hostOf, isNode, isReactNative } from './runtime.js';

type HttpClient = { close(): void };
type Deno = { createHttpClient?(options: { poolMaxIdlePerHost: number }): HttpClient };
type Fetch = (url: string, init: object) => Promise<Response>;

/**
 * Deno's `fetch` sends a request again, a POST included, when a reused connection breaks before a
 * response begins. A request that must arrive only once therefore gets a connection of its own.
 * `undefined` on other runtimes.
 */
export function denoFetch(globals: object = globalThis): SendByFetch | undefined {
  const { Deno } = globals as { Deno?: Deno };
  if (Deno?.createHttpClient === undefined) return undefined;
  return async (url, init, { onlyOnce }) => {
    const { fetch } = globals as { fetch: Fetch };
    const client = onlyOnce ? Deno.createHttpClient?.({ poolMaxIdlePerHost: 0 }) : undefined;
    if (client === undefined) return fetch(url, init);
    try {
      return await fetch(url, { ...init, client });
    } finally {
      // The body can still be read: a closed client only refuses further requests.
      client.close();
    }
  };
}

/** An agent of `node:http` or `node:https`, in a shape that needs no types of Node. */
export type HttpAgent = {
  /** Connections to one host, at most. */
  readonly maxSockets: number;
  /** Closes the connections that are kept alive. */
  destroy(): void;
};

/** A function that sends a request: the runtime's `fetch`, a mock's, or your own. */
export type FetchFunction = (input: string, init: RequestInit) => Promise<Response>;

/** The client options that decide how requests are sent. */
export type AdapterOptions = {
  fetch?: FetchFunction | undefined;
  agent?: HttpAgent | undefined;
  maxSockets?: number | undefined;
};

/** Connections to one host, unless the client has an option for it. */
const DEFAULT_MAX_SOCKETS = 256;
/** A host has no more ports. */
const MOST_SOCKETS = 65_535;

function refuse(option: 'agent' | 'maxSockets', rule: string): never {
  throw new ConfigurationError(option, `${option} ${rule}.`);
}

/** Refuses an option of `node:http` where something else sends. */
function requireNode(option: 'agent' | 'maxSockets', { fetch }: AdapterOptions): void {
  if (fetch !== undefined) refuse(option, 'has no effect together with fetch');
  if (!isNode()) refuse(option, 'works on Node only');
}

function requireAgent(options: AdapterOptions): Agent | undefined {
  const { agent } = options;
  if (agent === undefined) return undefined;
  requireNode('agent', options);
  const { addRequest } = Object(agent) as { addRequest?: unknown };
  if (typeof addRequest !== 'function') {
    refuse('agent', 'must be an Agent of node:http or node:https');
  }
  return agent as Agent;
}

function requireMaxSockets(options: AdapterOptions): number {
  const { maxSockets } = options;
  if (maxSockets === undefined) return DEFAULT_MAX_SOCKETS;
  requireNode('maxSockets', options);
  if (Number.isInteger(maxSockets) && maxSockets >= 1 && maxSockets <= MOST_SOCKETS) {
    return maxSockets;
  }
  return refuse('maxSockets', `must be a whole number from 1 to ${MOST_SOCKETS}`);
}

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
const defaultAdapters = new Map<number, HttpAdapter>();
const callersAdapters = new WeakMap<Agent, Map<number, HttpAdapter>>();

function nodeAdapter(
  modules: NodeModules,
  agent: Agent | undefined,
  maxSockets: number,
): HttpAdapter {
  const adapters =
    agent === undefined ? defaultAdapters : (callersAdapters.get(agent) ?? new Map());
  if (agent !== undefined) callersAdapters.set(agent, adapters);
  const found = adapters.get(maxSockets);
  if (found !== undefined) return found;
  const agents =
    agent === undefined ? defaultAgents(modules, maxSockets) : agentOfCaller(agent, maxSockets);
  const adapter = nodeHttpAdapter(modules, agents);
  adapters.set(maxSockets, adapter);
  return adapter;
}

const callGlobalFetch: SendByFetch = (url, init) => globalThis.fetch(url, init);

/** Finds the adapter of a call. Runs in each call, so that a mock installed later is used. */
export type FindAdapter = () => HttpAdapter;

function findOnNode(agent: Agent | undefined, maxSockets: number): FindAdapter {
  const replaced = fetchAdapter(callGlobalFetch, { isForeign: true });
  const modules = nodeModules();
  if (modules === undefined) return () => replaced;
  const usual = nodeAdapter(modules, agent, maxSockets);
  const isUntouched = () => {
    // Jest's jsdom environment has no `fetch`.
    const { fetch } = globalThis as { fetch?: unknown };
    if (fetch !== undefined && !isNodeFetch(fetch)) return false;
    return !DISPATCHERS.some(isReplacedDispatcher);
  };
  return () => (isUntouched() ? usual : replaced);
}

/** Loads the modules of Node with the first call: a program may make clients that it never uses. */
function onNode(agent: Agent | undefined, maxSockets: number): FindAdapter {
  let find: FindAdapter | undefined;
  return () => {
    find ??= findOnNode(agent, maxSockets);
    return find();
  };
}

/**
 * Chooses the adapter of a client when it is constructed. The rule, in order:
 *
 * 1. the caller's `fetch` option is called;
 * 2. on Node, a replaced `globalThis.fetch` (or undici dispatcher) is called, because a mock, a proxy
 *    or an instrumentation must see the requests; otherwise `node:http` sends. Checked in each call;
 * 3. in React Native, its global `fetch`: ky would pass a `Request`, which has no `redirect` there, and
 *    Expo's `fetch` would then follow redirects;
 * 4. on Deno, its `fetch` with a connection of its own for requests that may arrive only once;
 * 5. elsewhere ky, over the global `fetch`.
 *
 * @throws ConfigurationError where `agent` or `maxSockets` could have no effect
 */
export function chooseAdapter(options: AdapterOptions): FindAdapter {
  const { fetch } = options;
  const agent = requireAgent(options);
  const maxSockets = requireMaxSockets(options);
  const host = hostOf();
  const always = (send: SendByFetch, how: Parameters<typeof fetchAdapter>[1]): FindAdapter => {
    const adapter = fetchAdapter(send, how);
    return () => adapter;
  };
  if (fetch !== undefined) return always(fetch, { isForeign: true, host });
  if (isNode()) return onNode(agent, maxSockets);
  if (isReactNative()) return always(callGlobalFetch, { isForeign: false, host });
  const deno = denoFetch();
  return deno === undefined
    ? always(sendByKy, { isForeign: false, host })
    : always(deno, { isForeign: false });
}
