import type { CardPlatformClient } from '../../src/client.js';
import type { CardPlatformError } from '../../src/errors/index.js';
import { type Clock, systemClock } from '../../src/transport/attempts/clock.js';
import type { RequestOptions } from '../../src/transport/settings/options.js';
import { type AdapterName, clientOver } from '../support/adapters.js';
import { arrivalOfWrittenData } from '../support/arrival.js';
import { sampleCall } from '../support/calls.js';
import { CREDENTIALS, rejection } from '../support/clients.js';
import type { FaultName, FaultServer } from './fault-server.js';

/** One cell: an endpoint meets a fault through an HTTP adapter. */
export type Cell = {
  id: string;
  fault: FaultName;
  adapter: AdapterName;
};

/** How to make the call of a cell, where the sample of its endpoint is not meant. */
export type Invoke = (client: CardPlatformClient, options: RequestOptions) => PromiseLike<unknown>;

/** Milliseconds per attempt, as the client counts them: see {@link arrivalClock}. */
export const TIMEOUT_MS = 12_345;
const NEVER_FINISHES = /^(?!302).*(?:stall|drip)/;

let cases = 0;

/**
 * A clock on which the time of an attempt runs out shortly after its request has arrived, so that
 * a busy machine cannot make a request late and nobody waits for an idle one.
 */
function arrivalClock(server: FaultServer, name: string): Clock {
  const schedule: Clock['schedule'] = (callback, ms) => {
    if (ms !== TIMEOUT_MS) return systemClock.schedule(callback, ms);
    let isCancelled = false;
    server.nextHit(name).then(async () => {
      await arrivalOfWrittenData();
      if (!isCancelled) callback();
    });
    return () => {
      isCancelled = true;
    };
  };
  return { ...systemClock, schedule };
}

function clientOf(baseUrl: string, adapter: AdapterName, clock: Clock = systemClock) {
  const options = { baseUrl, ...CREDENTIALS, timeout: TIMEOUT_MS, random: () => 0, clock };
  return clientOver(adapter, options);
}

/** Calls an endpoint without the faucet, which has rows of its own. */
const sampleOf =
  (id: string): Invoke =>
  (client, options) =>
    id === 'delegation.getToken'
      ? client.delegation.getToken({}, options)
      : sampleCall(id).invoke(client, options);

/** Plays a cell; gives the error and how many requests arrived. */
export async function play(server: FaultServer, cell: Cell, invoke = sampleOf(cell.id)) {
  const name = String(++cases);
  const headers = { 'x-case': name, 'x-fault': String(cell.fault) };
  const isEndless = NEVER_FINISHES.test(headers['x-fault']);
  const clock = isEndless ? arrivalClock(server, name) : systemClock;
  const client = clientOf(server.baseUrl, cell.adapter, clock);
  const error = await rejection(invoke(client, { headers }));
  return { error: error as CardPlatformError, hits: server.hits(name) };
}

/** Calls an endpoint where nobody listens. */
export async function playRefused(baseUrl: string, cell: Omit<Cell, 'fault'>) {
  const client = clientOf(baseUrl, cell.adapter);
  return (await rejection(sampleOf(cell.id)(client, {}))) as CardPlatformError;
}
