import { invalid, requireDuration, requirePositiveInteger } from '../../delegation/check-values.js';
import { checkDomain, currentPage, domainOf } from '../../delegation/domain.js';
import type { DriverContext } from '../../delegation/driver.js';
import { wireAmountOf } from '../../delegation/submit-proof.js';
import { checkAddress } from '../address.js';
import {
  type ApprovalPlan,
  type EvmSpendingLimit,
  largestOf,
  planApproval,
  planSpender,
} from '../approval/spending-limit.js';
import type { ChainReader } from '../chain/reader.js';
import { buildSiweMessage } from '../siwe/build.js';
import { chainDetailsFrom } from '../wallets/switch-network.js';
import { toEvmWallet } from '../wallets/to-evm-wallet.js';
import type { EvmWallet } from '../wallets/wallet.js';
import type { EvmDelegationOptions } from './options.js';
import { type OnNetwork, resolveLimit, withNetwork } from './resolve-limit.js';

/** A delegation with checked input. */
export type EvmPlan = ApprovalPlan & {
  readonly options: OnNetwork<EvmDelegationOptions>;
  readonly wallet: EvmWallet;
  /** The account that delegates, in its EIP-55 form. */
  readonly owner: `0x${string}`;
  /** The limit as the service gets it. */
  readonly wireAmount: string;
  /** Whether the limit is set to zero. */
  readonly isRevocation: boolean;
  /** The host in the message, and the page on it. */
  readonly domain: string;
  readonly uri: string;
  readonly statement: string;
  readonly messageLifetime: number;
  readonly confirmations: bigint;
  readonly confirmationTimeout: number;
  readonly pollingInterval: number;
};

const STATEMENT = 'Prove address ownership';

/**
 * Checks everything that can be checked before the wallet is asked. It may read which chain the node is
 * on, and the chain configuration of the service.
 */
export async function planDelegation(
  given: EvmDelegationOptions,
  isRevocation: boolean,
): Promise<EvmPlan> {
  const wallet = await toEvmWallet(given.wallet, given.address);
  const owner = checkAddress('address', wallet.address);
  const site = siteOf(given);
  checkDomain(site.domain);
  const options = await withNetwork(given);
  const limit = await resolveLimit(options);
  const approval = isRevocation ? planRevocation(limit) : planApproval(limit);
  if (approval.spender === owner) invalid('spender', 'is the wallet itself');
  // For its errors: only a later step needs the details.
  chainDetailsFrom(options.switchNetwork ?? false, wallet, approval.chainId);
  const plan = {
    ...approval,
    options,
    ...site,
    wallet,
    owner,
    isRevocation,
    wireAmount: wireAmountOf(approval.units, approval.decimals, options.wireAmount),
    statement: options.statement ?? STATEMENT,
    ...waitsOf(options),
  };
  // For its errors: the real nonce and times are not known yet.
  buildMessage(plan, 'nonce12345', 0, 1);
  return plan;
}

function planRevocation(limit: EvmSpendingLimit): ApprovalPlan {
  const place = planSpender(limit);
  return { ...place, units: 0n, allowance: 0n, largest: largestOf(limit, place.decimals) };
}

/** How long the flow waits, and for how many confirmations. */
export function waitsOf(options: EvmDelegationOptions) {
  const { messageLifetime = 120_000, confirmations = 1 } = options;
  const { confirmationTimeout = 180_000, pollingInterval = 2_000 } = options;
  return {
    messageLifetime: requireDuration('messageLifetime', messageLifetime),
    confirmations: BigInt(requirePositiveInteger('confirmations', confirmations)),
    confirmationTimeout: requireDuration('confirmationTimeout', confirmationTimeout),
    pollingInterval: requireDuration('pollingInterval', pollingInterval),
  };
}

/** The page that asks. Only the caller knows it where there is none. */
function siteOf(options: EvmDelegationOptions): { domain: string; uri: string } {
  const domain = domainOf(options);
  const page = options.domain === undefined ? currentPage() : undefined;
  return { domain, uri: options.uri ?? page?.origin ?? `https://${domain}` };
}

/** The message of a plan. */
export function buildMessage(plan: EvmPlan, nonce: string, from: number, until: number): string {
  const { options, owner, chainId, statement, domain, uri } = plan;
  const { allowAnyNonce, messageRules } = options;
  return buildSiweMessage(
    {
      domain,
      uri,
      chainId,
      nonce,
      statement,
      address: owner,
      version: '1',
      issuedAt: new Date(from).toISOString(),
      expirationTime: new Date(until).toISOString(),
    },
    { allowAnyNonce, rules: messageRules },
  );
}

/** What a step of the driver works with: the checked input, the node, and what the flow provides. */
export type EvmRun = {
  readonly plan: EvmPlan;
  readonly reader: ChainReader;
  readonly context: DriverContext;
};
