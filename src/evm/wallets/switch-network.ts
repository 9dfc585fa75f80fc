import { throwIfAborted } from '../../contract/formats/abort-reason.js';
import { invalid, requireDuration, requirePositiveInteger } from '../../delegation/check-values.js';
import type { DriverContext } from '../../delegation/driver.js';
import { errorCauses } from '../../delegation/error-causes.js';
import { type PromptLimits, untilPromptEnds } from '../../delegation/prompt-timeout.js';
import { createReadingContext } from '../../delegation/reading-context.js';
import { ChainReadError, WalletError, WrongChainError } from '../../delegation/wallet-errors.js';
import { isPromptOpen, knownErrorOf, OPEN_PROMPT } from '../../delegation/wallet-refusals.js';
import { checkChainDetails, type EvmChainDetails, type ViemChain } from './chain-details.js';
import { type AnyEvmWallet, toNetworkWallet } from './to-evm-wallet.js';
import type { NetworkWallet } from './wallet.js';

/** The options of `switchEvmNetwork`. */
export type SwitchEvmNetworkOptions = PromptLimits & {
  /** A viem wallet client, an EIP-1193 provider, or a plain object with `switchChain`. */
  wallet: AnyEvmWallet;
  /** The chain to switch to, for example `EVM_NETWORKS.linea.chainId`. */
  chainId: number;
  /**
   * The details of the network, or a chain of `viem/chains`, for a wallet that does not know it.
   * Default the `chain` of a viem wallet client if it is this one.
   */
  details?: EvmChainDetails | ViemChain | undefined;
};

/**
 * Asks the wallet to switch to a chain (`wallet_switchEthereumChain`), and to add it first if the
 * wallet does not know it (`wallet_addEthereumChain`). Does nothing if the wallet is on the chain.
 * Reads the wallet's chain id again afterwards, because some wallets report switches that did not
 * happen. `delegateEvm` does the same with its option `switchNetwork`.
 *
 * @throws RequestValidationError for invalid input, before the wallet is asked.
 * @throws ChainError `UserRejectedError` when the user declines, `WrongChainError` when the wallet
 *   cannot switch, does not know the network, or did not switch, `PromptTimeoutError`, or the codes
 *   `wallet_failed` and `chain_unreadable`. The outcome is always `not_sent`.
 *
 * @example
 * ```ts
 * import { type Eip1193Provider, EVM_NETWORKS, switchEvmNetwork } from 'card-platform-sdk/evm';
 * import { linea } from 'viem/chains';
 *
 * function useLinea(wallet: Eip1193Provider): Promise<void> {
 *   return switchEvmNetwork({ wallet, chainId: EVM_NETWORKS.linea.chainId, details: linea });
 * }
 * ```
 */
export async function switchEvmNetwork(options: SwitchEvmNetworkOptions): Promise<void> {
  const { chainId, promptTimeout, runtime, signal }: SwitchEvmNetworkOptions = Object(options);
  requirePositiveInteger('chainId', chainId);
  if (promptTimeout !== undefined) requireDuration('promptTimeout', promptTimeout);
  const wallet = toNetworkWallet(options.wallet);
  const details = chainDetailsFrom(options.details ?? true, wallet, chainId, 'details');
  const context = {
    ...createReadingContext({ runtime, signal }),
    prompt: <T>(ask: () => Promise<T>) => {
      throwIfAborted(signal);
      return untilPromptEnds(ask(), options, 'not_sent');
    },
  };
  if ((await chainOf(wallet, context)) === chainId) return;
  await switchNetwork(wallet, chainId, details, context);
}

/**
 * The details of the network in the option, or else of the wallet's own chain; `undefined` if neither
 * has any.
 *
 * @throws RequestValidationError naming the field of the option
 */
export function chainDetailsFrom(
  option: boolean | EvmChainDetails | ViemChain,
  { chain }: Pick<NetworkWallet, 'chain'>,
  chainId: number,
  path = 'switchNetwork',
): EvmChainDetails | undefined {
  if (option === true) return chain?.id === chainId ? chain.details : undefined;
  if (option === false) return undefined;
  if (typeof option !== 'object') return invalid(path, 'must be true, or the network’s details');
  return checkChainDetails(path, option, chainId);
}

type Context = Pick<DriverContext, 'prompt' | 'read' | 'sleep'>;

/** Some wallets respond before they have switched. */
const MOST_READS = 8;
const PAUSE_MS = 250;

const UNKNOWN_CHAIN: readonly unknown[] = [4902, '4902'];
/** Wallets that report an internal error (-32603) without the code in it. */
const UNKNOWN_CHAIN_TEXT = /unrecognized chain id|wallet_addEthereumChain/i;
/** No such method, or not for this page. */
const UNSUPPORTED: readonly unknown[] = [4100, 4200, -32004, -32601, 'UNSUPPORTED_OPERATION'];

const NO_DETAILS =
  'The wallet does not know this network. Add it in the wallet, or pass its details, then continue.';
const CANNOT_SWITCH =
  'This wallet does not let a page switch its network. Switch the network in the wallet, then continue.';
const DID_NOT_SWITCH =
  'The wallet reported a switch that did not happen. Switch the network in the wallet, then continue.';

/**
 * Asks the wallet to switch to a chain, and to add it first if the wallet does not know it. The
 * wallet's response proves nothing: the flow reads its chain id again.
 *
 * @throws UserRejectedError when the user declines.
 * @throws WrongChainError when the wallet cannot switch, does not know the network, or did not
 *   switch.
 */
export async function switchNetwork(
  wallet: NetworkWallet,
  chainId: number,
  details: EvmChainDetails | undefined,
  context: Context,
): Promise<void> {
  const switchChain = wallet.switchChain?.bind(wallet);
  const addChain = wallet.addChain?.bind(wallet);
  const stop = async (advice: string) =>
    new WrongChainError(
      'the wallet',
      String(chainId),
      String(await chainOf(wallet, context)),
      'not_sent',
      advice,
    );
  const ask = async (words: string, request: () => Promise<unknown>): Promise<boolean> => {
    const result = await context.prompt(() => resultOf(request), words);
    if (result === 'unsupported') throw await stop(CANNOT_SWITCH);
    return result === 'done';
  };
  const askToSwitch = (request: typeof switchChain) =>
    ask('Switch the network in your wallet.', async () => request?.(chainId));

  if (switchChain === undefined) throw await stop(CANNOT_SWITCH);
  if (!(await askToSwitch(switchChain))) {
    if (details === undefined || addChain === undefined) throw await stop(NO_DETAILS);
    const add = async () => addChain(chainId, details);
    if (!(await ask('Add the network in your wallet.', add))) throw await stop(CANNOT_SWITCH);
    // Most wallets switch to a network that they have added.
    if (await hasSwitched(wallet, chainId, context)) return;
    if (!(await askToSwitch(switchChain))) throw await stop(NO_DETAILS);
  }
  if (!(await hasSwitched(wallet, chainId, context))) throw await stop(DID_NOT_SWITCH);
}

/** Returns the result of a request to switch or to add. */
async function resultOf(
  request: () => Promise<unknown>,
): Promise<'done' | 'unknown-chain' | 'unsupported'> {
  try {
    await request();
    return 'done';
  } catch (error) {
    const own = knownErrorOf(error);
    if (own !== undefined) throw own;
    const causes = errorCauses(error);
    if (causes.some(isUnknownChain)) return 'unknown-chain';
    if (causes.some(({ code }) => UNSUPPORTED.includes(code))) return 'unsupported';
    const detail = isPromptOpen(error) ? OPEN_PROMPT : 'it did not switch the network';
    throw new WalletError(detail, 'not_sent', error);
  }
}

/** The chain that the wallet is on. */
export function chainOf(wallet: NetworkWallet, context: Pick<Context, 'read'>): Promise<number> {
  return context.read('the chain of the wallet', async () => wallet.getChainId());
}

async function hasSwitched(
  wallet: NetworkWallet,
  chainId: number,
  context: Context,
): Promise<boolean> {
  for (let read = 1; ; read++) {
    try {
      if ((await chainOf(wallet, context)) === chainId) return true;
      if (read === MOST_READS) return false;
    } catch (error) {
      // Some wallets respond to nothing while they switch.
      if (read === MOST_READS || !(error instanceof ChainReadError)) throw error;
    }
    await context.sleep(PAUSE_MS);
  }
}

function isUnknownChain({ code, message }: { code: unknown; message: string }): boolean {
  return UNKNOWN_CHAIN.includes(code) || UNKNOWN_CHAIN_TEXT.test(message);
}
