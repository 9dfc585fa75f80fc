import { expect, inject } from 'vitest';
import { ADAPTERS, describeWithNamespaces, expectEvidence, test } from './kernel-test.js';
import type { Adapter, CallKind } from './messages.js';
import { FIREWALL_FAILURES, type RouteFailure } from './router.js';
import type { Scenario } from './scenario.js';
import { waitUntil } from './wait.js';

/** The failures that a router reports by ICMP. */
const REPORTED_BY_ICMP: ReadonlySet<RouteFailure> = new Set([
  'host unreachable',
  'net unreachable',
  'port unreachable',
]);

/** The number of retransmissions after which the kernel gives up an established connection. */
const GIVE_UP = { late: '15', soon: '2' };

/**
 * Cuts the route when a request has been read, and restores it when the connection has failed.
 *
 * The kernel names a connection's failure after the ICMP message that it received last, and calls it
 * a timeout if it received none. It may give up only when the message has arrived, however long
 * the cut took.
 */
async function cutEachConnection(
  scenario: Scenario,
  failure: RouteFailure,
  isOver: () => boolean,
): Promise<void> {
  const { network } = scenario;
  for (let count = 1; !isOver(); count++) {
    await waitUntil(`request ${count} arrives`, () => isOver() || scenario.requestCount >= count);
    const before = network.unreachablesReceived('client');
    network.router.fail(failure);
    if (REPORTED_BY_ICMP.has(failure)) {
      const isReported = () => network.unreachablesReceived('client') > before;
      await waitUntil('the router reports the cut', () => isOver() || isReported());
    }
    // An RST ends the connection by itself, with the next segment.
    if (failure !== 'reset') network.setSysctl('client', 'tcp_retries2', GIVE_UP.soon);
    const isDead = () => network.connections('client').length === 0;
    await waitUntil('the connection dies', () => isOver() || isDead());
    network.setSysctl('client', 'tcp_retries2', GIVE_UP.late);
    network.router.restore(failure);
  }
}

async function callAcrossFailures(
  scenario: Scenario,
  failure: RouteFailure,
  call: CallKind,
  adapter: Adapter,
) {
  scenario.network.setSysctl('client', 'tcp_retries2', GIVE_UP.late);
  await scenario.startServer('stay silent');
  scenario.network.router.dropServerSegments();
  let isOver = false;
  const calling = scenario
    .run({ call, adapter, timeout: 60_000, retry: { baseDelay: 1_000 } })
    .finally(() => {
      isOver = true;
    });
  const cutting = cutEachConnection(scenario, failure, () => isOver);
  const [report] = await Promise.all([calling, cutting]);
  return report;
}

const ALL_FAILURES: readonly [RouteFailure, string][] = [
  ['host unreachable', 'EHOSTUNREACH'],
  ['net unreachable', 'ENETUNREACH'],
  ['port unreachable', 'ECONNREFUSED'],
  ['reset', 'ECONNRESET'],
  ['silence', 'ETIMEDOUT'],
];

const FAILURES = ALL_FAILURES.filter(
  ([failure]) => inject('whyNoFirewall') === '' || !FIREWALL_FAILURES.has(failure),
);

describeWithNamespaces.concurrent.each(FAILURES)(
  'an established connection that fails by %s (%s)',
  (failure, errorCode) => {
    test.for(
      ADAPTERS,
    )('sends a withdrawal over %s once and reports it as unknown', async (adapter, {
      scenario,
    }) => {
      const report = await callAcrossFailures(scenario, failure, 'withdrawal', adapter);
      await expectEvidence(scenario, report, { requests: 1, outcome: 'unknown' });
      expect(report.sockets).toEqual([{ connected: true, errorCode }]);
    });

    test.for(ADAPTERS)('retries a read over %s and never reports it as not_sent', async (adapter, {
      scenario,
    }) => {
      const report = await callAcrossFailures(scenario, failure, 'read', adapter);
      await expectEvidence(scenario, report, { requests: 3, outcome: 'unknown' });
      expect(report.sockets).toContainEqual({ connected: true, errorCode });
    });
  },
);
