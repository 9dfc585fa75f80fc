import type { SolanaDelegationOptions } from 'card-platform-sdk/solana';
import type { ProofVerifier } from 'card-platform-sdk/testing';
import { LocalVm } from '../../test/chain/local-vm.js';
import { createLitesvmVerifier } from '../../test/chain/solana-proof-verifier.js';

/** The user's own Solana wallet, and the platform's key there. */
export type OwnSolanaWallet = {
  /** What the delegation needs of this chain. */
  delegation: Omit<SolanaDelegationOptions, 'client'>;
  /** How the platform checks the proof. */
  verifyProof: (now: () => number) => ProofVerifier;
};

/** A wallet that holds some USDC in a Solana VM of this process. */
export async function localSolanaWallet(): Promise<OwnSolanaWallet> {
  const vm = await LocalVm.start();
  const mint = await vm.newMint();
  const wallet = vm.newWallet();
  await vm.fund(wallet.publicKey.toBase58(), mint, 500_000_000n);
  const delegate = vm.newWallet().publicKey.toBase58();
  return {
    delegation: {
      ...{ wallet, delegate, connection: vm.connection },
      currency: 'usdc',
      token: { mint: mint.address, decimals: mint.decimals },
      amount: '250',
      domain: 'app.example',
    },
    verifyProof: (now) => createLitesvmVerifier({ vm, delegate, mints: { usdc: mint }, now }),
  };
}
