import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { readSignedMessage } from '../contract/formats/signed-message.js';

/** A submitted proof of an approval. */
export type SubmittedProof = {
  address: string;
  network: string;
  currency: string;
  amount: string;
  txHash: string;
  sigHash: string;
  sigMessage: string;
  /** The nonce issued with the delegation token. */
  nonce: string;
  /** Whether the request went to the US, where the spenders may be others. */
  isUs: boolean;
};

/**
 * Checks a proof, for example against a chain and a signature scheme. Returns the field that is wrong
 * and a message, or `undefined` for a valid proof.
 */
export type ProofVerifier = (
  proof: SubmittedProof,
) =>
  | { field: string; message: string }
  | undefined
  | Promise<{ field: string; message: string } | undefined>;

/** The verifiers for each kind of chain. */
export type ProofVerifiers = { evm: ProofVerifier; solana: ProofVerifier };

const NONCE_LINE = /^Nonce: (.*)$/m;

/**
 * Checks the message of an EVM proof, which needs no chain: it must have the structure of EIP-4361,
 * be for the address, and have the nonce in its `Nonce:` line. The signature and the transaction are
 * not checked; pass `verifyEvmProof` to check them against a node.
 */
export const checkEvmMessage: ProofVerifier = ({ sigMessage, nonce, address }) => {
  const message = readSignedMessage(sigMessage);
  if (message === undefined) return { field: 'sigMessage', message: 'Message is not EIP-4361' };
  const [, signedNonce] = NONCE_LINE.exec(sigMessage) ?? [];
  if (signedNonce !== nonce)
    return { field: 'sigMessage', message: 'Nonce does not match the token' };
  if (!equalsIgnoringCase(address, message.address)) {
    return { field: 'sigMessage', message: 'Message is for another address' };
  }
  return undefined;
};

/** Accepts every Solana proof: the contract allows any message, so nothing can be checked offline. */
export const acceptSolanaProof: ProofVerifier = () => undefined;
