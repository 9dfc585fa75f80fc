import { CardPlatformClient } from '../../src/client.js';
import type { CardPlatformError } from '../../src/errors/index.js';
import type { ClientOptions, RequestOptions } from '../../src/transport/options.js';
import { sampleCall } from '../support/calls.js';
import { CREDENTIALS, rejection } from '../support/clients.js';
import type { FaultName, FaultServer } from './fault-server.js';

/** What sends the requests: the transport of Node, or the `fetch` of the runtime. */
export type Transport = 'node:http' | 'fetch';

/** One cell: an endpoint meets a fault in a runtime. */
export type Cell = {
  id: string;
  fault: FaultName;
  transport: Transport;
  provesNonDelivery: boolean;
};

/** Milliseconds per attempt, for servers that never finish an answer. */
export const TIMEOUT_MS = 400;
const PATIENCE_MS = 20_000;
const NEVER_FINISHES = /stall|drip/;

let cases = 0;

function clientOf(
  baseUrl: string,
  { transport, provesNonDelivery, fault = 'reset' }: Partial<Cell>,
) {
  const timeout = NEVER_FINISHES.test(String(fault)) ? TIMEOUT_MS : PATIENCE_MS;
  const options: ClientOptions = { baseUrl, ...CREDENTIALS, timeout };
  // Handing over the global fetch keeps the client from choosing what is faster on Node.
  const fetch: ClientOptions['fetch'] = (url, init) => globalThis.fetch(url, init);
  return new CardPlatformClient(transport === 'fetch' ? { ...options, fetch } : options, {
    random: () => 0,
    ...(provesNonDelivery !== undefined && { provesNonDelivery }),
  });
}

/** Calls an endpoint without the faucet, which has rows of its own. */
function invoke(client: CardPlatformClient, id: string, options: RequestOptions) {
  return id === 'delegation.getToken'
    ? client.delegation.getToken({}, options)
    : sampleCall(id).invoke(client, options);
}

/** Plays a cell; gives the error and how many requests arrived. */
export async function play(server: FaultServer, cell: Cell) {
  const name = String(++cases);
  const headers = { 'x-case': name, 'x-fault': String(cell.fault) };
  const client = clientOf(server.baseUrl, cell);
  const error = await rejection(invoke(client, cell.id, { headers }));
  return { error: error as CardPlatformError, hits: server.hits(name) };
}

/** Calls an endpoint where nobody listens. */
export async function playRefused(baseUrl: string, cell: Omit<Cell, 'fault'>) {
  return (await rejection(invoke(clientOf(baseUrl, cell), cell.id, {}))) as CardPlatformError;
}
