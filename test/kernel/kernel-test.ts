import { test as base, describe, expect, inject } from 'vitest';
import type { Adapter, CallKind, CallReport, ClientReport } from './messages.js';
import { Scenario } from './scenario.js';

/**
 * A suite that needs network namespaces. `availability.ts` prints the reason when it is skipped.
 */
export const describeWithNamespaces = describe.skipIf(inject('whyNoNamespaces') !== '');

/** A test with its own namespaces, client and servers, which are removed after it. */
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

/** The observed facts of a scenario with one call. */
type Evidence = Pick<CallReport, 'outcome' | 'errorName' | 'attempts'> & {
  requests: number;
  probableOutcome?: string | undefined;
};

/** Compares the observed facts with the expected ones. A failure prints all observed facts. */
export async function expectEvidence(
  scenario: Scenario,
  { calls, sockets }: ClientReport,
  expected: Evidence,
): Promise<void> {
  const requests = await scenario.finalRequestCount();
  // A value that is undefined does not pass between processes.
  const seen = { requests, probableOutcome: undefined, ...calls[0] };
  expect(seen, JSON.stringify({ ...seen, sockets })).toMatchObject(expected);
}
