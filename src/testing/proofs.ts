/** Proof of an approval, as it was submitted. */
export type SubmittedProof = {
  address: string;
  network: string;
  currency: string;
  amount: string;
  txHash: string;
  sigHash: string;
  sigMessage: string;
  /** The nonce that was issued with the delegation token. */
  nonce: string;
};

/**
 * Checks a proof against a chain and a signature scheme. Gives what is wrong with which field, or
 * `undefined` when all is well.
 */
export type ProofVerifier = (
  proof: SubmittedProof,
) =>
  | { field: string; message: string }
  | undefined
  | Promise<{ field: string; message: string } | undefined>;

/** How proofs are checked, chain by chain. */
export type ProofVerifiers = { evm: ProofVerifier; solana: ProofVerifier };

const NONCE_LINE = /^Nonce: (.*)$/m;

/**
 * What can be told of an EVM proof without a chain: the message names the address and, in its
 * `Nonce:` line, the nonce. The signature and the transaction are taken on trust; give
 * `verifyEvmProof` to check them against a node.
 */
export const checkEvmMessage: ProofVerifier = ({ sigMessage, nonce, address }) => {
  const [, named] = NONCE_LINE.exec(sigMessage) ?? [];
  if (named !== nonce) return { field: 'sigMessage', message: 'Nonce does not match the token' };
  if (!sigMessage.toLowerCase().includes(address.toLowerCase())) {
    return { field: 'sigMessage', message: 'Message is for another address' };
  }
  return undefined;
};

/** Nothing can be told of a Solana proof without a chain: the contract takes any message. */
export const trustSolanaProof: ProofVerifier = () => undefined;
