import type { CardPlatformClient } from '../../src/client.js';
import type { CardPlatformError } from '../../src/errors/index.js';
import { type Clock, systemClock } from '../../src/transport/attempts/clock.js';
import type { RequestOptions } from '../../src/transport/settings/options.js';
import { type AdapterName, clientOver } from '../support/adapters.js';
import { arrivalOfWrittenData } from '../support/arrival.js';
import { sampleCall } from '../support/calls.js';
import { CREDENTIALS, rejection } from '../support/clients.js';
import type { FaultName, FaultServer } from './fault-server.js';

/** An endpoint, the fault that happens to it, and the HTTP adapter that sends the request. */
export type FaultCase = {
  id: string;
  fault: FaultName;
  adapter: AdapterName;
};

/** Makes the call of a case, in place of the sample call of its endpoint. */
export type Invoke = (client: CardPlatformClient, options: RequestOptions) => PromiseLike<unknown>;

/** The timeout of an attempt in milliseconds, which {@link arrivalClock} recognises. */
export const TIMEOUT_MS = 12_345;
const NEVER_FINISHES = /^(?!302).*(?:stall|drip)/;

let cases = 0;

/**
 * Returns a clock that ends an attempt shortly after its request has arrived. A busy machine cannot
 * make the request late, and an idle one does not wait.
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

/** Calls an endpoint without the faucet, which has a matrix row of its own. */
const sampleOf =
  (id: string): Invoke =>
  (client, options) =>
    id === 'delegation.getToken'
      ? client.delegation.getToken({}, options)
      : sampleCall(id).invoke(client, options);

/** Makes a call that runs into a fault, and returns its error and the number of requests. */
export async function callWithFault(
  server: FaultServer,
  faultCase: FaultCase,
  invoke = sampleOf(faultCase.id),
) {
  const name = String(++cases);
  const headers = { 'x-case': name, 'x-fault': String(faultCase.fault) };
  const isEndless = NEVER_FINISHES.test(headers['x-fault']);
  const clock = isEndless ? arrivalClock(server, name) : systemClock;
  const client = clientOf(server.baseUrl, faultCase.adapter, clock);
  const error = await rejection(invoke(client, { headers }));
  return { error: error as CardPlatformError, hits: server.hits(name) };
}

/** Makes a call to a port that refuses the connection, and returns its error. */
export async function callRefused(baseUrl: string, faultCase: Omit<FaultCase, 'fault'>) {
  const client = clientOf(baseUrl, faultCase.adapter);
  return (await rejection(sampleOf(faultCase.id)(client, {}))) as CardPlatformError;
}
