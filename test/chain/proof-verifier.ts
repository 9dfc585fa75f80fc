import { SiweMessage } from 'siwe';
import {
  decodeEventLog,
  decodeFunctionData,
  erc20Abi,
  type Hex,
  parseUnits,
  verifyMessage,
} from 'viem';
import type { ProofVerifier } from '../../src/testing/index.js';
import type { LocalChain } from './local-chain.js';

/** The platform's own side of a delegation. */
export type AnvilVerifierOptions = {
  chain: LocalChain;
  /** The platform's contract, which may spend. */
  spender: string;
  /** The platform's time. */
  now: () => number;
};

type Proof = Parameters<ProofVerifier>[0];
type Fault = { field: string; message: string } | undefined;

/**
 * Checks an EVM proof as the service does, with libraries that the client does not use: the message
 * with `siwe`, the signature and the transaction with viem against the node.
 */
export function createAnvilVerifier(options: AnvilVerifierOptions): ProofVerifier {
  return async (proof) => {
    const message = readMessage(proof.sigMessage);
    return (
      (message === undefined
        ? { field: 'sigMessage', message: 'Message is not EIP-4361' }
        : messageFault(message, proof, options)) ??
      (await signatureFault(proof)) ??
      (await transactionFault(proof, options))
    );
  };
}

function readMessage(text: string): SiweMessage | undefined {
  try {
    return new SiweMessage(text);
  } catch {
    return undefined;
  }
}

function messageFault(message: SiweMessage, proof: Proof, options: AnvilVerifierOptions): Fault {
  const { nonce, address, chainId, expirationTime } = message;
  const fault = (text: string) => ({ field: 'sigMessage', message: text });
  if (nonce !== proof.nonce) return fault('Nonce does not match the token');
  if (address !== proof.address) return fault('Message is for another address');
  if (chainId !== options.chain.chainId) return fault('Message is for another chain');
  if (!expirationTime || Date.parse(expirationTime) <= options.now())
    return fault('Message expired');
  return undefined;
}

async function signatureFault({ address, sigMessage, sigHash }: Proof): Promise<Fault> {
  const isSigned = await verifyMessage({
    address: address as Hex,
    message: sigMessage,
    signature: sigHash as Hex,
  });
  return isSigned ? undefined : { field: 'sigHash', message: 'Signature is not by the address' };
}

async function transactionFault(proof: Proof, options: AnvilVerifierOptions): Promise<Fault> {
  const { chain, spender } = options;
  const fault = (message: string) => ({ field: 'txHash', message });
  const hash = proof.txHash as Hex;
  const receipt = await chain.publicClient.getTransactionReceipt({ hash }).catch(() => undefined);
  if (receipt === undefined) return fault('Transaction not found or not confirmed');
  if (receipt.status !== 'success') return fault('Transaction failed');
  const transaction = await chain.publicClient.getTransaction({ hash });
  const token = proof.currency === 'usdt' ? chain.usdt : chain.usdc;
  if (transaction.from.toLowerCase() !== proof.address.toLowerCase()) return fault('Other sender');
  if (transaction.to?.toLowerCase() !== token.address.toLowerCase()) return fault('Other token');
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: transaction.input });
  if (functionName !== 'approve') return fault('Not an approve');
  const [approved, units] = args;
  if (approved.toLowerCase() !== spender.toLowerCase()) return fault('Other spender');
  const decimals = await chain.publicClient.readContract({
    address: token.address,
    abi: erc20Abi,
    functionName: 'decimals',
  });
  if (units !== parseUnits(proof.amount, decimals)) return fault('Other amount');
  const hasApprovalEvent = receipt.logs.some(
    ({ data, topics }) => decodeEventLog({ abi: erc20Abi, data, topics }).eventName === 'Approval',
  );
  return hasApprovalEvent ? undefined : fault('No Approval event');
}
