import type { Agent } from 'node:http';
import { ConfigurationError } from '../../errors/index.js';
import { denoFetch } from './deno.js';
import type { SendByFetch } from './fetch.js';
import { type Host, hostOf, isNode, isReactNative } from './runtime.js';

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

/** The adapter that a client sends through. `open-adapter.ts` creates it with the first call. */
export type AdapterChoice =
  | { readonly use: 'own-fetch'; readonly fetch: FetchFunction; readonly host: Host }
  | { readonly use: 'node'; readonly agent: Agent | undefined; readonly maxSockets: number }
  | { readonly use: 'deno-fetch'; readonly fetch: SendByFetch }
  | { readonly use: 'global-fetch' }
  | { readonly use: 'ky' };

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
export function chooseAdapter(options: AdapterOptions): AdapterChoice {
  const { fetch } = options;
  const agent = requireAgent(options);
  const maxSockets = requireMaxSockets(options);
  if (fetch !== undefined) return { use: 'own-fetch', fetch, host: hostOf() };
  if (isNode()) return { use: 'node', agent, maxSockets };
  if (isReactNative()) return { use: 'global-fetch' };
  const deno = denoFetch();
  return deno === undefined ? { use: 'ky' } : { use: 'deno-fetch', fetch: deno };
}
