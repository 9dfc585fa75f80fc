/** The calls that the client process must make. */
export type ClientJob = {
  baseUrl: string;
  call: CallKind;
  adapter: Adapter;
  /** The number of calls that run in parallel. Default 1. */
  count?: number;
  /** Options of the client. Times are in milliseconds. */
  timeout?: number;
  totalTimeout?: number;
  retry?: false | { maxRetries?: number; baseDelay?: number; maxDelay?: number };
};

/** A withdrawal is never retried once it may have arrived. A read is. */
export type CallKind = 'withdrawal' | 'read';

/** How the client sends requests: with its default on Node, or with the `fetch` of Node. */
export type Adapter = 'node:http' | 'fetch';

/** The result of one call. */
export type CallReport = {
  /** The value of its `x-case` header. */
  name: string;
  /** `ok`, the outcome of the error, or `none` for an error without an outcome. */
  outcome: string;
  /** The likelier outcome, where the outcome is `unknown` and something suggests one. */
  probableOutcome?: string | undefined;
  errorName?: string;
  attempts?: number;
  /** The code of the error, followed by those of its causes. */
  codes: string[];
};

/** Node's report about one socket of the client. */
export type SocketReport = { connected: boolean; errorCode: string | undefined };

/** Everything that the client process reports about a job. */
export type ClientReport = { calls: CallReport[]; sockets: SocketReport[] };

/** The behaviour of the server after it has read a whole request. */
export type ServerBehaviour =
  | 'respond'
  | 'respond after a second'
  | 'stay silent'
  | 'send half a body'
  /** Accepts connections and never reads from them. */
  | 'read nothing';

/** Starts the server listening. */
export type ServerJob = { host: string; port: number; behaviour: ServerBehaviour };

/** The messages of the server process while it runs. */
export type ServerEvent =
  | { type: 'listening'; port: number }
  | { type: 'connection' }
  | { type: 'request'; name: string };
