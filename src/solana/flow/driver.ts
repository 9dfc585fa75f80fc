import type { DelegationDriver } from '../../delegation/driver.js';
import { confirm, findRevived, isDropped } from './confirm.js';
import { findApproval } from './find-approval.js';
import { hasGas } from './gas.js';
import { acceptsMessage, checkNonce, signMessage } from './message.js';
import { SOLANA_NETWORK } from './network.js';
import type { SolanaPlan } from './plan.js';
import { SOLANA_SAVED_STATE } from './saved-state.js';
import { sendApproval } from './send-approval.js';
import { readTokenState, remainingLimit, requireFreeDelegate } from './token-state.js';
import { compare, verify } from './verify.js';

/** The driver for Solana. */
export function solanaDriver(plan: SolanaPlan, isChainOnly: boolean): DelegationDriver {
  const { options, wallet, token, delegate, wireAmount, units, revokeWith } = plan;
  const { client, currency, tokenAccount = 'default' } = options;
  const { address } = wallet;
  const request = { address, network: SOLANA_NETWORK, currency, amount: wireAmount };
  const { mint, decimals } = token;
  const how: Record<string, string> = revokeWith === undefined ? {} : { revokeWith };
  return {
    savedState: SOLANA_SAVED_STATE,
    request: { ...request, mint, delegate, tokenAccount, allowance: units.toString(), ...how },
    // A token account has one delegate, so two flows with different delegates collide too.
    flightKey: [address, mint, tokenAccount].join(' '),
    proof: revokeWith === undefined ? request : { ...request, isRevocation: true },
    limit: { units, decimals },
    isChainOnly,
    checkToken: (issued) => checkNonce(plan, issued),
    async checkChain(context) {
      requireFreeDelegate(plan, await readTokenState(plan, context));
    },
    signMessage: (issued, context) => signMessage(plan, issued, context),
    acceptsMessage: (message, issued, context) => acceptsMessage(plan, message, issued, context),
    hasGas: (context) => hasGas(plan, context),
    remainingLimit: (context) => remainingLimit(plan, context),
    approve: (context) => sendApproval(plan, context),
    findApproval: (context) => findApproval(plan, context),
    findRevived: (context) => findRevived(plan, context),
    isDropped: (signature, context) => isDropped(plan, signature, context),
    confirm: (signature, context) => confirm(plan, signature, context),
    compare: (signature, context) => compare(plan, signature, context),
    verify: (signature, context) => verify(plan, signature, context),
    isOwner: (other) => other === address,
    submit: (body, callOptions) => client.delegation.submitSolanaApproval(body, callOptions),
  };
}
