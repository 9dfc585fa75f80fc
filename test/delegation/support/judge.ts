import { expect } from 'vitest';
import type { DelegationResult } from '../../../src/delegation/options.js';
import { isCardPlatformError } from '../../../src/errors/index.js';
import type { MockPlatform, MockRequest } from '../../../src/testing/index.js';

/** What a resumed flow can touch. */
export type Books = {
  mock: MockPlatform;
  /** Id of the platform's user. */
  user: string;
  /** Whether a transaction is on the chain and is the approval that was asked for. */
  isApproval(transactionId: string): boolean | Promise<boolean>;
  /** What the wallet was asked for so far. */
  asked: readonly unknown[];
  /** How often the node was read so far. */
  used: { node: number };
};

/** How a resumed flow ended: refused untouched, failed with a typed error, or proven. */
export type Verdict = 'refused' | 'failed' | 'proven';

/**
 * Runs a flow from a state of unknown origin and compares what it reports with the platform's own
 * books.
 */
export async function judge(
  books: Books,
  resume: () => Promise<DelegationResult>,
): Promise<Verdict> {
  const { mock, asked, used } = books;
  const before = { requests: mock.requests.length, asked: asked.length, node: used.node };
  const ended = await resume().catch((error: unknown) => ({ error }));
  const requests = mock.requests.slice(before.requests);
  if (!('error' in ended)) return proven(books, ended, requests);
  const { error } = ended;
  if (!isCardPlatformError(error)) throw error;
  if (error.code !== 'state_mismatch') return 'failed';
  expect(error).toMatchObject({ outcome: 'not_sent' });
  expect((error as unknown as { fields: string[] }).fields.length).toBeGreaterThan(0);
  expect(requests).toEqual([]);
  expect([asked.length, used.node]).toEqual([before.asked, before.node]);
  return 'refused';
}

/** Success needs a request that proves it, and the wallet in the platform's own state. */
async function proven(
  { mock, user, isApproval }: Books,
  result: DelegationResult,
  requests: MockRequest[],
): Promise<Verdict> {
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
  expect(await isApproval(result.transactionId)).toBe(true);
  expect(result.state.proof).toBe(result.registration);
  return 'proven';
}
