import { buildApprovalCalls, buildSiweMessage } from '../src/evm/index.js';
import { entrySize } from './entry-size.js';

// What `card-platform-sdk/evm` costs a page, and how long its own work takes.
// Ends with an error when a budget of the requirements is broken.

const SIZE_BUDGET = 8_000;
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

const { atOnce, onCall } = await entrySize('evm', ['viem']);
const median = medianOfBuilding();
console.log(`/evm in a browser, without viem, gzip: ${atOnce} B at once, at most ${SIZE_BUDGET}`);
console.log(`  and ${onCall} B more when delegateEvm is first called`);
console.log(
  `message and calls: ${median.toFixed(3)} ms (median of ${ROUNDS}), under ${TIME_BUDGET_MS}`,
);
if (atOnce > SIZE_BUDGET || !(median < TIME_BUDGET_MS)) {
  console.error('a budget is broken');
  process.exitCode = 1;
}
