import { invalid } from '../../delegation/check-values.js';
import { WalletError } from '../../delegation/wallet-errors.js';
import type { EvmCall } from '../approval/calls.js';
import type { EvmNode } from '../chain/json-rpc.js';
import { type EvmWallet, networkMethods } from '../wallets/wallet.js';

/** The part of an ethers 6 or 5 provider that is used: `BrowserProvider`, `JsonRpcProvider`. */
export type EthersProvider = {
  /** Sends a JSON-RPC call. */
  send(method: string, params: unknown[]): Promise<unknown>;
};

/** The part of an ethers 6 or 5 signer that is used: `JsonRpcSigner`, or `Wallet` with a provider. */
export type EthersSigner = {
  /** The provider of the signer. */
  readonly provider?: object | null | undefined;
  /** The address of the account. */
  getAddress(): Promise<string>;
  /** Signs a text as `personal_sign` does. */
  signMessage(message: string): Promise<string>;
  /** Sends a transaction. */
  sendTransaction(transaction: EvmCall): Promise<{ hash: string }>;
};

const FIXED_NETWORK =
  "ethers refuses, because the wallet has switched the network: create the provider with the network 'any'";

/** A signer with a key of its own, or a hardware wallet. */
type SigningSigner = {
  populateTransaction(transaction: EvmCall): Promise<object>;
  signTransaction(transaction: object): Promise<string>;
};

type JsonRpcSigner = { sendUncheckedTransaction(transaction: EvmCall): Promise<string> };

/**
 * Returns an ethers signer as the wallet of `delegateEvm` and `switchEvmNetwork`. ethers 6 and 5 work
 * alike. Create the provider of a browser wallet with the network `'any'`: otherwise ethers refuses
 * to send after the user has switched the network.
 *
 * @throws RequestValidationError when the signer has no provider with `send`.
 *
 * @example
 * ```ts
 * import { type EthersSigner, walletFromEthers } from 'card-platform-sdk/evm/ethers';
 *
 * declare function getSigner(): Promise<EthersSigner>; // for example provider.getSigner()
 *
 * const wallet = await walletFromEthers(await getSigner());
 * console.log(wallet.address);
 * ```
 */
export async function walletFromEthers(signer: EthersSigner): Promise<EvmWallet> {
  const { provider } = Object(signer) as Partial<EthersSigner>;
  if (!canSend(provider)) return invalid('signer', 'must have a provider with the method send');
  const address = await signer.getAddress();
  return {
    address,
    async getChainId() {
      // `getNetwork` may return, or insist on, the network of an earlier call.
      return Number(await provider.send('eth_chainId', []));
    },
    signMessage: (text) => signer.signMessage(text),
    async sendTransaction({ to, data, value, chainId }) {
      const call = { to, data, value, chainId };
      // `sendTransaction` of a JSON-RPC signer waits until the node shows the transaction, and loses
      // its hash if that fails.
      if (isJsonRpcSigner(signer)) {
        return signer.sendUncheckedTransaction(call).catch((error: unknown) => {
          throw isOtherNetwork(error) ? new WalletError(FIXED_NETWORK, 'not_sent', error) : error;
        });
      }
      return (await signer.sendTransaction(call)).hash;
    },
    ...(signsByItself(signer)
      ? {
          signTransaction: async ({ to, data, value, chainId }) =>
            signer.signTransaction(await signer.populateTransaction({ to, data, value, chainId })),
          sendSigned: (transaction) => provider.send('eth_sendRawTransaction', [transaction]),
        }
      : {}),
    ...networkMethods((method, params) => provider.send(method, params)),
  };
}

/**
 * Returns an ethers provider as the `node` of `delegateEvm` and `readAllowance`.
 *
 * @throws RequestValidationError when the provider has no `send`, as with a `FallbackProvider`.
 *
 * @example
 * ```ts
 * import { readAllowance } from 'card-platform-sdk/evm';
 * import { type EthersProvider, nodeFromEthers } from 'card-platform-sdk/evm/ethers';
 *
 * function limitOf(provider: EthersProvider, owner: string, spender: string): Promise<bigint> {
 *   const node = nodeFromEthers(provider);
 *   return readAllowance({ node, network: 'linea', currency: 'usdc', owner, spender });
 * }
 * ```
 */
export function nodeFromEthers(provider: EthersProvider): EvmNode {
  if (!canSend(provider)) return invalid('provider', 'must have the method send');
  return {
    request: ({ method, params }) => provider.send(method, Array.isArray(params) ? params : []),
  };
}

function canSend(provider: unknown): provider is EthersProvider {
  return typeof (Object(provider) as Partial<EthersProvider>).send === 'function';
}

/** ethers 5 checks the network before it sends, and only then. */
function isOtherNetwork(error: unknown): boolean {
  const { code, event } = Object(error) as { code?: unknown; event?: unknown };
  return code === 'NETWORK_ERROR' && event === 'changed';
}

/** Not a signer around another one, such as a `NonceManager`: it counts what it sends itself. */
function signsByItself(signer: object): signer is SigningSigner {
  const { populateTransaction, signTransaction } = signer as Partial<SigningSigner>;
  const canSign =
    typeof populateTransaction === 'function' && typeof signTransaction === 'function';
  return canSign && !isJsonRpcSigner(signer) && !('signer' in signer);
}

function isJsonRpcSigner(signer: object): signer is JsonRpcSigner {
  return 'sendUncheckedTransaction' in signer;
}
