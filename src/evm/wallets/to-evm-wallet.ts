import { stringToHex } from 'viem';
import { isObject } from '../../contract/formats/is-object.js';
import { invalid } from '../../delegation/check-values.js';
import { WalletError } from '../../delegation/wallet-errors.js';
import { hex, isHex } from '../chain/json-rpc.js';
import { detailsOfViemChain } from './chain-details.js';
import {
  type Eip1193Provider,
  type EvmWallet,
  type NetworkWallet,
  networkMethods,
  type ViemWallet,
} from './wallet.js';

type Fields = Readonly<Record<string, unknown>>;

const ETHERS = 'await walletFromEthers(signer) from card-platform-sdk/evm/ethers';

/**
 * What an object is that looks like a wallet and is not one, and what to pass in its place, as part of
 * a sentence; `undefined` for anything else. Some of them can sign and send too, but in another form:
 * the transaction would be sent, and its hash lost.
 */
function describeWrongWallet(wallet: unknown): string | undefined {
  if (!isObject(wallet) && typeof wallet !== 'function') return undefined;
  const has = (...names: string[]) => names.every((name) => name in Object(wallet));
  // A proxy for an object in a worker seems to have everything.
  if (has('aFieldThatNoWalletHas')) return undefined;
  const fields = wallet as Fields;
  if (wallet instanceof Promise) return 'is a promise: await it';
  if (has('getAddress', 'signMessage')) return `is an ethers signer: pass ${ETHERS}`;
  if (has('getSigner')) {
    return 'is an ethers provider: pass await walletFromEthers(await provider.getSigner()) from card-platform-sdk/evm/ethers';
  }
  if (has('connectors', 'chains', 'state') || has('getProvider', 'getAccounts', 'connect')) {
    return 'is a part of wagmi: pass await getWalletClient(config)';
  }
  if (has('data', 'isPending') || has('data', 'isLoading')) {
    return 'is the result of a hook: pass its data, once it is there';
  }
  if (fields['type'] === 'publicClient' || (has('readContract') && !has('signMessage'))) {
    return 'is a viem public client, which cannot sign: pass a wallet client, such as await getWalletClient(config) of wagmi';
  }
  if (fields['type'] === 'local' && has('address')) {
    return 'is a viem account: pass createWalletClient({ account, chain, transport })';
  }
  if (has('publicKey') || has('features', 'accounts')) {
    return 'is a Solana wallet: use delegateSolana of card-platform-sdk/solana';
  }
  return undefined;
}

/** The same for the node that reads the chain; `undefined` if nothing is known against it. */
export function describeWrongNode(node: unknown): string | undefined {
  if (typeof node === 'string') {
    return 'is a URL: pass createPublicClient({ chain, transport }) of viem';
  }
  const has = (...names: string[]) => names.every((name) => name in Object(node));
  if (has('request')) return undefined;
  if (node instanceof Promise) return 'is a promise: await it';
  if (has('send')) {
    return 'is an ethers provider: pass nodeFromEthers(provider) from card-platform-sdk/evm/ethers';
  }
  return has('connectors', 'chains', 'state')
    ? 'is a wagmi config: pass getPublicClient(config)'
    : undefined;
}

/**
 * A browser wallet as a plain object. The user must have connected it: this requests no accounts, so
 * that nothing pops up.
 *
 * @throws WalletError when no account is connected.
 */
export async function walletFromProvider(
  provider: Eip1193Provider,
  account?: string,
): Promise<EvmWallet> {
  const address = account ?? (await connectedAccount(provider));
  return {
    address,
    ...networkOfProvider(provider),
    async signMessage(text) {
      const params = [stringToHex(text), address];
      return String(await provider.request({ method: 'personal_sign', params }));
    },
    async sendTransaction({ to, data, value, chainId }) {
      const params = [{ from: address, to, data, value: hex(value), chainId: hex(chainId) }];
      return String(await provider.request({ method: 'eth_sendTransaction', params }));
    },
  };
}

/** The network of a browser wallet, whether or not an account is connected. */
function networkOfProvider(provider: Eip1193Provider): NetworkWallet {
  return {
    async getChainId() {
      return Number(await provider.request({ method: 'eth_chainId' }));
    },
    ...networkMethods((method, params) => provider.request({ method, params })),
  };
}

async function connectedAccount(provider: Eip1193Provider): Promise<string> {
  let accounts: unknown;
  try {
    accounts = await provider.request({ method: 'eth_accounts' });
  } catch (error) {
    throw new WalletError('it did not return its accounts', 'not_sent', error);
  }
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof first !== 'string') throw new WalletError('no account is connected', 'not_sent');
  return first;
}

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
