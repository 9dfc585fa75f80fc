import { expect } from 'vitest';
import { ADAPTERS, describeWithNamespaces, expectEvidence, test } from './kernel-test.js';
import type { Adapter, CallKind } from './messages.js';
import type { ServerProcess } from './processes.js';
import type { Scenario } from './scenario.js';
import { waitUntil } from './wait.js';

/** Long enough for the second server to listen before a read is retried. */
const OPTIONS = { timeout: 20_000, retry: { baseDelay: 2_000 } } as const;

/** Kills a server. Another one takes its place at once, so that a second request would arrive. */
async function replace(scenario: Scenario, server: ServerProcess, spare: ServerProcess) {
  await server.kill();
  await scenario.startServer('respond', spare);
}

async function killBeforeReading(scenario: Scenario, call: CallKind, adapter: Adapter) {
  const spare = scenario.prepareServer();
  const server = await scenario.startServer('read nothing');
  const calling = scenario.run({ call, adapter, ...OPTIONS });
  await waitUntil('the request waits in the kernel of the server', () =>
    scenario.network.connections('server').some(({ unread }) => unread > 0),
  );
  // The kernel closes a connection with RST when the process leaves data unread.
  await replace(scenario, server, spare);
  return calling;
}

async function killAfterReading(scenario: Scenario, call: CallKind, adapter: Adapter) {
  const spare = scenario.prepareServer();
  const server = await scenario.startServer('stay silent');
  const calling = scenario.run({ call, adapter, ...OPTIONS });
  await scenario.nextRequest();
  await replace(scenario, server, spare);
  return calling;
}

describeWithNamespaces.concurrent('a server that is killed before it reads the request', () => {
  test.for(
    ADAPTERS,
  )('reports a withdrawal over %s as unknown and does not retry it', async (adapter, {
    scenario,
  }) => {
    const report = await killBeforeReading(scenario, 'withdrawal', adapter);
    await expectEvidence(scenario, report, { requests: 0, outcome: 'unknown' });
    expect(report.sockets).toEqual([{ connected: true, errorCode: 'ECONNRESET' }]);
  });

  test.for(ADAPTERS)('retries a read over %s', async (adapter, { scenario }) => {
    const report = await killBeforeReading(scenario, 'read', adapter);
    await expectEvidence(scenario, report, { requests: 1, outcome: 'ok' });
  });
});

describeWithNamespaces.concurrent('a server that is killed after it read the request', () => {
  test.for(
    ADAPTERS,
  )('reports a withdrawal over %s as unknown and does not retry it', async (adapter, {
    scenario,
  }) => {
    const report = await killAfterReading(scenario, 'withdrawal', adapter);
    await expectEvidence(scenario, report, { requests: 1, outcome: 'unknown' });
    expect(report.sockets).toMatchObject([{ connected: true }]);
  });

  test.for(ADAPTERS)('retries a read over %s', async (adapter, { scenario }) => {
    const report = await killAfterReading(scenario, 'read', adapter);
    await expectEvidence(scenario, report, { requests: 2, outcome: 'ok' });
  });
});
