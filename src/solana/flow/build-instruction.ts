import type { SolanaCurrency } from '../addresses.js';
import { buildSolanaApproval, buildSolanaRevoke } from '../approval.js';
import { type SolanaInstruction, u64 } from '../instruction.js';
import type { RevokingInstruction } from './options.js';

const AMOUNT_AT = 1;
const LIMIT_OF_ONE = 1n;

/** The parts of a plan that its instruction depends on. */
type InstructionInput = {
  readonly wallet: { readonly address: string };
  readonly token: SolanaCurrency;
  readonly spender: string;
  readonly options: { readonly tokenAccount?: string | undefined };
  readonly units: bigint;
  readonly revokeWith: RevokingInstruction | undefined;
};

/** The instruction that the user signs. */
export function buildInstruction(
  plan: InstructionInput,
  programAddress: string,
): SolanaInstruction {
  const { wallet, token, spender, options, units, revokeWith } = plan;
  const { mint, decimals } = token;
  const { tokenAccount } = options;
  const owner = wallet.address;
  const account = { owner, mint, programAddress, tokenAccount };
  const isRevocation = revokeWith !== undefined;
  const amount = isRevocation ? LIMIT_OF_ONE : units;
  // Also for a revocation, because it checks the spender.
  const approval = buildSolanaApproval({ ...account, decimals, spender, amount });
  if (!isRevocation) return approval;
  if (revokeWith === 'revoke') return buildSolanaRevoke(account);
  // The public builder refuses zero, which nobody should approve by mistake.
  const data = approval.data.slice();
  data.set(u64(0n), AMOUNT_AT);
  return { ...approval, data };
}
