import { keccak256, parseTransaction } from 'viem';
import { ChainError } from '../../delegation/chain-error.js';
import { type ErrorCause, errorCauses } from '../../delegation/error-causes.js';
import { insufficientFunds, WalletError, WrongChainError } from '../../delegation/wallet-errors.js';
import {
  hasDeviceRefused,
  isPromptOpen,
  knownErrorOf,
  OPEN_PROMPT,
} from '../../delegation/wallet-refusals.js';
import type { Outcome } from '../../errors/index.js';
import type { EvmCall } from '../approval/calls.js';
import { isHash, isHex } from '../chain/json-rpc.js';
import { inBrackets, revertReason } from '../chain/revert.js';
import type { EvmWallet } from './wallet.js';

/**
 * JSON-RPC and EIP-1193 codes that mean that the wallet did nothing: unauthorized, unsupported, no
 * such method, invalid parameters. A wallet that disconnected (4900, 4901) may have sent before.
 */
const NOT_DONE: readonly unknown[] = [4100, 4200, -32004, -32601, -32602];
const NO_FUNDS =
  /insufficient ?funds|exceeds? (the )?(account )?balance|gas required exceeds allowance/i;
/**
 * Texts with which nodes refuse a transaction before it is in their pool: go-ethereum, Erigon, Reth,
 * anvil, Besu and Nethermind.
 */
const REFUSED =
  /(fee per gas|fee cap) less than block base fee|gas price below (current base fee|configured minimum)|\btransaction underpriced|\bFeeTooLow|intrinsic gas (too low|exceeds)|exceeds the configured cap|transaction fee cap exceeded|exceeds block gas limit|\bGasLimitExceeded|priority fee per gas higher than max fee|tip higher than fee cap|(fee per gas|fee cap) higher than 2\^|\boversized data|\binvalid sender\b|nonce has max value|transaction type not (supported|valid)|gas uint64 overflow/i;
/** The classes of viem for such texts. */
const REFUSED_BY_NODE =
  /^(FeeCapTooHigh|FeeCapTooLow|IntrinsicGasTooLow|TipAboveFeeCap|TransactionTypeNotSupported|NonceMaxValue)Error$/;
/** The same transaction, or another one in its place, can be in a pool or a block. */
const ALREADY_THERE =
  /already (known|imported|exists)|known transaction|nonce too low|\bOldNonce\b|\bAlreadyKnown\b/i;
const OTHER_CHAIN = /ChainMismatchError|ChainNotConfigured|5710/;

/** Asks for a signature. If that fails, nothing was sent. */
export async function requestSignature(wallet: EvmWallet, text: string): Promise<string> {
  try {
    return await wallet.signMessage(text);
  } catch (error) {
    const detail = isPromptOpen(error) ? OPEN_PROMPT : 'it did not sign';
    throw knownErrorOf(error) ?? failed(detail, 'not_sent', error);
  }
}

/** Asks the wallet to send a call, and returns the hash of its transaction. */
export async function requestTransaction(wallet: EvmWallet, call: EvmCall): Promise<string> {
  let response: unknown;
  try {
    response = await wallet.sendTransaction(call);
  } catch (error) {
    throw knownErrorOf(error, 'may-have-sent') ?? sendFailure(error, call);
  }
  if (isHash(response)) return response.toLowerCase();
  throw new WalletError('it returned no transaction hash', 'unknown');
}

/** A transaction that the account has signed, and the hash that it will have. */
export type SignedTransaction = { readonly raw: `0x${string}`; readonly hash: `0x${string}` };

/** An approval takes about 400 characters; a wallet may append data to it. */
const LONGEST_SIGNED = 10_000;

/** Whether a value can be a signed transaction, which a saved state can hold. */
export function isSignedTransaction(value: unknown): value is `0x${string}` {
  return isHex(value) && value !== '0x' && value.length <= LONGEST_SIGNED;
}

/** The hash of a signed transaction. */
export function hashOf(raw: `0x${string}`): `0x${string}` {
  return keccak256(raw);
}

/** The nonce of a signed transaction; `undefined` for a type that only its own chain knows. */
export function nonceOf(raw: `0x${string}`): number | undefined {
  try {
    return parseTransaction(raw).nonce ?? 0;
  } catch {
    return undefined;
  }
}

/** Asks an account that signs by itself for a transaction. If that fails, nothing was sent. */
export async function requestSigned(
  sign: NonNullable<EvmWallet['signTransaction']>,
  call: EvmCall,
): Promise<SignedTransaction> {
  let raw: unknown;
  try {
    raw = await sign(call);
  } catch (error) {
    const failure = knownErrorOf(error) ?? sendFailure(error, call);
    const isProved = failure instanceof ChainError && failure.outcome === 'not_sent';
    throw isProved ? failure : failed('it did not sign the transaction', 'not_sent', error);
  }
  if (isSignedTransaction(raw)) return { raw, hash: hashOf(raw) };
  throw new WalletError(
    `it returned no signed transaction of at most ${LONGEST_SIGNED} characters`,
    'not_sent',
  );
}

/**
 * The error of a node that checked a signed transaction and did not take it; `undefined` if the
 * transaction may be on its way.
 */
export function refusalOfNode(error: unknown, call: EvmCall): ChainError | undefined {
  const causes = errorCauses(error);
  const texts = causes.some(({ message }) => REFUSED.test(message) || NO_FUNDS.test(message));
  if (!texts || causes.some(isAlreadyThere)) return undefined;
  const failure = sendFailure(error, call);
  return failure instanceof ChainError && failure.outcome === 'not_sent' ? failure : undefined;
}

function isAlreadyThere({ message, code }: ErrorCause): boolean {
  return ALREADY_THERE.test(message) || code === 'NONCE_EXPIRED';
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
  if (hasDeviceRefused(error)) {
    return failed(
      'its hardware wallet did not sign: unlock it and open the right app',
      'not_sent',
      error,
    );
  }
  if (isPromptOpen(error)) return failed(OPEN_PROMPT, 'unknown', error);
  if (causes.some(isAlreadyThere)) return failed('it reported an error', 'unknown', error);
  if (causes.some(isRefusedByNode)) {
    return failed(
      'its node refused the fee or the gas limit of the transaction',
      'not_sent',
      error,
    );
  }
  const isNotDone = causes.some(({ code }) => NOT_DONE.includes(code));
  return isNotDone
    ? failed('it did not send', 'not_sent', error)
    : failed('it reported an error', 'unknown', error);
}

function failed(detail: string, outcome: Outcome, cause: unknown): WalletError {
  return new WalletError(detail, outcome, cause);
}

/** A node that checks a transaction, and does not put it into its pool. */
function isRefusedByNode({ name, message }: ErrorCause): boolean {
  return REFUSED_BY_NODE.test(name) || REFUSED.test(message);
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
