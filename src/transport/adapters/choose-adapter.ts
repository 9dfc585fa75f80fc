import type { Agent } from 'node:http';
import { ConfigurationError } from '../../errors/index.js';
import { denoFetch } from './deno.js';
import { fetchAdapter, type SendByFetch } from './fetch.js';
import type { HttpAdapter } from './http-adapter.js';
import { nodeHttpAdapter } from './node-http.js';
import { type NodeModules, nodeModules } from './node-modules.js';
import { isBrowser, isNode } from './runtime.js';

/** An agent of `node:http` or `node:https`, in a shape that needs no types of Node. */
export type HttpAgent = {
  /** Connections to one host, at most. */
  readonly maxSockets: number;
  /** Closes the connections that are kept alive. */
  destroy(): void;
};

/** What a caller says about how requests are sent. */
export type AdapterOptions = {
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  agent?: HttpAgent | undefined;
};

function requireAgent(agent: HttpAgent | undefined, { fetch }: AdapterOptions): Agent | undefined {
  if (agent === undefined) return undefined;
  const refuse = (rule: string): never => {
    throw new ConfigurationError('agent', `agent ${rule}.`);
  };
  if (fetch !== undefined) refuse('has no effect together with fetch');
  if (!isNode()) refuse('works on Node only');
  const { addRequest } = Object(agent) as { addRequest?: unknown };
  if (typeof addRequest !== 'function') refuse('must be an Agent of node:http or node:https');
  return agent as Agent;
}

/** Finds the adapter of a call. Asked with each call, so that a mock installed later is used. */
export type ChooseAdapter = () => HttpAdapter | Promise<HttpAdapter>;

/**
 * Whether a function is the `fetch` that Node ships: its source loads Node's own undici. In doubt it
 * counts as replaced and is called, which costs speed and nothing else.
 */
export function isNodeFetch(fetch: unknown): boolean {
  if (fetch !== lastFetch) {
    lastFetch = fetch;
    isLastOwn = typeof fetch === 'function' && String(fetch).includes('internal/deps/undici/');
  }
  return isLastOwn;
}
// It is asked with each call, and the text of a function is slow to read.
let lastFetch: unknown;
let isLastOwn = false;

/** Where undici keeps its global dispatcher. Version 7 writes both, version 8 wraps its own for 1. */
const DISPATCHERS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/**
 * Whether a global dispatcher of undici is not one that Node or `import 'undici'` sets: a mock, a
 * proxy, or an agent with interceptors. A plain `Agent` cannot be told from Node's own. The wrapper
 * only repeats what stands behind the other symbol.
 */
function isReplacedDispatcher(key: symbol): boolean {
  const dispatcher: { dispatch?: unknown } | undefined = Reflect.get(globalThis, key);
  if (dispatcher === undefined) return false;
  const made: { name?: string; prototype?: typeof dispatcher } | undefined = dispatcher.constructor;
  if (made?.name === 'Dispatcher1Wrapper') return false;
  return made?.name !== 'Agent' || dispatcher.dispatch !== made.prototype?.dispatch;
}

const sharedNodeHttp = (modules: NodeModules): HttpAdapter => {
  shared ??= nodeHttpAdapter(modules);
  return shared;
};
let shared: HttpAdapter | undefined;

const callGlobalFetch: SendByFetch = (url, init) => globalThis.fetch(url, init);

let ky: Promise<HttpAdapter> | undefined;

/** Loaded with the first call: Node never needs it, and a page that loads needs no request yet. */
function kyAdapter(): Promise<HttpAdapter> {
  ky ??= import('./ky.js').then(
    ({ sendByKy }) => fetchAdapter(sendByKy, { isForeign: false, inBrowser: isBrowser() }),
    (error) => {
      // A page that was offline for a moment must be able to load it later.
      ky = undefined;
      throw error;
    },
  );
  return ky;
}

/**
 * The rule, in order:
 *
 * 1. the caller's `fetch` option is called;
 * 2. on Node, a replaced `globalThis.fetch` (or undici dispatcher) is called, because a mock, a proxy
 *    or an instrumentation must see the requests; otherwise `node:http` sends;
 * 3. on Deno, its `fetch` with a connection of its own for what may arrive at most once;
 * 4. elsewhere ky, over the global `fetch`.
 *
 * @throws ConfigurationError where `agent` could have no effect
 */
export function chooseAdapter(options: AdapterOptions): ChooseAdapter {
  const { fetch } = options;
  const agent = requireAgent(options.agent, options);
  if (fetch !== undefined) {
    const own = fetchAdapter(fetch, { isForeign: true, inBrowser: isBrowser() });
    return () => own;
  }
  if (isNode()) return chooseOnNode(agent);
  const deno = denoFetch();
  if (deno === undefined) return kyAdapter;
  const own = fetchAdapter(deno, { isForeign: false });
  return () => own;
}

function chooseOnNode(agent: Agent | undefined): ChooseAdapter {
  const replaced = fetchAdapter(callGlobalFetch, { isForeign: true });
  const modules = nodeModules();
  if (modules === undefined) return () => replaced;
  const usual = agent === undefined ? sharedNodeHttp(modules) : nodeHttpAdapter(modules, agent);
  const isUntouched = () => {
    // Jest's jsdom environment has no `fetch`.
    const { fetch } = globalThis as { fetch?: unknown };
    if (fetch !== undefined && !isNodeFetch(fetch)) return false;
    return !DISPATCHERS.some(isReplacedDispatcher);
  };
  return () => (isUntouched() ? usual : replaced);
}
