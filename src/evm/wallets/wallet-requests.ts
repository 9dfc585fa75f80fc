import { ChainError } from '../../delegation/chain-error.js';
import { errorCauses } from '../../delegation/error-causes.js';
import { UserRejectedError, WrongChainError } from '../../delegation/flow-wallet-errors.js';
import { isUserRejection } from '../../delegation/user-rejection.js';
import { WalletError } from '../../delegation/wallet-errors.js';
import { isCardPlatformError } from '../../errors/index.js';
import type { EvmCall } from '../approval/calls.js';
import { isHash } from '../chain/json-rpc.js';
import type { EvmWallet } from './wallet.js';

/**
 * JSON-RPC and EIP-1193 codes that mean that the wallet did nothing: unauthorized,
 * unsupported, disconnected, busy with an earlier prompt, no such method, invalid parameters.
 */
const NOT_DONE = new Set([4100, 4200, 4900, 4901, -32002, -32004, -32601, -32602]);
const NO_FUNDS = /insufficient funds|exceeds? (the )?balance/i;
const OTHER_CHAIN = /ChainMismatchError|ChainNotConfigured|5710/;

/** Asks for a signature. If that fails, nothing was sent. */
export async function requestSignature(wallet: EvmWallet, text: string): Promise<string> {
  try {
    return await wallet.signMessage(text);
  } catch (error) {
    throw refusalOf(error) ?? new WalletError('it did not sign', 'not_sent', error);
  }
}

/** Asks the wallet to send a call, and returns the hash of its transaction. */
export async function requestTransaction(wallet: EvmWallet, call: EvmCall): Promise<string> {
  let response: unknown;
  try {
    response = await wallet.sendTransaction(call);
  } catch (error) {
    throw refusalOf(error) ?? sendFailure(error, call);
  }
  if (isHash(response)) return response.toLowerCase();
  throw new WalletError('it returned no transaction hash', 'unknown');
}

function refusalOf(error: unknown): unknown {
  if (isCardPlatformError(error)) return error;
  return isUserRejection(error) ? new UserRejectedError(error) : undefined;
}

function sendFailure(error: unknown, call: EvmCall): unknown {
  const causes = errorCauses(error);
  if (causes.some(({ name, code }) => OTHER_CHAIN.test(`${name} ${code}`))) {
    return new WrongChainError('the wallet', String(call.chainId), 'another one');
  }
  if (causes.some(({ message, code }) => NO_FUNDS.test(message) || code === 'INSUFFICIENT_FUNDS')) {
    return insufficientFunds(error);
  }
  const isNotDone = causes.some(({ code }) => typeof code === 'number' && NOT_DONE.has(code));
  return new WalletError('it did not send', isNotDone ? 'not_sent' : 'unknown', error);
}

function insufficientFunds(cause: unknown): ChainError {
  const message =
    'the wallet cannot pay the network fee. Nothing was sent. Add some of the network’s native coin, or request it from the faucet, then resume.';
  return new ChainError({ code: 'insufficient_funds', outcome: 'not_sent', message }, cause);
}
