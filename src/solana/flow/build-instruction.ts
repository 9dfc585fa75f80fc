import { buildSolanaApproval, buildSolanaRevoke } from '../approval.js';
import type { SolanaInstruction } from '../instruction.js';
import { u64 } from '../little-endian.js';
import type { SolanaPlan } from './plan.js';

/**
 * How a limit is revoked: `revoke` removes the delegate, `approve-zero` approves the same delegate with
 * an amount of zero.
 */
export type RevokingInstruction = 'revoke' | 'approve-zero';

const AMOUNT_AT = 1;
const LIMIT_OF_ONE = 1n;

/** The instruction that the user signs. */
export function buildInstruction(
  plan: Pick<SolanaPlan, 'wallet' | 'token' | 'delegate' | 'options' | 'units' | 'revokeWith'>,
  programAddress: string,
): SolanaInstruction {
  const { wallet, token, delegate, options, units, revokeWith } = plan;
  const { mint, decimals } = token;
  const { tokenAccount } = options;
  const owner = wallet.address;
  const account = { owner, mint, programAddress, tokenAccount };
  const isRevocation = revokeWith !== undefined;
  const amount = isRevocation ? LIMIT_OF_ONE : units;
  // Also for a revocation, because it checks the delegate.
  const approval = buildSolanaApproval({ ...account, decimals, delegate, amount });
  if (!isRevocation) return approval;
  if (revokeWith === 'revoke') return buildSolanaRevoke(account);
  // The public builder refuses zero, which nobody should approve by mistake.
  const data = approval.data.slice();
  data.set(u64(0n), AMOUNT_AT);
  return { ...approval, data };
}
