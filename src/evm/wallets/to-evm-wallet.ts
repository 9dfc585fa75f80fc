import { isObject } from '../../contract/formats/is-object.js';
import { invalid } from '../../delegation/invalid.js';
import { isHex } from '../chain/json-rpc.js';
import { detailsOfViemChain } from './chain-details.js';
import { networkOfProvider, walletFromProvider } from './provider.js';
import type { NetworkWallet } from './switch-network.js';
import type { Eip1193Provider, EvmWallet, ViemWallet } from './wallet.js';
import { networkMethods } from './wallet-networks.js';
import { describeWrongWallet } from './wrong-wallet.js';

type LooseViemClient = {
  signMessage(input: { account: unknown; message: string }): Promise<string>;
  sendTransaction(input: Record<string, unknown>): Promise<string>;
  prepareTransactionRequest?(input: Record<string, unknown>): Promise<Record<string, unknown>>;
  signTransaction?(input: Record<string, unknown>): Promise<string>;
  sendRawTransaction?(input: { serializedTransaction: string }): Promise<string>;
  request(
    call: { method: string; params: unknown[] },
    options: { retryCount: number },
  ): Promise<unknown>;
};

/** A viem wallet client as a plain object. */
function walletFromViem(client: ViemWallet, account?: string): EvmWallet {
  const address =
    account ??
    client.account?.address ??
    invalid('address', 'is needed: the wallet client has no account');
  const own = client.account;
  // A local account signs by itself; its address alone would send the request to the node.
  const signer = own && own.address.toLowerCase() === address.toLowerCase() ? own : address;
  const wallet = client as unknown as LooseViemClient;
  return {
    address,
    ...networkOfViem(client),
    signMessage: (message) => wallet.signMessage({ account: signer, message }),
    sendTransaction({ to, data, value, chainId }) {
      // With its own chain, viem refuses to send to another. Without it, only the flow has checked.
      const chain = client.chain?.id === chainId ? client.chain : null;
      return wallet.sendTransaction({ account: signer, chain, to, data, value });
    },
    ...(typeof signer === 'object' ? signingMethods(client, signer) : {}),
  };
}

/** The two halves of `sendTransaction`, for a local account: a private key or a hardware wallet. */
function signingMethods(
  client: ViemWallet,
  account: NonNullable<ViemWallet['account']>,
): Pick<EvmWallet, 'signTransaction' | 'sendSigned'> {
  const wallet = client as unknown as LooseViemClient;
  const { prepareTransactionRequest: prepare, signTransaction: sign, sendRawTransaction } = wallet;
  if (account.type !== 'local' || !prepare || !sign || !sendRawTransaction) return {};
  return {
    async signTransaction({ to, data, value, chainId }) {
      const chain = client.chain?.id === chainId ? client.chain : null;
      const { nonceManager } = account as { nonceManager?: unknown };
      const suffix = suffixOf(client);
      const whole = `${data}${suffix}`;
      const call = { account, chain, chainId, to, data: whole, value, nonceManager };
      return sign({ ...(await prepare(call)), account, chain });
    },
    sendSigned: (serializedTransaction) => sendRawTransaction({ serializedTransaction }),
  };
}

/** What `sendTransaction` of viem appends to the calldata (ERC-8021). */
function suffixOf(client: object): string {
  const { dataSuffix } = client as { dataSuffix?: unknown };
  const suffix = isObject(dataSuffix) ? dataSuffix['value'] : dataSuffix;
  return isHex(suffix) ? suffix.slice(2) : '';
}

/** The network of a viem wallet client. */
function networkOfViem(client: ViemWallet): NetworkWallet {
  const { chain } = client;
  const details = detailsOfViemChain(chain);
  const wallet = client as unknown as LooseViemClient;
  return {
    getChainId: () => client.getChainId(),
    ...(chain === undefined || details === undefined ? {} : { chain: { id: chain.id, details } }),
    ...(client.request === undefined
      ? {}
      : // viem would retry a request that failed with an internal error, and ask the user again.
        networkMethods((method, params) => wallet.request({ method, params }, { retryCount: 0 }))),
  };
}

/** Any wallet that the flow accepts. */
export type AnyEvmWallet = EvmWallet | ViemWallet | Eip1193Provider;

/** Any wallet as a plain object. `account` chooses among several accounts. */
export async function toEvmWallet(wallet: AnyEvmWallet, account?: string): Promise<EvmWallet> {
  refuseWrongWallet(wallet);
  if (isPlain(wallet)) {
    const isOther = account !== undefined && account.toLowerCase() !== wallet.address.toLowerCase();
    return isOther ? invalid('address', 'is not the address of the wallet') : wallet;
  }
  if ('signMessage' in wallet && 'sendTransaction' in wallet)
    return walletFromViem(wallet, account);
  if ('request' in wallet) return walletFromProvider(wallet, account);
  return invalid('wallet', 'cannot sign and send');
}

/** The network of any wallet, whether or not an account is connected. */
export function toNetworkWallet(wallet: AnyEvmWallet): NetworkWallet {
  refuseWrongWallet(wallet);
  if (isPlain(wallet)) return wallet;
  if ('getChainId' in wallet) return networkOfViem(wallet);
  if ('request' in wallet) return networkOfProvider(wallet);
  return invalid('wallet', 'has no network');
}

function refuseWrongWallet(wallet: unknown): void {
  const problem = describeWrongWallet(wallet);
  if (problem !== undefined) invalid('wallet', problem);
}

function isPlain(wallet: AnyEvmWallet): wallet is EvmWallet {
  return 'address' in wallet && 'sendTransaction' in wallet && 'getChainId' in wallet;
}
