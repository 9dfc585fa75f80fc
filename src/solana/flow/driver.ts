import type { DelegationDriver } from '../../delegation/driver.js';
import { SOLANA_NETWORK } from './chain-config.js';
import { confirm, findRestored, hasDisappeared } from './confirm.js';
import { canPay, estimateFee, hasGas } from './fee.js';
import { findApproval, findEqualApproval } from './find-approval.js';
import type { SolanaPlan } from './plan.js';
import { SOLANA_SAVED_STATE } from './saved-state.js';
import { sendApproval } from './send-approval.js';
import { acceptsMessage, checkNonce, signMessage } from './sign-message.js';
import {
  limitOf,
  readTokenState,
  remainingLimit,
  requireFreeDelegate,
  tokenAccountName,
} from './token-state.js';
import { compare, verify } from './verify.js';

/** The driver for Solana. */
export function solanaDriver(plan: SolanaPlan, isChainOnly: boolean): DelegationDriver {
  const { options, wallet, token, spender, wireAmount, units, revokeWith } = plan;
  const { client, currency } = options;
  const tokenAccount = tokenAccountName(plan);
  const { address } = wallet;
  const request = { address, network: SOLANA_NETWORK, currency, amount: wireAmount };
  const { mint, decimals } = token;
  const how: Record<string, string> = revokeWith === undefined ? {} : { revokeWith };
  return {
    savedState: SOLANA_SAVED_STATE,
    request: { ...request, mint, spender, tokenAccount, allowance: units.toString(), ...how },
    // A token account has one delegate, so two flows with different delegates collide too.
    lockKey: [address, mint, tokenAccount].join(' '),
    proof: revokeWith === undefined ? request : { ...request, isRevocation: true },
    limit: { units, decimals },
    isChainOnly,
    checkToken: (issued) => checkNonce(plan, issued),
    async checkChain(context) {
      const state = await readTokenState(plan, context);
      requireFreeDelegate(plan, state);
      const { lamports } = state;
      return {
        currentLimit: limitOf(plan, state),
        canPay: lamports === undefined ? undefined : canPay(lamports, estimateFee(plan)),
      };
    },
    signMessage: (issued, context) => signMessage(plan, issued, context),
    acceptsMessage: (message, issued, context) => acceptsMessage(plan, message, issued, context),
    hasGas: (context) => hasGas(plan, context),
    remainingLimit: (context) => remainingLimit(plan, context),
    approve: (context) => sendApproval(plan, context),
    findEqualApproval: (context) => findEqualApproval(plan, context),
    findApproval: (context) => findApproval(plan, context),
    findRestored: (context) => findRestored(plan, context),
    hasDisappeared: (signature, context) => hasDisappeared(plan, signature, context),
    confirm: (signature, context) => confirm(plan, signature, context),
    compare: (signature, context) => compare(plan, signature, context),
    verify: (signature, context) => verify(plan, signature, context),
    isOwner: (other) => other === address,
    submit: (body, callOptions) => client.delegation.submitSolanaApproval(body, callOptions),
  };
}
