import { expect } from 'vitest';
import type { DelegationResult } from '../../../src/delegation/options.js';
import { isCardPlatformError } from '../../../src/errors/index.js';
import type { MockPlatform, MockRequest } from '../../../src/testing/index.js';

/** Everything that a resumed flow can affect. */
export type FlowEnvironment = {
  mock: MockPlatform;
  /** Id of the platform's user. */
  user: string;
  /** Whether a transaction is on the chain and is the requested approval. */
  isApproval(transactionId: string): boolean | Promise<boolean>;
  /** The prompts that the wallet has shown so far. */
  walletPrompts: readonly unknown[];
  /** How often the flow has used the node so far. */
  nodeReads: { count: number };
};

/** How a resumed flow ended: its state was refused unused, it failed, or the platform has the proof. */
export type ResumeResult = 'refused' | 'failed' | 'proven';

/**
 * Resumes a flow from a state of unknown origin and compares the result with the platform's own
 * records.
 */
export async function resumeAndCheck(
  environment: FlowEnvironment,
  resume: () => Promise<DelegationResult>,
): Promise<ResumeResult> {
  const { mock, walletPrompts, nodeReads } = environment;
  const before = {
    requests: mock.requests.length,
    prompts: walletPrompts.length,
    reads: nodeReads.count,
  };
  const result = await resume().catch((error: unknown) => ({ error }));
  const requests = mock.requests.slice(before.requests);
  if (!('error' in result)) return expectProof(environment, result, requests);
  const { error } = result;
  if (!isCardPlatformError(error)) throw error;
  if (error.code !== 'state_mismatch') return 'failed';
  expect(error).toMatchObject({ outcome: 'not_sent' });
  expect((error as unknown as { fields: string[] }).fields.length).toBeGreaterThan(0);
  expect(requests).toEqual([]);
  expect([walletPrompts.length, nodeReads.count]).toEqual([before.prompts, before.reads]);
  return 'refused';
}

/** A success needs a request that proves it and an entry for the wallet in the platform's state. */
async function expectProof(
  { mock, user, isApproval }: FlowEnvironment,
  result: DelegationResult,
  requests: MockRequest[],
): Promise<ResumeResult> {
  const posts = requests.filter(({ operation }) => operation?.endsWith('Approval'));
  const isProof: Record<DelegationResult['registration'], (request: MockRequest) => boolean> = {
    accepted: ({ status }) => posts.length > 0 && status === 200,
    'already-approved': ({ status }) => status === 422,
    'found-in-wallets': ({ operation, status }) =>
      operation === 'wallets.external.list' && status === 200,
  };
  expect(requests.some(isProof[result.registration])).toBe(true);
  const { address, currency, network, amount } = result;
  const entry = { address, currency, network, allowance: amount };
  expect(mock.users.get(user).externalWallets).toEqual([expect.objectContaining(entry)]);
  if (result.transactionId === undefined) {
    // Chain and service had the limit before, so that nothing was sent.
    expect(result.registration).toBe('found-in-wallets');
    expect(posts).toEqual([]);
    return 'proven';
  }
  expect(await isApproval(result.transactionId)).toBe(true);
  expect(result.state.proof).toBe(result.registration);
  return 'proven';
}
