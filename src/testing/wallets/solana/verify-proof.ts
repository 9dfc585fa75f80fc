import { decodeBase58 } from '../../../contract/formats/base58.js';
import type { ProofVerifier, SubmittedProof } from '../../proofs.js';
import { isAmountOf, type ProofProblem } from '../proof-checks.js';
import { readLittleEndian, TOKEN_PROGRAM } from './accounts.js';
import type { MockSolanaChain } from './chain.js';
import { isSignedBy } from './ed25519.js';

const REVOKE = 5;

/** Checks Solana proofs against the chain: message, signature and transaction. */
export function solanaProofVerifier(chain: MockSolanaChain): ProofVerifier {
  return async (proof) =>
    messageProblem(proof) ?? (await signatureProblem(proof)) ?? transactionProblem(proof, chain);
}

function messageProblem({ sigMessage, nonce }: SubmittedProof): ProofProblem {
  // The contract does not document where the nonce is in the text.
  if (sigMessage.includes(nonce)) return undefined;
  return { field: 'sigMessage', message: 'Nonce does not match the token' };
}

async function signatureProblem(proof: SubmittedProof): Promise<ProofProblem> {
  const key = decodeBase58(proof.address) ?? new Uint8Array();
  const signature = decodeBase58(proof.sigHash) ?? new Uint8Array();
  const message = new TextEncoder().encode(proof.sigMessage);
  if (await isSignedBy(key, message, signature)) return undefined;
  return { field: 'sigHash', message: 'Signature is not by the address' };
}

function transactionProblem(proof: SubmittedProof, chain: MockSolanaChain): ProofProblem {
  const fault = (message: string) => ({ field: 'txHash', message });
  const found = chain.executed(proof.txHash);
  if (found === undefined) return fault('Transaction not found or not confirmed');
  if (found.err !== null) return fault('Transaction failed');
  const currency = proof.currency.toLowerCase();
  if (!chain.currencies.includes(currency)) {
    return { field: 'currency', message: 'Currency is not known' };
  }
  const { decimals, mint } = chain.tokenOf(currency);
  const { accounts, instructions } = found.parsed;
  const ofToken = instructions.filter((one) => accounts[one.programIdIndex] === TOKEN_PROGRAM);
  const [only] = ofToken;
  if (only === undefined || ofToken.length > 1) return fault('Transaction is not one approval');
  const names = only.accountKeyIndexes.map((place) => accounts[place]);
  const isRevocation = only.data[0] === REVOKE;
  const owner = names.at(-1);
  if (owner !== proof.address) return fault('Transaction is from another address');
  if (chain.mintOf(names[0]) !== mint) return fault('Transaction is for another token');
  if (isRevocation) return Number(proof.amount) === 0 ? undefined : fault('Nothing is approved');
  const delegate = proof.isUs ? chain.usDelegate : chain.delegate;
  if (names.at(-2) !== delegate) return fault('Transaction approves another delegate');
  return isAmountOf(proof.amount, readLittleEndian(only.data.subarray(1, 9)), decimals)
    ? undefined
    : fault('Transaction approves another amount');
}
