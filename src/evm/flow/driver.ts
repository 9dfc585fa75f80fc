import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { CHAIN_IDS } from '../../contract/lists.js';
import type { DelegationDriver, DriverContext } from '../../delegation/driver.js';
import { approveCall } from '../approval/calls.js';
import { ChainReader } from '../chain/reader.js';
import { checkChain } from './check-chain.js';
import { confirm } from './confirm.js';
import { isDropped } from './dropped.js';
import { findApproval } from './find-approval.js';
import { acceptsMessage, checkNonce, signMessage } from './message.js';
import type { EvmPlan } from './plan.js';
import { EVM_SAVED_STATE } from './saved-state.js';
import { sendApproval } from './send-approval.js';
import { compare, isAdopted, verify } from './verify.js';

/** The driver for EVM chains. */
export function evmDriver(plan: EvmPlan): DelegationDriver {
  const { options, owner, token, spender, chainId, wireAmount } = plan;
  const { network, currency, client } = options;
  const place = { chainId: String(chainId), token, spender };
  // `networks` may give a network of the contract another chain, for example a test network. The flow
  // has built and checked the message itself.
  const isOtherChain = (CHAIN_IDS[network] ?? chainId) !== chainId;
  const readerFor = (context: DriverContext) =>
    new ChainReader(
      options.publicClient,
      (what, read) => context.read(what, read),
      () => context.sleep(plan.pollingInterval),
    );
  return {
    savedState: EVM_SAVED_STATE,
    request: {
      address: owner,
      network,
      currency,
      amount: wireAmount,
      ...place,
      allowance: plan.allowance.toString(),
    },
    flightKey: [chainId, owner, token, spender].join(' '),
    proof: { address: owner, network, currency, amount: wireAmount },
    checkToken: (issued) => checkNonce(plan, issued),
    checkChain: (context) => checkChain(plan, readerFor(context), context),
    signMessage: (issued, context) => signMessage(plan, readerFor(context), issued, context),
    acceptsMessage: (message, issued, context) => acceptsMessage(plan, message, issued, context),
    approve: (context) => sendApproval(plan, readerFor(context), context),
    findApproval: (context) => findApproval(plan, readerFor(context), context),
    isDropped: (hash, context) => isDropped(plan, readerFor(context), context, hash),
    mayDiffer: ({ approval, notes }) =>
      approval?.transactionId !== undefined && isAdopted(plan, notes['approved'])
        ? ['amount', 'allowance']
        : [],
    async confirm(sent, context) {
      const { hash } = await confirm(plan, readerFor(context), context, approveCall(plan), sent);
      return hash;
    },
    compare: (hash, context) => compare(plan, readerFor(context), context, hash),
    verify: (hash, context) => verify(plan, readerFor(context), context, hash),
    isOwner: (address) => equalsIgnoringCase(address, owner),
    submit: (proof, callOptions) => {
      const input = isOtherChain ? { ...proof, checkMessage: false } : proof;
      return client.delegation.submitEvmApproval(input, callOptions);
    },
  };
}
