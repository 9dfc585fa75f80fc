import { CardPlatformClient } from 'card-platform-sdk';
import {
  type DelegationProgress,
  type DelegationState,
  delegateEvm,
  delegationStateOf,
  type EvmWallet,
  isChainError,
  previewEvmDelegation,
  readEvmSpendingPower,
  revokeEvmDelegation,
} from 'card-platform-sdk/evm';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { findAnvil } from '../../test/chain/anvil.js';
import { startLocalChain } from '../../test/chain/local-chain.js';
import { createAnvilVerifier } from '../../test/chain/proof-verifier.js';

// A user delegates 250 USDT from their own wallet on a local chain. The mock platform checks the
// proof on that chain. Run it with `npx tsx examples/evm-delegation/main.ts`.
if (findAnvil() === undefined) {
  console.log(
    'The local chain (anvil) is not installed on this system, so this example cannot run.',
  );
  process.exit(0);
}

const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const chain = await startLocalChain(1);
const mock = createMockPlatform({
  startsAt: Date.now(),
  verifyEvmProof: createAnvilVerifier({ chain, spender: SPENDER, now: Date.now }),
});
const ada = mock.users.add({ verificationState: 'VERIFIED' });
const client = new CardPlatformClient({
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
  ...mock.credentials,
  accessToken: mock.accessTokenFor(ada),
});

const account = await chain.newAccount();
const mint = { ...chain.usdt, functionName: 'mint', args: [account.address, 180_000_000n] };
await chain.bank.writeContract({ chain: chain.chain, ...mint });
const wallet = chain.walletFor(account);
const asset = { network: 'ethereum', currency: 'usdt', networks: chain.networks };

/** A wallet whose user declines the transaction. */
const hesitant: EvmWallet = {
  address: account.address,
  getChainId: () => wallet.getChainId(),
  signMessage: (message) => wallet.signMessage({ message }),
  sendTransaction: () => Promise.reject(Object.assign(new Error('no'), { code: 4001 })),
};

// A page keeps this in its session storage, to resume after a reload.
let saved = '';

function show({ position, total, status, message, state }: DelegationProgress): void {
  saved = JSON.stringify(state);
  console.log(`   ${position}/${total} ${status.padEnd(8)} ${message}`);
}

const options = {
  client,
  node: chain.publicClient,
  ...asset,
  spender: SPENDER,
  amount: '250',
  domain: 'app.example',
  uri: 'https://app.example',
  pollingInterval: 50,
  onProgress: show,
};

console.log('1. The page shows what the delegation would do');
const preview = await previewEvmDelegation({ ...options, wallet });
console.log(`   ${preview.spender} may spend ${preview.amount} ${preview.currency},`);
console.log(`   until now ${preview.oldLimit}; the wallet holds ${preview.tokenBalance}`);
console.log(`   ${preview.transactions} transaction, about ${preview.estimatedFee} wei`);
for (const { message } of preview.problems) console.log(`   note: ${message}`);

console.log('2. The user signs, and declines the transaction');
try {
  await delegateEvm({ ...options, wallet: hesitant });
} catch (error) {
  if (!isChainError(error, 'user_rejected')) throw error;
  console.log(`   saved: ${delegationStateOf(error)?.message ? 'the signed message' : 'nothing'}`);
}

console.log('3. After a reload the user tries again: the signed message is still valid');
const resume = JSON.parse(saved) as DelegationState;
const result = await delegateEvm({ ...options, wallet, resume });
console.log(
  `   ${result.registration}: ${result.amount} ${result.currency} by ${result.transactionId}`,
);

/** Prints what the page shows for each registered wallet. */
async function showLimits(): Promise<void> {
  const { wallets } = await readEvmSpendingPower({
    wallets: await client.wallets.external.list(),
    node: chain.publicClient,
    spender: SPENDER,
    networks: chain.networks,
  });
  for (const { spendable, limit, cap, currency } of wallets) {
    console.log(`   ${spendable} ${currency} can be spent now; ${limit} of ${cap} are allowed`);
  }
}
await showLimits();

console.log('4. The user revokes the limit');
const { amount: _, ...revocation } = options;
try {
  const revoked = await revokeEvmDelegation({ ...revocation, wallet });
  console.log(`   ${revoked.registration} by ${revoked.transactionId}`);
} catch (error) {
  // The contract does not document whether the service accepts the amount 0.
  if (!isChainError(error, 'revocation_not_registered')) throw error;
  console.log('   on the chain; the service did not register it');
}
await showLimits();
await chain.stop();
