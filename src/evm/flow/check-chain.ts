import { ChainError } from '../../delegation/chain-error.js';
import {
  ChainReadError,
  UnsupportedSignatureError,
  WrongChainError,
} from '../../delegation/wallet-errors.js';
import type { Outcome } from '../../errors/index.js';
import type { ChainFacts } from '../chain/chain-facts.js';
import type { ChainReader } from '../chain/reader.js';
import { chainDetailsFrom, chainOf, switchNetwork } from '../wallets/switch-network.js';
import type { EvmPlan, EvmRun } from './plan.js';

/**
 * Checks, before the wallet is asked, that wallet and node are on the chain, that the token has the
 * decimals with which the amount was scaled, and that the spender is a contract. With other decimals
 * the wallet would approve a multiple of the amount: 10^12 times as much for 18 in place of 6.
 */
export async function checkChain(run: EvmRun): Promise<ChainFacts> {
  await checkWalletChain(run);
  return checkNode(run.plan, run.reader);
}

/** Whether the account has a key of its own. An account with EIP-7702 code has one. */
export function hasOwnKey({ ownerCode = '0x' }: ChainFacts): boolean {
  return ownerCode === '0x' || isDelegatedCode(ownerCode);
}

/**
 * Checks that the account has a key of its own, without which the service accepts no signature.
 *
 * @throws UnsupportedSignatureError
 */
export function checkOwnKey(facts: ChainFacts): void {
  if (hasOwnKey(facts)) return;
  throw new UnsupportedSignatureError('the account is a contract, which has no key', 'eip-1271');
}

/** Whether the code of an account says that it has delegated to a contract (EIP-7702). */
export function isDelegatedCode(code: string): boolean {
  return code.toLowerCase().startsWith('0xef0100');
}

/** The parts of a plan that are checked on the chain, without a wallet. */
type CheckedOnChain = Pick<EvmPlan, 'owner' | 'chainId' | 'token' | 'spender' | 'decimals'> & {
  readonly options: Pick<EvmPlan['options'], 'allowSpenderWithoutCode'>;
};

/** Checks the node, the token and the spender. */
export async function checkNode(plan: CheckedOnChain, reader: ChainReader): Promise<ChainFacts> {
  const found = await reader.facts(plan);
  const { chainId, decimals, spenderHasCode } = found;
  if (chainId !== plan.chainId) throw wrongChain(NODE, plan, chainId);
  if (decimals === undefined) {
    throw new ChainReadError('the decimals: is the token on this chain?', 'not_sent');
  }
  if (decimals !== BigInt(plan.decimals)) throw decimalsDiffer(plan.decimals, decimals);
  if (!spenderHasCode && plan.options.allowSpenderWithoutCode !== true) throw noContract();
  return found;
}

/**
 * Checks the wallet alone: the user may switch it at any time. With the option `switchNetwork`, asks
 * it to switch.
 */
export async function checkWalletChain({ plan, context }: EvmRun): Promise<void> {
  const { chainId, wallet, options } = plan;
  const actual = await chainOf(wallet, context);
  if (actual === chainId) return;
  const { switchNetwork: option = false } = options;
  if (option === false) throw wrongChain('the wallet', plan, actual);
  await switchNetwork(wallet, chainId, chainDetailsFrom(option, wallet, chainId), context);
}

/** Checks the node alone, after the wallet was asked: data of another chain proves nothing. */
export async function checkNodeChain({ plan, reader }: EvmRun): Promise<void> {
  const actual = await reader.chainId();
  if (actual !== plan.chainId) throw wrongChain(NODE, plan, actual, 'unknown');
}

const NODE = 'the node that reads the chain';

function wrongChain(
  who: string,
  { chainId }: Pick<EvmPlan, 'chainId'>,
  actual: number,
  outcome: Outcome = 'not_sent',
): WrongChainError {
  const advice = who === NODE ? 'Pass a node of the requested chain, then continue.' : undefined;
  return new WrongChainError(who, String(chainId), String(actual), outcome, advice);
}

function decimalsDiffer(expected: number, actual: bigint): ChainError {
  return new ChainError({
    code: 'token_decimals_differ',
    outcome: 'not_sent',
    message: `the token has ${actual} decimals on the chain, and ${expected} in the networks of this flow: another amount would be approved. Nothing was sent and the wallet was not asked. Correct the decimals in networks.`,
  });
}

function noContract(): ChainError {
  return new ChainError({
    code: 'spender_without_code',
    outcome: 'not_sent',
    message:
      'the spender has no code on this chain, so it is not the contract of the platform. Nothing was sent and the wallet was not asked. Check the spender and the network.',
  });
}
