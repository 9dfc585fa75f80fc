import type * as buffer from 'node:buffer';
import type * as http from 'node:http';
import type { Agent, ClientRequest } from 'node:http';
import type * as https from 'node:https';
import type * as net from 'node:net';
import type { Socket } from 'node:net';
import type * as tls from 'node:tls';
import type * as zlib from 'node:zlib';
import type { ExchangeFacts } from '../outcome/outcome.js';

/** The Node modules that the adapter uses. */
export type NodeModules = {
  http: typeof http;
  https: typeof https;
  net: typeof net;
  tls: typeof tls;
  zlib: typeof zlib;
  buffer: typeof buffer;
};

type Globals = { process?: { getBuiltinModule?: (name: string) => unknown } };

/**
 * The modules of Node; `undefined` where the runtime does not provide them (before Node 20.16).
 * Taken from the process rather than imported, so that bundlers for browsers do not see them.
 */
export function nodeModules(globals: object = globalThis): NodeModules | undefined {
  const { process } = globals as Globals;
  const load = (name: string) => process?.getBuiltinModule?.(`node:${name}`);
  const modules = {
    http: load('http'),
    https: load('https'),
    net: load('net'),
    tls: load('tls'),
    zlib: load('zlib'),
    buffer: load('buffer'),
  };
  const isComplete = Object.values(modules).every((one) => one !== undefined);
  return isComplete ? (modules as NodeModules) : undefined;
}

// A mock of node:http may hand a request to its handler before its socket "connects". Only a socket
// of Node itself proves that there was no connection; with any other the fact is `unproven`.

/** Records that nothing is connected yet. A mocked request need not report a socket at all. */
export function beforeConnection(
  request: ClientRequest,
  facts: ExchangeFacts,
  { http }: NodeModules,
): void {
  facts.connection = request instanceof http.ClientRequest ? 'none' : 'unproven';
}

/** The sockets of MSW 2 and nock 14 are of a subclass. */
function isOfNode(socket: Socket, { net, tls }: NodeModules): boolean {
  const prototype: unknown = Object.getPrototypeOf(socket);
  return prototype === net.Socket.prototype || prototype === tls.TLSSocket.prototype;
}

/**
 * Records when the connection of a request is established, TLS included.
 *
 * @param maySend - called when it is, before Node writes anything to it; `false` if the request was
 *   destroyed instead
 */
export function watchConnection(
  socket: Socket,
  facts: ExchangeFacts,
  modules: NodeModules,
  maySend: () => boolean,
): void {
  const tls = socket as Socket & { encrypted?: boolean; secureConnecting?: boolean };
  const establish = () => {
    // The socket of a mock may have passed the request on.
    if (facts.connection === 'unproven' || maySend()) facts.connection = 'established';
  };
  const isPending = socket.connecting || tls.secureConnecting === true;
  // A socket that could not even start to connect is destroyed, and not connecting either.
  if (!isPending && !socket.destroyed) establish();
  else {
    facts.connection = isOfNode(socket, modules) ? 'none' : 'unproven';
    socket.once(tls.encrypted ? 'secureConnect' : 'connect', establish);
  }
}

/**
 * Corrects the record of a request that is cut short. A socket that is not connected still has the
 * request; a socket of MSW 3 has passed it on.
 */
export function beforeCancel({ socket }: ClientRequest, facts: ExchangeFacts): void {
  if (facts.connection === 'none' && socket?.writableLength === 0) facts.connection = 'unproven';
}

/**
 * Limits the requests to one host that are under way. The others wait here, in the order in which
 * they came, rather than in the queue of Node's agent: that queue gives a waiting request a
 * connection that has carried another one, lets no request leave, and fails as a whole when no file
 * handle is free.
 */
export class SocketSlots {
  readonly #limit: number;
  /** Lower than the limit while the system has no handle left. */
  #capacity: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();
  /** Requests that have had a slot, and got no handle. They come first. */
  readonly #withoutHandle = new Set<() => void>();

  constructor(limit: number) {
    this.#limit = limit;
    this.#capacity = limit;
  }

  /** Takes a slot, if one is free. */
  take(): boolean {
    if (this.#taken >= this.#capacity) return false;
    this.#taken++;
    return true;
  }

  /**
   * Calls `start` when a slot has been taken for it.
   *
   * @returns a function that leaves the queue; no effect once `start` has been called
   */
  wait(start: () => void): () => void {
    this.#waiting.add(start);
    return () => this.#waiting.delete(start);
  }

  /** Returns the slot of a request that has ended. */
  release(): void {
    this.#taken--;
    // After a shortage of handles, one request more at a time.
    if (this.#withoutHandle.size === 0) {
      this.#capacity = Math.min(this.#limit, this.#capacity + 1);
    }
    for (const queue of [this.#withoutHandle, this.#waiting]) {
      for (const start of queue) {
        if (!this.take()) return;
        queue.delete(start);
        start();
      }
    }
  }

  /**
   * Returns the slot of a request for which the system had no handle, and calls `start` when another
   * request to this host has ended.
   *
   * @returns a function that leaves the queue; `undefined` where no other request has a slot, so
   *   that waiting is useless
   */
  waitForHandle(start: () => void): (() => void) | undefined {
    if (this.#taken <= 1) return undefined;
    this.#taken--;
    this.#capacity = this.#taken;
    this.#withoutHandle.add(start);
    return () => this.#withoutHandle.delete(start);
  }
}

/** Idle connections are closed before most servers do it, so that none breaks when it is used. */
const IDLE_MS = 4_000;

type Sockets = NodeJS.ReadOnlyDict<Socket[]>;

/** The sockets of an agent's list. One that is destroyed leaves the list a little later. */
const listed = (sockets: Sockets): Socket[] =>
  Object.values(sockets).flatMap((list) => list?.filter(({ destroyed }) => !destroyed) ?? []);

/** Closes an idle connection where the agents would otherwise exceed a limit with another one. */
function makeRoom(agents: readonly Agent[], limit: number): void {
  const idle = agents.flatMap((agent) => listed(agent.freeSockets));
  const busy = agents.flatMap((agent) => listed(agent.sockets));
  if (idle.length + busy.length >= limit) idle[0]?.destroy();
}

/**
 * Opens a request on an agent as if the agent had no idle connections: it connects, or waits for its
 * own limit. A request asks its agent for a connection while it is constructed.
 */
function openWithoutIdle(agent: Agent, open: () => ClientRequest): ClientRequest {
  const { freeSockets } = agent;
  const replaceIdle = (sockets: Sockets) => Object.assign(agent, { freeSockets: sockets });
  replaceIdle(Object.create(null));
  try {
    return open();
  } finally {
    replaceIdle(freeSockets);
  }
}

/** How an adapter opens requests. */
export type NodeAgents = {
  /** The slots of a host. */
  slotsOf(origin: string): SocketSlots;
  /**
   * Opens a request, by a function that gets its agent.
   *
   * @param onlyOnce - whether its connection must be new: a pooled one may break when it is reused,
   *   and then it is unknown whether the request arrived
   */
  open(
    protocol: string,
    onlyOnce: boolean,
    request: (agent: Agent) => ClientRequest,
  ): ClientRequest;
  /** Closes the idle connections of this package; returns whether there were any. */
  closeIdle(): boolean;
};

function slotsByOrigin(limit: number): NodeAgents['slotsOf'] {
  const slots = new Map<string, SocketSlots>();
  return (origin) => {
    const found = slots.get(origin) ?? new SocketSlots(limit);
    slots.set(origin, found);
    return found;
  };
}

/**
 * The agents of this package. Connections are kept alive, except for those of requests that may
 * arrive only once: their agent shares TLS sessions and nothing else.
 */
export function defaultAgents({ http, https }: NodeModules, maxSockets: number): NodeAgents {
  const create = (protocol: string) => {
    const Agent = protocol === 'https:' ? https.Agent : http.Agent;
    return { pool: new Agent({ keepAlive: true, timeout: IDLE_MS }), once: new Agent() };
  };
  const agents = new Map<string, ReturnType<typeof create>>();
  return {
    slotsOf: slotsByOrigin(maxSockets),
    open: (protocol, onlyOnce, request) => {
      const { pool, once } = agents.get(protocol) ?? create(protocol);
      agents.set(protocol, { pool, once });
      if (!onlyOnce) return request(pool);
      makeRoom([pool, once], maxSockets);
      return request(once);
    },
    closeIdle: () => {
      const idle = [...agents.values()].flatMap(({ pool }) => listed(pool.freeSockets));
      for (const socket of idle) socket.destroy();
      return idle.length > 0;
    },
  };
}

/** The agent of the caller: its idle connections stay, and its limits apply as well. */
export function agentOfCaller(agent: Agent, maxSockets: number): NodeAgents {
  const smallest = (...limits: readonly (number | undefined)[]) =>
    Math.min(maxSockets, ...limits.filter((limit) => limit !== undefined && limit > 0).map(Number));
  return {
    slotsOf: slotsByOrigin(smallest(agent.maxSockets)),
    open: (_protocol, onlyOnce, request) => {
      if (!onlyOnce) return request(agent);
      makeRoom([agent], smallest(agent.maxSockets, agent.maxTotalSockets));
      return openWithoutIdle(agent, () => request(agent));
    },
    closeIdle: () => false,
  };
}
