import { recoverMessageAddress } from 'viem';
import { equalsIgnoringCase } from '../../../contract/formats/ignore-case.js';
import { readSignedMessage } from '../../../contract/formats/signed-message.js';
import { checkEvmMessage, type ProofVerifier, type SubmittedProof } from '../../proofs.js';
import { isAmountOf, type ProofProblem } from '../proof-checks.js';
import type { MockEvmChain } from './chain.js';
import { readApproval } from './token.js';

/** Checks EVM proofs against the chains: message, signature and transaction. */
export function evmProofVerifier(
  chainOf: (network: string) => MockEvmChain | undefined,
): ProofVerifier {
  return async (proof) => {
    const chain = chainOf(proof.network);
    if (chain === undefined) return { field: 'network', message: 'Network is not known' };
    return (
      (await checkEvmMessage(proof)) ??
      messageProblem(proof, chain) ??
      (await signatureProblem(proof)) ??
      transactionProblem(proof, chain)
    );
  };
}

function messageProblem({ sigMessage }: SubmittedProof, chain: MockEvmChain): ProofProblem {
  if (readSignedMessage(sigMessage)?.chainId === chain.chainId) return undefined;
  return { field: 'sigMessage', message: 'Message is for another chain' };
}

async function signatureProblem({
  address,
  sigMessage,
  sigHash,
}: SubmittedProof): Promise<ProofProblem> {
  const signature = sigHash as `0x${string}`;
  const signer = await recoverMessageAddress({ message: sigMessage, signature }).catch(() => '');
  if (equalsIgnoringCase(signer, address)) return undefined;
  return { field: 'sigHash', message: 'Signature is not by the address' };
}

function transactionProblem(proof: SubmittedProof, chain: MockEvmChain): ProofProblem {
  const fault = (message: string) => ({ field: 'txHash', message });
  const found = chain.transactions.find(({ hash }) => equalsIgnoringCase(hash, proof.txHash));
  if (found?.block === undefined) return fault('Transaction not found or not confirmed');
  if (found.succeeded !== true) return fault('Transaction failed');
  if (!equalsIgnoringCase(found.from, proof.address)) {
    return fault('Transaction is from another address');
  }
  const currency = chain.currencies.find((name) => equalsIgnoringCase(name, proof.currency));
  if (currency === undefined) return { field: 'currency', message: 'Currency is not known' };
  const token = chain.tokenOf(currency);
  const approval = readApproval(found.data);
  if (!equalsIgnoringCase(found.to, token.address) || approval === undefined) {
    return fault('Transaction is not an approval of the token');
  }
  if (!equalsIgnoringCase(approval.spender, proof.isUs ? chain.usSpender : chain.spender)) {
    return fault('Transaction approves another spender');
  }
  return isAmountOf(proof.amount, approval.units, token.decimals)
    ? undefined
    : fault('Transaction approves another amount');
}
