import type { Agent, ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeModules } from './node-modules.js';
import { SocketSlots } from './socket-slots.js';

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
export function ownAgents({ http, https }: NodeModules, maxSockets: number): NodeAgents {
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
