import { test as base, describe, expect, inject } from 'vitest';
import type { Adapter, CallKind, ClientReport } from './messages.js';
import { Scenario } from './scenario.js';

/** A suite that needs network namespaces. `availability.ts` prints why where it is skipped. */
export const describeWithNamespaces = describe.skipIf(inject('whyNoNamespaces') !== '');

/** A test with namespaces, a client and servers of its own. They end with it. */
export const test = base.extend<{ scenario: Scenario }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from here.
  scenario: async ({}, use) => {
    const scenario = new Scenario();
    try {
      await use(scenario);
    } finally {
      await scenario.stop();
    }
  },
});

export const ADAPTERS: readonly Adapter[] = ['node:http', 'fetch'];

export const EVERY_CALL: readonly [CallKind, Adapter][] = [
  ['withdrawal', 'node:http'],
  ['withdrawal', 'fetch'],
  ['read', 'node:http'],
  ['read', 'fetch'],
];

/** What a scenario of one call showed. */
type Evidence = { requests: number; outcome: string; errorName?: string; attempts?: number };

/** Compares what was seen with what must be. A failure prints all that was seen. */
export async function expectEvidence(
  scenario: Scenario,
  { calls, sockets }: ClientReport,
  expected: Evidence,
): Promise<void> {
  const requests = await scenario.finalRequestCount();
  const seen = { requests, ...calls[0] };
  expect(seen, JSON.stringify({ ...seen, sockets })).toMatchObject(expected);
}
