import { signBytes } from '@solana/kit';
import type { ChainErrorCode } from 'card-platform-sdk';
import { CardPlatformClient } from 'card-platform-sdk';
import {
  buildSolanaApproval,
  type DelegationProgress,
  type DelegationResult,
  type DelegationState,
  delegateSolana,
  isChainError,
  previewSolanaDelegation,
  readDelegation,
  readSolanaSpendingPower,
  revokeSolanaDelegation,
  type SolanaInstruction,
  type SolanaWallet,
} from 'card-platform-sdk/solana';
import { toKitInstruction } from 'card-platform-sdk/solana/kit';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { LocalVm, signerOf } from '../../test/chain/local-vm.js';
import { createLitesvmVerifier } from '../../test/chain/solana-proof-verifier.js';

// A user delegates 250 USDC from their own Solana wallet, in a VM with the real token program. The
// mock platform checks the proof there. Run it with `npx tsx examples/solana-delegation/main.ts`.
const vm = await LocalVm.start();
const mint = await vm.newMint();
const key = vm.newWallet();
const owner = key.publicKey.toBase58();
await vm.fund(owner, mint, 500_000_000n);
const delegate = vm.newWallet().publicKey.toBase58();
const verifySolanaProof = createLitesvmVerifier({
  vm,
  delegate,
  mints: { usdc: mint },
  now: Date.now,
});
const mock = createMockPlatform({ startsAt: Date.now(), verifySolanaProof });
const ada = mock.users.add({ verificationState: 'VERIFIED' });
const client = new CardPlatformClient({
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
  ...mock.credentials,
  accessToken: mock.accessTokenFor(ada),
});

const token = { mint: mint.address, decimals: mint.decimals };
const account = { owner, mint: mint.address };

/** The user signs and sends something in another app. */
async function send(instruction: SolanaInstruction): Promise<void> {
  await vm.send(await signerOf(key), [toKitInstruction(instruction)]);
}

async function showDelegation(): Promise<void> {
  const found = await readDelegation({ node: vm.connection, ...account });
  const who = found?.delegate === delegate ? 'the platform' : (found?.delegate ?? 'nobody');
  console.log(`   ${who} may spend ${found?.delegatedAmount ?? 0n} base units`);
}

// A page keeps this in its session storage, to resume after a reload.
let saved = '';

function show({ position, total, status, message, state }: DelegationProgress): void {
  saved = JSON.stringify(state);
  console.log(`   ${position}/${total} ${status.padEnd(8)} ${message}`);
}

const options = {
  client,
  token,
  spender: delegate,
  node: vm.connection,
  currency: 'usdc',
  amount: '250',
  domain: 'app.example',
  onProgress: show,
};

/** Runs a delegation that ends with this chain error. */
async function endsWith(code: ChainErrorCode, run: Promise<DelegationResult>): Promise<void> {
  try {
    await run;
  } catch (error) {
    if (!isChainError(error, code)) throw error;
  }
}

console.log('1. Another app may spend from the account already');
await send(
  buildSolanaApproval({
    ...account,
    decimals: mint.decimals,
    amount: 1_000n,
    spender: vm.newWallet().publicKey.toBase58(),
  }),
);
await showDelegation();
await endsWith('delegate_in_use', delegateSolana({ ...options, wallet: key }));

console.log('2. The page shows what a delegation would do, and what prevents it');
const preview = await previewSolanaDelegation({ ...options, wallet: key });
console.log(`   up to ${preview.amount} ${preview.currency}, until now ${preview.oldLimit}`);
console.log(`   the wallet holds ${preview.tokenBalance}; fee ${preview.estimatedFee} lamports`);
for (const { message } of preview.problems) console.log(`   ${message}`);

console.log('3. The user agrees to replace it, signs the message, and declines the transaction');
const { keyPair } = await signerOf(key);
const hesitant: SolanaWallet = {
  address: owner,
  signMessage: (message) => signBytes(keyPair.privateKey, message),
  signTransaction: () => Promise.reject(Object.assign(new Error('no'), { code: 4001 })),
};
const replacing = { ...options, replaceSpender: true };
await endsWith('user_rejected', delegateSolana({ ...replacing, wallet: hesitant }));

console.log('4. After a reload the user tries again: the signed message is still valid');
const resume = JSON.parse(saved) as DelegationState;
const result = await delegateSolana({ ...replacing, wallet: key, resume });
console.log(
  `   ${result.registration}: ${result.amount} ${result.currency} by ${result.transactionId}`,
);
await showDelegation();
const { wallets } = await readSolanaSpendingPower({
  wallets: await client.wallets.external.list(),
  node: vm.connection,
  spender: delegate,
  tokens: { usdc: token },
});
for (const { spendable, cap, currency } of wallets) {
  console.log(`   ${spendable} of ${cap} ${currency} can be spent now`);
}

console.log('5. The user revokes the limit');
const { amount: _, ...revocation } = options;
try {
  const revoked = await revokeSolanaDelegation({ ...revocation, wallet: key });
  console.log(`   ${revoked.registration} by ${revoked.transactionId}`);
} catch (error) {
  // The contract does not document whether the service accepts the amount 0.
  if (!isChainError(error, 'revocation_not_registered')) throw error;
  console.log('   on the chain; the service did not register it');
}
await showDelegation();
