import { buildApprovalCalls, buildSiweMessage } from '../src/evm/index.js';

// Measures the helpers of `card-platform-sdk/evm`. Fails above the time budget.

const TIME_BUDGET_MS = 1;
const ROUNDS = 2_000;

function medianOfBuilding(): number {
  const times = Array.from({ length: ROUNDS }, (_, round) => {
    const start = performance.now();
    buildSiweMessage({
      domain: 'app.example',
      address: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
      statement: 'Prove address ownership',
      uri: 'https://app.example',
      version: '1',
      chainId: 59144,
      nonce: `6f1a2b3c4d5e${round}`,
      issuedAt: '2026-01-31T09:00:00.000Z',
      expirationTime: '2026-01-31T09:02:00.000Z',
    });
    buildApprovalCalls({
      network: 'ethereum',
      currency: 'usdt',
      spender: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
      amount: `100.${round}`,
    });
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[ROUNDS / 2] ?? Number.NaN;
}

const median = medianOfBuilding();
console.log(
  `message and calls: ${median.toFixed(3)} ms (median of ${ROUNDS}), under ${TIME_BUDGET_MS}`,
);
if (!(median < TIME_BUDGET_MS)) process.exitCode = 1;
