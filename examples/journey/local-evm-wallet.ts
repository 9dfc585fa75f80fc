import type { EvmDelegationOptions } from 'card-platform-sdk/evm';
import type { ProofVerifier } from 'card-platform-sdk/testing';
import { findAnvil } from '../../test/chain/anvil.js';
import { startLocalChain } from '../../test/chain/local-chain.js';
import { createAnvilVerifier } from '../../test/chain/proof-verifier.js';

/** The user's own wallet on a chain, and the platform's contract there. */
export type OwnWallet = {
  address: string;
  /** What the delegation needs of this chain. */
  delegation: Omit<EvmDelegationOptions, 'client'>;
  /** How the platform checks the proof. */
  verifyProof: (now: () => number) => ProofVerifier;
  end: () => Promise<void>;
};

const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';

/** A wallet on a local chain; `undefined` where the chain is not installed. */
export async function localWallet(): Promise<OwnWallet | undefined> {
  if (findAnvil() === undefined) return undefined;
  const chain = await startLocalChain(59144);
  const account = await chain.newAccount();
  return {
    address: account.address,
    delegation: {
      wallet: chain.walletFor(account),
      publicClient: chain.publicClient,
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
    end: () => chain.stop(),
  };
}
