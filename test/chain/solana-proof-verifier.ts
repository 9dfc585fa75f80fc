import { createPublicKey, verify } from 'node:crypto';
import { AccountRole, address } from '@solana/kit';
import { parseApproveCheckedInstruction } from '@solana-program/token';
import bs58 from 'bs58';
import type { ProofVerifier } from '../../src/testing/index.js';
import type { LocalMint, LocalVm } from './local-vm.js';

/** The platform's own side of a delegation. */
export type LitesvmVerifierOptions = {
  vm: LocalVm;
  /** The platform's key, which may spend. */
  delegate: string;
  /** The mint of each currency. */
  mints: Readonly<Record<string, LocalMint>>;
  /** The platform's time. */
  now: () => number;
};

/** The number of the token program's instruction `Revoke`. */
const REVOKE = 5;

type Proof = Parameters<ProofVerifier>[0];
type Fault = { field: string; message: string } | undefined;

/**
 * Checks a Solana proof as the service does, with libraries that the client does not use: the
 * signature with the crypto of Node, the transaction with the token program's own client.
 */
export function createLitesvmVerifier(options: LitesvmVerifierOptions): ProofVerifier {
  return async (proof) =>
    messageFault(proof, options) ?? signatureFault(proof) ?? transactionFault(proof, options);
}

function messageFault(proof: Proof, { now }: LitesvmVerifierOptions): Fault {
  const fault = (message: string) => ({ field: 'sigMessage', message });
  const lines = proof.sigMessage.split('\n');
  const readLine = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  if (lines[1] !== proof.address) return fault('Message is for another address');
  if (readLine('Nonce') !== proof.nonce) return fault('Nonce does not match the token');
  if (Date.parse(readLine('Expiration Time') ?? '') <= now()) return fault('Message expired');
  return undefined;
}

function signatureFault({ address: signer, sigMessage, sigHash }: Proof): Fault {
  const x = Buffer.from(bs58.decode(signer)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const isSigned = verify(null, Buffer.from(sigMessage), key, bs58.decode(sigHash));
  return isSigned ? undefined : { field: 'sigHash', message: 'Signature is not by the address' };
}

function transactionFault(proof: Proof, options: LitesvmVerifierOptions): Fault {
  const fault = (message: string) => ({ field: 'txHash', message });
  const mint = options.mints[proof.currency];
  const executed = options.vm.getExecuted(proof.txHash);
  if (mint === undefined) return { field: 'currency', message: 'Unknown currency' };
  if (executed === undefined) return fault('Transaction not found or not confirmed');
  const keys = executed.transaction.message.staticAccountKeys.map((key) => address(key.toBase58()));
  const approvals = executed.transaction.message.compiledInstructions.filter(
    ({ programIdIndex }) => keys[programIdIndex] === mint.programAddress,
  );
  const [only] = approvals;
  if (only === undefined || approvals.length > 1) return fault('Not an approval');
  if (only.data[0] === REVOKE) return Number(proof.amount) === 0 ? undefined : fault('Revoked');
  const { accounts, data } = parseApproveCheckedInstruction({
    programAddress: address(mint.programAddress),
    accounts: only.accountKeyIndexes.map((index) => ({
      address: keys[index] ?? address(''),
      role: AccountRole.READONLY,
    })),
    data: only.data,
  });
  if (accounts.owner.address !== proof.address) return fault('Other owner');
  if (accounts.mint.address !== mint.address) return fault('Other mint');
  if (accounts.delegate.address !== options.delegate) return fault('Other delegate');
  if (Number(data.amount) / 10 ** mint.decimals !== Number(proof.amount)) {
    return fault('Other amount');
  }
  return undefined;
}
