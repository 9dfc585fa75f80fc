import type { SolanaDelegationOptions } from 'card-platform-sdk/solana';
import type { ProofVerifier } from 'card-platform-sdk/testing';
import { LocalVm } from '../../test/chain/local-vm.js';
import { createLitesvmVerifier } from '../../test/chain/solana-proof-verifier.js';

/** A user's Solana wallet, and how the platform checks its proofs. */
export type LocalSolanaWallet = {
  /** Options of the delegation for this chain. */
  delegation: Omit<SolanaDelegationOptions, 'client'>;
  /** Returns the verifier of the platform. */
  verifyProof: (now: () => number) => ProofVerifier;
};

/** Creates a wallet with USDC in a Solana VM of this process. */
export async function openLocalSolanaWallet(): Promise<LocalSolanaWallet> {
  const vm = await LocalVm.start();
  const mint = await vm.newMint();
  const wallet = vm.newWallet();
  await vm.fund(wallet.publicKey.toBase58(), mint, 500_000_000n);
  const delegate = vm.newWallet().publicKey.toBase58();
  return {
    delegation: {
      wallet,
      spender: delegate,
      node: vm.connection,
      currency: 'usdc',
      token: { mint: mint.address, decimals: mint.decimals },
      amount: '250',
      domain: 'app.example',
    },
    verifyProof: (now) => createLitesvmVerifier({ vm, delegate, mints: { usdc: mint }, now }),
  };
}
