import { ChainError } from '../../delegation/chain-error.js';
import { type ErrorCause, errorCauses } from '../../delegation/error-causes.js';
import { WrongChainError } from '../../delegation/flow-wallet-errors.js';
import { WalletError } from '../../delegation/wallet-errors.js';
import { isPromptOpen, OPEN_PROMPT, ownErrorOf } from '../../delegation/wallet-refusals.js';
import type { Outcome } from '../../errors/index.js';
import type { EvmCall } from '../approval/calls.js';
import { isHash } from '../chain/json-rpc.js';
import { inBrackets, revertReason } from '../chain/revert.js';
import type { EvmWallet } from './wallet.js';

/**
 * JSON-RPC and EIP-1193 codes that mean that the wallet did nothing: unauthorized, unsupported, no
 * such method, invalid parameters. A wallet that disconnected (4900, 4901) may have sent before.
 */
const NOT_DONE: readonly unknown[] = [4100, 4200, -32004, -32601, -32602];
const NO_FUNDS =
  /insufficient funds|exceeds? (the )?(account )?balance|gas required exceeds allowance/i;
const OTHER_CHAIN = /ChainMismatchError|ChainNotConfigured|5710/;

/** Asks for a signature. If that fails, nothing was sent. */
export async function requestSignature(wallet: EvmWallet, text: string): Promise<string> {
  try {
    return await wallet.signMessage(text);
  } catch (error) {
    const detail = isPromptOpen(error) ? OPEN_PROMPT : 'it did not sign';
    throw ownErrorOf(error) ?? failed(detail, 'not_sent', error);
  }
}

/** Asks the wallet to send a call, and returns the hash of its transaction. */
export async function requestTransaction(wallet: EvmWallet, call: EvmCall): Promise<string> {
  let response: unknown;
  try {
    response = await wallet.sendTransaction(call);
  } catch (error) {
    throw ownErrorOf(error) ?? sendFailure(error, call);
  }
  if (isHash(response)) return response.toLowerCase();
  throw new WalletError('it returned no transaction hash', 'unknown');
}

function sendFailure(error: unknown, call: EvmCall): unknown {
  const causes = errorCauses(error);
  // A library that waits for the receipt throws after the transaction was mined.
  if (causes.some(({ isMined }) => isMined)) return failed('it did not confirm', 'unknown', error);
  if (causes.some(({ name, code }) => OTHER_CHAIN.test(`${name} ${code}`))) {
    return new WrongChainError('the wallet', String(call.chainId), 'another one');
  }
  if (causes.some(({ message, code }) => NO_FUNDS.test(message) || code === 'INSUFFICIENT_FUNDS')) {
    return insufficientFunds(error);
  }
  if (causes.some(isRevertedEstimate)) return wouldRevert(error);
  if (causes.some(isEstimate)) return failed('it did not estimate the fee', 'not_sent', error);
  if (isPromptOpen(error)) return failed(OPEN_PROMPT, 'unknown', error);
  const isNotDone = causes.some(({ code }) => NOT_DONE.includes(code));
  return isNotDone
    ? failed('it did not send', 'not_sent', error)
    : failed('it reported an error', 'unknown', error);
}

function failed(detail: string, outcome: Outcome, cause: unknown): WalletError {
  return new WalletError(detail, outcome, cause);
}

/** Wallets and libraries estimate the gas before they send. */
function isEstimate({ name, action }: ErrorCause): boolean {
  return name === 'EstimateGasExecutionError' || action === 'estimateGas';
}

/** Nodes run a call to estimate its gas. A revert in response to a request to send comes from that. */
function isRevertedEstimate({ name, code, action, message }: ErrorCause): boolean {
  if (code === 3 || name === 'ExecutionRevertedError') return true;
  if (code === 'CALL_EXCEPTION') return action === 'estimateGas';
  return typeof code === 'number' && /execution reverted|always failing transaction/i.test(message);
}

function wouldRevert(cause: unknown): ChainError {
  const reason = inBrackets(revertReason(cause));
  const message = `the network fee could not be estimated, because the approval would fail: the token refuses it${reason}. Nothing was sent and no fee was paid. The token may be paused, block this account, or require that the old limit is set to zero first (approvesOnlyFromZero).`;
  return new ChainError({ code: 'approval_would_revert', outcome: 'not_sent', message }, cause);
}

function insufficientFunds(cause: unknown): ChainError {
  const message =
    'the wallet cannot pay the network fee. Nothing was sent. Add some of the network’s native coin, or request it from the faucet, then resume.';
  return new ChainError({ code: 'insufficient_funds', outcome: 'not_sent', message }, cause);
}
