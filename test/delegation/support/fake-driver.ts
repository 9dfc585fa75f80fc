import type { DelegationClient } from '../../../src/delegation/client.js';
import type { DelegationDriver } from '../../../src/delegation/driver.js';
import type { DelegationOptions } from '../../../src/delegation/options.js';
import type { DelegationProgress } from '../../../src/delegation/progress.js';

let delegationCount = 0;

/** Creates a delegation whose driver has no chain: it only records the order of the calls. */
export function createFakeDelegation(changes: Partial<DelegationDriver> = {}) {
  const calls: string[] = [];
  const progress: DelegationProgress[] = [];
  const clock = { now: 1_000_000 };
  const tokens: string[] = [];
  const client: DelegationClient = {
    delegation: {
      async getToken(input) {
        calls.push(input?.faucet ? 'token with faucet' : 'token');
        const token = `token-${tokens.length + 1}`;
        tokens.push(token);
        return { token, nonce: `nonce${tokens.length}`, faucetOutcome: 'not-requested' };
      },
    },
    wallets: { external: { list: async () => [] } },
  };
  const driver: DelegationDriver = {
    savedState: {
      kind: 'fake',
      isTransactionId: (text) => text === 'transaction',
      isSignature: (text) => text === 'signature',
      notes: {},
    },
    request: { address: 'owner', amount: '5' },
    lockKey: `owner ${++delegationCount}`,
    proof: { address: 'owner', network: 'net', currency: 'cur', amount: '5' },
    limit: { units: 5n, decimals: 0 },
    checkToken: () => void calls.push('check token'),
    async checkChain() {
      calls.push('check chain');
      return { currentLimit: undefined, canPay: undefined };
    },
    findEqualApproval: async () => undefined,
    async signMessage({ token, nonce }, context) {
      return context.prompt(async () => {
        calls.push('sign');
        return { text: `${token} ${nonce}`, signature: 'signature' };
      });
    },
    acceptsMessage: async ({ text }, { token, nonce }) => text === `${token} ${nonce}`,
    async approve(context) {
      await context.promptApproval(async () => {
        calls.push('approve');
        return 'transaction';
      });
    },
    findApproval: async () => 'unknown',
    hasDisappeared: async () => false,
    async confirm(transactionId) {
      calls.push('confirm');
      return transactionId;
    },
    compare: async () => void calls.push('compare'),
    verify: async () => void calls.push('verify'),
    isOwner: (address) => address === 'owner',
    async submit() {
      calls.push('submit');
      return { success: true };
    },
    ...changes,
  };
  const options = (more: Partial<DelegationOptions> = {}): DelegationOptions => ({
    client,
    onProgress: (event) => progress.push(event),
    runtime: {
      now: () => clock.now,
      sleep: async (milliseconds) => {
        calls.push(`sleep ${milliseconds}`);
        clock.now += milliseconds;
      },
    },
    ...more,
  });
  return { calls, progress, clock, client, driver, options };
}
