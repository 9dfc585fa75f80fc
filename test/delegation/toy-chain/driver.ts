import type { DelegationDriver } from '../../../src/delegation/driver.js';
import { confirm } from './confirm.js';
import { findApproval, hasDisappeared } from './find-approval.js';
import { acceptsMessage, checkNonce, signMessage } from './message.js';
import { TOY_CURRENCY, TOY_NETWORK, TOY_SAVED_STATE, type ToyDelegation } from './plan.js';
import { checkNodeChain } from './reads.js';
import { checkWalletChain, sendApproval } from './send-approval.js';
import { compare, verify } from './verify.js';

/** The driver for the toy chain: all that a third kind of chain needs. */
export function toyDriver(plan: ToyDelegation): DelegationDriver {
  const { owner, spender, chainId, client } = plan;
  const amount = plan.amount.toString();
  const place = { address: owner, network: TOY_NETWORK, currency: TOY_CURRENCY, amount };
  return {
    savedState: TOY_SAVED_STATE,
    request: { ...place, spender, chainId },
    lockKey: [chainId, owner, spender].join(' '),
    proof: place,
    limit: { units: plan.amount, decimals: 0 },
    checkToken: checkNonce,
    async checkChain(context) {
      await checkWalletChain(plan, context);
      await checkNodeChain(plan, context, 'not_sent');
      return { currentLimit: undefined, canPay: undefined };
    },
    signMessage: (token, context) => signMessage(plan, token, context),
    acceptsMessage: (message, token, context) => acceptsMessage(plan, message, token, context),
    approve: (context) => sendApproval(plan, context),
    findEqualApproval: async () => undefined,
    findApproval: (context) => findApproval(plan, context),
    hasDisappeared: (id, context) => hasDisappeared(plan, context, id),
    confirm: (id, context) => confirm(plan, context, id),
    compare: (id, context) => compare(plan, context, id),
    verify: (id, context) => verify(plan, context, id),
    isOwner: (address) => address === owner,
    // The service has no endpoint for this chain. This test sends the proof to one of its other
    // proof endpoints, with the name of a network that was added to the client.
    submit: (proof, options) =>
      client.delegation.submitEvmApproval({ ...proof, checkMessage: false }, options),
  };
}
