import type { EvmDelegationOptions } from 'card-platform-sdk/evm';
import type { ProofVerifier } from 'card-platform-sdk/testing';
import { findAnvil } from '../../test/chain/anvil.js';
import { startLocalChain } from '../../test/chain/local-chain.js';
import { createAnvilVerifier } from '../../test/chain/proof-verifier.js';

/** A user's EVM wallet, and how the platform checks its proofs. */
export type LocalEvmWallet = {
  address: string;
  /** Options of the delegation for this chain. */
  delegation: Omit<EvmDelegationOptions, 'client'>;
  /** Returns the verifier of the platform. */
  verifyProof: (now: () => number) => ProofVerifier;
  stopChain: () => Promise<void>;
};

const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';

/** Creates a wallet on a local chain, or returns `undefined` when the chain is not installed. */
export async function openLocalEvmWallet(): Promise<LocalEvmWallet | undefined> {
  if (findAnvil() === undefined) return undefined;
  const chain = await startLocalChain(59144);
  const account = await chain.newAccount();
  return {
    address: account.address,
    delegation: {
      wallet: chain.walletFor(account),
      node: chain.publicClient,
      network: 'linea',
      currency: 'usdc',
      networks: chain.networks,
      amount: '250',
      spender: SPENDER,
      domain: 'app.example',
      uri: 'https://app.example',
      pollingInterval: 50,
    },
    verifyProof: (now) => createAnvilVerifier({ chain, spender: SPENDER, now }),
    stopChain: () => chain.stop(),
  };
}
