import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { CHAIN_IDS } from '../../contract/lists.js';
import type { DelegationDriver, DriverContext } from '../../delegation/driver.js';
import { approveCall } from '../approval/calls.js';
import { ChainReader } from '../chain/reader.js';
import { checkChain, checkOwnKey } from './check-chain.js';
import { confirm } from './confirm.js';
import { hasDisappeared } from './disappeared.js';
import type { EvmRun } from './evm-run.js';
import { findApproval, findEqualApproval } from './find-approval.js';
import { acceptsMessage, checkNonce, signMessage } from './message.js';
import type { EvmPlan } from './plan.js';
import { findRestored, noteEnd } from './restored.js';
import { EVM_SAVED_STATE } from './saved-state.js';
import { ApprovalSender } from './send-approval.js';
import { compare, verify } from './verify.js';

/** Wallet, asset and spender of a delegation. */
export function placeKey(place: {
  chainId: number;
  owner: string;
  token: string;
  spender: string;
}): string {
  return [place.chainId, place.owner, place.token, place.spender].join(' ');
}

/** The driver for EVM chains. */
export function evmDriver(plan: EvmPlan, isChainOnly: boolean): DelegationDriver {
  const { options, owner, token, spender, chainId, wireAmount, isRevocation } = plan;
  const { network, currency, client } = options;
  const { units, decimals, allowance } = plan;
  const place = { chainId: String(chainId), token, spender };
  const proof = { address: owner, network, currency, amount: wireAmount };
  // `networks` may give a network of the API contract another chain, for example a test network.
  // The client would refuse a message for that chain. The flow has built and checked it itself.
  const isOtherChain = (CHAIN_IDS[network] ?? chainId) !== chainId;
  const runIn = (context: DriverContext): EvmRun => {
    const pause = () => context.sleep(plan.pollingInterval);
    const reader = new ChainReader(options.node, context.read, pause);
    return { plan, reader, context };
  };
  const approval = new ApprovalSender();
  return {
    savedState: EVM_SAVED_STATE,
    request: { ...proof, ...place, allowance: allowance.toString() },
    lockKey: placeKey(plan),
    proof: { ...proof, ...(isRevocation ? { isRevocation } : {}) },
    limit: { units, decimals, allowance },
    isChainOnly,
    checkToken: (issued) => checkNonce(plan, issued),
    async checkChain(context) {
      const run = runIn(context);
      const facts = await checkChain(run);
      if (!isChainOnly) checkOwnKey(facts);
      return approval.look(run, facts);
    },
    signMessage: (issued, context) => signMessage(runIn(context), issued),
    acceptsMessage: (message, issued, context) => acceptsMessage(runIn(context), message, issued),
    hasGas: (context) => approval.hasGas(runIn(context)),
    remainingLimit: (context) => runIn(context).reader.allowance(plan),
    approve: (context) => approval.send(runIn(context)),
    findEqualApproval: (context) => findEqualApproval(runIn(context)),
    findApproval: (context) => findApproval(runIn(context)),
    hasDisappeared: (hash, context) => hasDisappeared(runIn(context), hash),
    async confirm(sent, context) {
      const waiting = confirm(runIn(context), approveCall(plan), sent);
      return (await waiting.catch((error) => noteEnd(context, sent, error))).hash;
    },
    findRestored: (context) => findRestored(runIn(context)),
    compare: (hash, context) => compare(runIn(context), hash),
    verify: (hash, context) => verify(runIn(context), hash),
    isOwner: (address) => equalsIgnoringCase(address, owner),
    submit: (body, callOptions) => {
      const input = isOtherChain ? { ...body, checkMessage: false } : body;
      return client.delegation.submitEvmApproval(input, callOptions);
    },
  };
}
