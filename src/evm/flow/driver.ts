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
import { findRevived, noteEnd } from './revived.js';
import { EVM_SAVED_STATE } from './saved-state.js';
import { ApprovalSender } from './send-approval.js';
import { compare, verify } from './verify.js';

/** The driver for EVM chains. */
export function evmDriver(plan: EvmPlan, isChainOnly: boolean): DelegationDriver {
  const { options, owner, token, spender, chainId, wireAmount, isRevocation } = plan;
  const { network, currency, client } = options;
  const { units, decimals, allowance } = plan;
  const place = { chainId: String(chainId), token, spender };
  const proof = { address: owner, network, currency, amount: wireAmount };
  // `networks` may give a network of the contract another chain, for example a test network. The flow
  // has built and checked the message itself.
  const isOtherChain = (CHAIN_IDS[network] ?? chainId) !== chainId;
  const readerFor = (context: DriverContext) =>
    new ChainReader(
      options.publicClient,
      (what, read) => context.read(what, read),
      () => context.sleep(plan.pollingInterval),
    );
  const approval = new ApprovalSender(plan);
  return {
    savedState: EVM_SAVED_STATE,
    request: { ...proof, ...place, allowance: allowance.toString() },
    flightKey: [chainId, owner, token, spender].join(' '),
    proof: { ...proof, ...(isRevocation ? { isRevocation } : {}) },
    limit: { units, decimals, allowance },
    isChainOnly,
    checkToken: (issued) => checkNonce(plan, issued),
    async checkChain(context) {
      const reader = readerFor(context);
      const { approvalPasses } = await checkChain(plan, reader, context);
      await approval.check(reader, context, approvalPasses);
    },
    signMessage: (issued, context) => signMessage(plan, readerFor(context), issued, context),
    acceptsMessage: (message, issued, context) => acceptsMessage(plan, message, issued, context),
    hasGas: (context) => approval.hasGas(readerFor(context)),
    remainingLimit: (context) => readerFor(context).allowance(token, owner, spender, 'latest'),
    approve: (context) => approval.send(readerFor(context), context),
    findApproval: (context) => findApproval(plan, readerFor(context), context),
    isDropped: (hash, context) => isDropped(plan, readerFor(context), context, hash),
    async confirm(sent, context) {
      const reader = readerFor(context);
      const waiting = confirm(plan, reader, context, approveCall(plan), sent);
      return (await waiting.catch((error) => noteEnd(context, sent, error))).hash;
    },
    findRevived: (context) => findRevived(readerFor(context), context),
    compare: (hash, context) => compare(plan, readerFor(context), context, hash),
    verify: (hash, context) => verify(plan, readerFor(context), context, hash),
    isOwner: (address) => equalsIgnoringCase(address, owner),
    submit: (body, callOptions) => {
      const input = isOtherChain ? { ...body, checkMessage: false } : body;
      return client.delegation.submitEvmApproval(input, callOptions);
    },
  };
}
