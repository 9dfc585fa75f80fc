import { entrySize } from './entry-size.js';

// What `card-platform-sdk/solana` costs a page. Ends with an error when the budget of the
// requirements is broken.

const SIZE_BUDGET = 5_000;

const { atOnce, onCall } = await entrySize('solana', ['@solana/web3.js']);
console.log(
  `/solana in a browser, without web3.js, gzip: ${atOnce} B at once, at most ${SIZE_BUDGET}`,
);
console.log(`  and ${onCall} B more when delegateSolana is first called`);
if (atOnce > SIZE_BUDGET) {
  console.error('the budget is broken');
  process.exitCode = 1;
}
