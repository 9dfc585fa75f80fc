/**
 * How a limit is revoked: `revoke` removes the delegate, `approve-zero` approves the same delegate with
 * an amount of zero.
 */
export type RevokingInstruction = 'revoke' | 'approve-zero';
