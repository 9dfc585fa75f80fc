/** What the client process does. */
export type ClientJob = {
  baseUrl: string;
  call: CallKind;
  adapter: Adapter;
  /** How many calls run side by side. Default 1. */
  count?: number;
  /** Options of the client, in milliseconds where they are times. */
  timeout?: number;
  totalTimeout?: number;
  retry?: false | { maxRetries?: number; baseDelay?: number; maxDelay?: number };
};

/** A withdrawal is never retried once it may have arrived. A read is. */
export type CallKind = 'withdrawal' | 'read';

/** How the client sends requests: its own default on Node, or the `fetch` of Node. */
export type Adapter = 'node:http' | 'fetch';

/** How one call ended. */
export type CallReport = {
  /** The value of its `x-case` header. */
  name: string;
  /** `ok`, or the outcome of its error. `none` for an error without an outcome. */
  outcome: string;
  errorName?: string;
  attempts?: number;
  /** The code of the error, then those of its causes. */
  codes: string[];
};

/** What the kernel did with one socket of the client, as Node reports it. */
export type SocketReport = { connected: boolean; errorCode: string | undefined };

/** All that the client process reports about a job. */
export type ClientReport = { calls: CallReport[]; sockets: SocketReport[] };

/** What the server does with a request that has arrived as a whole. */
export type ServerBehavior =
  | 'respond'
  | 'respond after a second'
  | 'stay silent'
  | 'send half a body'
  /** Accepts connections and never reads from them. */
  | 'read nothing';

/** Starts the server listening. */
export type ServerJob = { host: string; port: number; behavior: ServerBehavior };

/** What the server process reports while it runs. */
export type ServerEvent =
  | { type: 'listening'; port: number }
  | { type: 'connection' }
  | { type: 'request'; name: string };
