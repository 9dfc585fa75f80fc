import { CardPlatformClient } from 'card-platform-sdk';
import {
  buildRevokeCalls,
  type DelegationProgress,
  type DelegationState,
  delegateEvm,
  delegationStateOf,
  type EvmWallet,
  isChainError,
  readAllowance,
} from 'card-platform-sdk/evm';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { findAnvil } from '../../test/chain/anvil.js';
import { startLocalChain } from '../../test/chain/local-chain.js';
import { createAnvilVerifier } from '../../test/chain/proof-verifier.js';

// A user delegates 250 USDT from their own wallet on a local chain. The mock platform checks the
// proof on that chain. Run it with `npx tsx examples/evm-delegation/main.ts`.
if (findAnvil() === undefined) {
  console.log('The local chain (anvil) is not installed on this system: nothing to show.');
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
  publicClient: chain.publicClient,
  ...asset,
  spender: SPENDER,
  amount: '250',
  domain: 'app.example',
  uri: 'https://app.example',
  pollingInterval: 50,
  onProgress: show,
};

console.log('1. The user signs, and declines the transaction');
try {
  await delegateEvm({ ...options, wallet: hesitant });
} catch (error) {
  if (!isChainError(error, 'user_rejected')) throw error;
  console.log(`   saved: ${delegationStateOf(error)?.message ? 'the signed message' : 'nothing'}`);
}

console.log('2. After a reload the user tries again: the signed message is still valid');
const resume = JSON.parse(saved) as DelegationState;
const result = await delegateEvm({ ...options, wallet, resume });
console.log(
  `   ${result.registration}: ${result.amount} ${result.currency} by ${result.transactionId}`,
);
console.log('   the platform knows:', mock.users.get(ada.id).externalWallets);

console.log('3. The user revokes the limit');
const owner = { ...asset, owner: account.address, spender: SPENDER };
console.log(`   allowed: ${await readAllowance({ publicClient: chain.publicClient, ...owner })}`);
for (const { to, data, value } of buildRevokeCalls(owner)) {
  const hash = await wallet.sendTransaction({ to, data, value });
  await chain.publicClient.waitForTransactionReceipt({ hash });
}
console.log(`   allowed: ${await readAllowance({ publicClient: chain.publicClient, ...owner })}`);
await chain.stop();
