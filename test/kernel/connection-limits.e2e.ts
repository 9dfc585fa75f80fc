import { describe, expect } from 'vitest';
import { ADAPTERS, describeWithNamespaces, test } from './kernel-test.js';
import type { CallReport, ClientReport } from './messages.js';
import { ClientProcess, ServerProcess } from './processes.js';

/** The number of requests that the server must have read for each outcome of a withdrawal. */
const READ_BY_SERVER: Readonly<Record<string, number>> = {
  ok: 1,
  executed: 1,
  unknown: 1,
  not_sent: 0,
};

type Contradiction = CallReport & { requests: number };

/** Returns the calls whose outcome contradicts the requests that the server read. */
function contradictions(
  { calls }: ClientReport,
  requests: ReadonlyMap<string, number>,
): Contradiction[] {
  return calls
    .map((call) => ({ ...call, requests: requests.get(call.name) ?? 0 }))
    .filter(({ outcome, requests }) => READ_BY_SERVER[outcome] !== requests);
}

/** Counts the calls by outcome and number of requests, such as `not_sent, 0 requests`. */
function summarize({ calls }: ClientReport, requests: ReadonlyMap<string, number>) {
  const counts: Record<string, number> = {};
  for (const { name, outcome, codes } of calls) {
    const kind = `${[outcome, ...codes].join(' ')}, ${requests.get(name) ?? 0} requests`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return JSON.stringify(counts);
}

function expectHonestOutcomes(
  report: ClientReport,
  requests: ReadonlyMap<string, number>,
  errorCode: string,
): void {
  const summary = summarize(report, requests);
  expect(report.sockets.map((socket) => socket.errorCode)).toContain(errorCode);
  expect(contradictions(report, requests).slice(0, 3), summary).toEqual([]);
  expect(report.calls.filter(({ outcome }) => outcome === 'ok').length, summary).toBeGreaterThan(0);
}

const WITH_FEW_FILES = ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'] as const;

describe.skipIf(process.platform === 'win32')('1,000 withdrawals with 256 open files', () => {
  test.for(
    ADAPTERS,
  )('have outcomes over %s that match the requests at the server', async (adapter) => {
    const [server, client] = [new ServerProcess(), new ClientProcess(WITH_FEW_FILES)];
    try {
      await server.listen({ host: '127.0.0.1', port: 0, behaviour: 'respond' });
      const baseUrl = `http://127.0.0.1:${server.port}`;
      const report = await client.run({ baseUrl, call: 'withdrawal', adapter, count: 1_000 });
      await server.kill();
      expectHonestOutcomes(report, server.requests, 'EMFILE');
      // Over node:http they wait for one another.
      const failed = report.calls.filter(({ outcome }) => outcome !== 'ok');
      if (adapter === 'node:http') expect(failed).toEqual([]);
    } finally {
      await Promise.all([client.stop(), server.kill()]);
    }
  });
});

describeWithNamespaces('200 withdrawals with 32 local ports', () => {
  test.for(
    ADAPTERS,
  )('have outcomes over %s that match the requests at the server', async (adapter, {
    scenario,
  }) => {
    scenario.network.setSysctl('client', 'ip_local_port_range', '40000 40031');
    const server = await scenario.startServer('respond after a second');
    const report = await scenario.run({ call: 'withdrawal', adapter, count: 200 });
    await server.kill();
    expectHonestOutcomes(report, server.requests, 'EADDRNOTAVAIL');
  });
});
