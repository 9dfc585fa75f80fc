import { expect } from 'vitest';
import { describeWithNamespaces, EVERY_CALL, expectEvidence, test } from './kernel-test.js';
import type { CallKind } from './messages.js';
import type { NetworkNamespaces } from './network-namespaces.js';

const RETRY = { maxRetries: 2, baseDelay: 50 } as const;
const NOT_SENT = { requests: 0, outcome: 'not_sent' } as const;

type Failure = { errorCode: string; prepare: (network: NetworkNamespaces) => void };

const FAILURES: Readonly<Record<string, Failure>> = {
  'a host that the router reports as unreachable': {
    errorCode: 'EHOSTUNREACH',
    prepare: (network) => network.router.fail('host unreachable'),
  },
  'a network that the router reports as unreachable': {
    errorCode: 'ENETUNREACH',
    prepare: (network) => network.router.fail('net unreachable'),
  },
  'no route in the kernel of the client': {
    errorCode: 'ENETUNREACH',
    prepare: (network) => network.removeClientRoute(),
  },
  'a SYN that is dropped until the kernel stops trying': {
    errorCode: 'ETIMEDOUT',
    prepare: (network) => {
      network.setSysctl('client', 'tcp_syn_retries', '1');
      network.setSysctl('client', 'tcp_syn_linear_timeouts', '0');
      network.router.fail('silence');
    },
  },
};

describeWithNamespaces.concurrent.each(Object.entries(FAILURES))(
  '%s',
  (_, { errorCode, prepare }) => {
    test.for(EVERY_CALL)('reports a %s over %s as not_sent', async ([call, adapter], {
      scenario,
    }) => {
      await scenario.startServer('respond');
      prepare(scenario.network);
      const report = await scenario.run({ call, adapter, timeout: 20_000, retry: RETRY });
      await expectEvidence(scenario, report, NOT_SENT);
      expect(report.sockets).toContainEqual({ connected: false, errorCode });
    });
  },
);

describeWithNamespaces.concurrent('a port that refuses connections', () => {
  test.for(EVERY_CALL)('reports a %s over %s as not_sent', async ([call, adapter], {
    scenario,
  }) => {
    const report = await scenario.run({ call, adapter, timeout: 20_000, retry: RETRY });
    await expectEvidence(scenario, report, NOT_SENT);
    expect(report.sockets).toContainEqual({ connected: false, errorCode: 'ECONNREFUSED' });
  });
});

describeWithNamespaces.concurrent('the connect timeout of fetch itself', () => {
  test.for<CallKind>(['withdrawal', 'read'])('reports a %s as not_sent', async (call, {
    scenario,
  }) => {
    await scenario.startServer('respond');
    scenario.network.router.fail('silence');
    const report = await scenario.run({ call, adapter: 'fetch', timeout: 20_000, retry: false });
    await expectEvidence(scenario, report, NOT_SENT);
    expect(report.calls[0]?.codes).toContain('UND_ERR_CONNECT_TIMEOUT');
  });
});

// Only node:http shows the client the state of the socket, so only there is it a proof.
const TIMEOUTS = EVERY_CALL.map(
  ([call, adapter]) => [call, adapter, adapter === 'fetch' ? 'unknown' : 'not_sent'] as const,
);

describeWithNamespaces.concurrent('a SYN that is dropped until the timeout of the call', () => {
  test.for(TIMEOUTS)('reports a %s over %s as %s', async ([call, adapter, outcome], {
    scenario,
  }) => {
    const server = await scenario.startServer('respond');
    scenario.network.router.fail('silence');
    const report = await scenario.run({ call, adapter, timeout: 3_000, retry: false });
    const expected = { requests: 0, errorName: 'TimeoutError', outcome, attempts: 1 };
    await expectEvidence(scenario, report, expected);
    expect(server.connections).toBe(0);
  });
});

describeWithNamespaces.concurrent('a TLS handshake without a response from the server', () => {
  test.for(TIMEOUTS)('reports a %s over %s as %s', async ([call, adapter, outcome], {
    scenario,
  }) => {
    const server = await scenario.startServer('stay silent');
    const job = { call, adapter, timeout: 3_000, retry: false, protocol: 'https' } as const;
    const report = await scenario.run(job);
    const expected = { requests: 0, errorName: 'TimeoutError', outcome, attempts: 1 };
    await expectEvidence(scenario, report, expected);
    expect(server.connections).toBe(1);
  });
});
