import { expect } from 'vitest';
import { describeWithNamespaces, EVERY_CALL, expectEvidence, test } from './kernel-test.js';
import type { CallKind } from './messages.js';
import type { Side } from './network-namespaces.js';
import type { RouteFailure } from './router.js';
import type { Scenario } from './scenario.js';
import { waitUntil } from './wait.js';

/** Waits until the kernel of the other side has acknowledged everything that this side sent. */
function acknowledged(scenario: Scenario, side: Exclude<Side, 'router'>): Promise<void> {
  return waitUntil(`the kernel acknowledges what the ${side} sent`, () =>
    scenario.network.connections(side).some(({ unacknowledged }) => unacknowledged === 0),
  );
}

/** What a call reports whose response body was lost. The status line alone proves nothing. */
const evidenceOf = (call: CallKind, errorName: string) => ({
  requests: 1,
  outcome: 'unknown',
  probableOutcome: call === 'read' ? undefined : 'executed',
  errorName,
});

describeWithNamespaces.concurrent.each<RouteFailure>(['silence', 'host unreachable'])(
  'a network that fails after the headers of a 200 (%s)',
  (failure) => {
    test.for(
      EVERY_CALL,
    )('reports a %s over %s as unknown, a withdrawal as executed probably', async ([
      call,
      adapter,
    ], { scenario }) => {
      await scenario.startServer('send half a body');
      const calling = scenario.run({ call, adapter, timeout: 5_000, retry: false });
      await scenario.nextRequest();
      await acknowledged(scenario, 'server');
      scenario.network.router.fail(failure);
      const expected = evidenceOf(call, 'TimeoutError');
      await expectEvidence(scenario, await calling, expected);
    });
  },
);

describeWithNamespaces.concurrent('a server that is killed after the headers of a 200', () => {
  test.for(
    EVERY_CALL,
  )('reports a %s over %s as unknown, a withdrawal as executed probably', async ([call, adapter], {
    scenario,
  }) => {
    const server = await scenario.startServer('send half a body');
    const calling = scenario.run({ call, adapter, timeout: 20_000, retry: false });
    await scenario.nextRequest();
    await acknowledged(scenario, 'server');
    await server.kill();
    const expected = evidenceOf(call, 'BodyReadError');
    await expectEvidence(scenario, await calling, expected);
  });
});

describeWithNamespaces.concurrent('a network that fails after it acknowledged the request', () => {
  test.for(EVERY_CALL)('reports a %s over %s as unknown', async ([call, adapter], { scenario }) => {
    await scenario.startServer('stay silent');
    const calling = scenario.run({ call, adapter, timeout: 5_000, retry: false });
    await scenario.nextRequest();
    await acknowledged(scenario, 'client');
    scenario.network.router.fail('silence');
    const report = await calling;
    const expected = { requests: 1, outcome: 'unknown', errorName: 'TimeoutError' };
    await expectEvidence(scenario, report, expected);
    expect(report.sockets).toMatchObject([{ connected: true }]);
  });
});
