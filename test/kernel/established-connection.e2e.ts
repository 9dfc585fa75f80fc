import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Adapter, CallKind } from './messages.js';
import type { RouteFailure } from './network-namespaces.js';
import { Scenario } from './scenario.js';
import { waitUntil } from './wait.js';

let scenario: Scenario;
beforeEach(() => {
  scenario = new Scenario();
  // The kernel gives a connection up after about two seconds instead of a quarter of an hour.
  scenario.network.setSysctl('client', 'tcp_retries2', '2');
});
afterEach(() => scenario.stop());

/** Cuts the route once a request has been read, and restores it once the connection is dead. */
async function cutEachConnection(failure: RouteFailure, isOver: () => boolean): Promise<void> {
  const { network } = scenario;
  for (let count = 1; !isOver(); count++) {
    await waitUntil(`request ${count} arrives`, () => isOver() || scenario.requestCount >= count);
    network.failRoute(failure);
    const isDead = () => network.connections('client').length === 0;
    await waitUntil('the connection dies', () => isOver() || isDead());
    network.restoreRoute();
  }
}

async function callAcrossFailures(failure: RouteFailure, call: CallKind, adapter: Adapter) {
  await scenario.startServer('stay silent');
  scenario.network.dropServerSegments();
  let isOver = false;
  const calling = scenario
    .run({ call, adapter, timeout: 20_000, retry: { baseDelay: 1_000 } })
    .finally(() => {
      isOver = true;
    });
  const [report] = await Promise.all([calling, cutEachConnection(failure, () => isOver)]);
  return report;
}

const FAILURES: readonly [RouteFailure, string][] = [
  ['host unreachable', 'EHOSTUNREACH'],
  ['net unreachable', 'ENETUNREACH'],
  ['silence', 'ETIMEDOUT'],
];

describe.skipIf(inject('whyNoNamespaces') !== '').each(FAILURES)(
  'an established connection that dies of %s (%s)',
  (failure, errorCode) => {
    it.each<Adapter>([
      'node:http',
      'fetch',
    ])('sends a withdrawal over %s once and reports its outcome as unknown', async (adapter) => {
      const { calls, sockets } = await callAcrossFailures(failure, 'withdrawal', adapter);
      const seen = { requests: scenario.requestCount, sockets, ...calls[0] };
      expect(seen).toMatchObject({ requests: 1, outcome: 'unknown' });
      expect(sockets).toEqual([{ connected: true, errorCode }]);
    });

    it.each<Adapter>([
      'node:http',
      'fetch',
    ])('never says that a read over %s was not sent', async (adapter) => {
      const { calls, sockets } = await callAcrossFailures(failure, 'read', adapter);
      const seen = { requests: scenario.requestCount, sockets, ...calls[0] };
      expect(seen).toMatchObject({ outcome: 'unknown' });
      expect(sockets).toContainEqual({ connected: true, errorCode });
      expect(scenario.requestCount).toBeLessThanOrEqual(3);
    });
  },
);
