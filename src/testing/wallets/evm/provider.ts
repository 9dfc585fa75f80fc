import { hexToString, isHex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { equalsIgnoringCase } from '../../../contract/formats/ignore-case.js';
import { MockWalletError, type Prompts, type Work } from '../prompts.js';
import type { MockEvmChain } from './chain.js';
import { quantity } from './json-rpc.js';
import { GAS, GAS_PRICE } from './transactions.js';

type Listener = (value: unknown) => void;
type Fields = Readonly<Record<string, unknown>>;

/** The settings of an EVM wallet. */
export type EvmProviderSettings = {
  readonly privateKey: `0x${string}`;
  readonly address: `0x${string}`;
  readonly chains: readonly MockEvmChain[];
  /** The ids of the chains that the wallet knows. */
  readonly known: readonly number[];
  readonly isConnected: boolean;
  readonly prompts: Prompts;
  readonly work: Work;
};

const NOT_CONNECTED = 4100;
const UNKNOWN_CHAIN = 4902;
const INVALID_PARAMS = -32602;

/** Reads a chain id as wallets do: hexadecimal, with `0x` and without leading zeros. */
function readChainId(given: unknown): number {
  if (typeof given === 'string' && /^0x[1-9a-f][\da-f]*$/i.test(given)) return Number(given);
  throw new MockWalletError(
    INVALID_PARAMS,
    "Expected 0x-prefixed, unpadded, non-zero hexadecimal string 'chainId'.",
  );
}

/** A browser wallet for EVM chains (EIP-1193) whose key belongs to the test. */
export class MockEvmProvider {
  /** The wallet's only account. */
  readonly address: `0x${string}`;
  readonly #settings: EvmProviderSettings;
  readonly #known: Set<number>;
  readonly #listeners = new Map<string, Set<Listener>>();
  #isConnected: boolean;
  #chain: MockEvmChain;

  /** @internal */
  constructor(settings: EvmProviderSettings, chain: MockEvmChain) {
    this.#settings = settings;
    this.address = settings.address;
    this.#known = new Set(settings.known);
    this.#isConnected = settings.isConnected;
    this.#chain = chain;
  }

  /**
   * Responds to a call of a page: accounts, signatures, transactions, networks, and the reads of the
   * chain that the wallet is on. Rejects with the code of EIP-1193, 4001 when the user declines.
   *
   * @example
   * ```ts
   * import { createMockWallet } from 'card-platform-sdk/testing/wallets';
   *
   * const wallet = await createMockWallet();
   * console.log(await wallet.evm.request({ method: 'eth_requestAccounts' }));
   * ```
   */
  readonly request = (call: { method: string; params?: unknown }): Promise<unknown> => {
    return this.#settings.work.run(() => this.#respond(call));
  };

  /**
   * Adds a listener of `accountsChanged` or `chainChanged`.
   *
   * @example
   * ```ts
   * import { createMockWallet } from 'card-platform-sdk/testing/wallets';
   *
   * const wallet = await createMockWallet();
   * wallet.evm.on('chainChanged', (chainId) => console.log(chainId));
   * ```
   */
  on(event: string, listener: (value: unknown) => void): this {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return this;
  }

  /**
   * Removes a listener.
   *
   * @example
   * ```ts
   * import { createMockWallet } from 'card-platform-sdk/testing/wallets';
   *
   * const wallet = await createMockWallet();
   * const listener = (chainId: unknown) => console.log(chainId);
   * wallet.evm.on('chainChanged', listener).removeListener('chainChanged', listener);
   * ```
   */
  removeListener(event: string, listener: (value: unknown) => void): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  /**
   * Switches the network, as the user does in the wallet, without a prompt.
   *
   * @throws Error for a chain that the platform does not have
   *
   * @example
   * ```ts
   * import { createMockWallet } from 'card-platform-sdk/testing/wallets';
   *
   * const wallet = await createMockWallet();
   * wallet.evm.switchTo(1);
   * ```
   */
  switchTo(chainId: number): void {
    const chain = this.#settings.chains.find((one) => one.chainId === chainId);
    if (chain === undefined) throw new Error(`there is no chain ${chainId} on this platform`);
    this.#known.add(chainId);
    if (chain === this.#chain) return;
    this.#chain = chain;
    this.#emit('chainChanged', quantity(chainId));
  }

  /**
   * Sends the waiting transaction again with a higher fee, as `Speed up` of a wallet does. With
   * `cancel`, it sends an empty transaction to its own address instead. Returns the new hash.
   *
   * @throws Error when no transaction of the account is waiting
   *
   * @example
   * ```ts
   * import { createMockWallet } from 'card-platform-sdk/testing/wallets';
   *
   * const wallet = await createMockWallet();
   * wallet.chains.evm('linea').setAutomaticMining(false);
   * await wallet.evm.replacePending('cancel').catch(console.log);
   * ```
   */
  async replacePending(how: 'speed-up' | 'cancel' = 'speed-up'): Promise<string> {
    const isOwn = ({ from, block }: { from: string; block?: number }) =>
      block === undefined && equalsIgnoringCase(from, this.address);
    const chain = this.#chain;
    const old = chain.transactions.find(isOwn);
    if (old === undefined) throw new Error('no transaction of this wallet is waiting');
    const { nonce } = old;
    const maxFeePerGas = old.maxFeePerGas * 2n;
    const call = how === 'cancel' ? { to: this.address, data: '0x' as const, value: 0n } : old;
    return this.#settings.work.run(() => this.#signAndSend(chain, call, { nonce, maxFeePerGas }));
  }

  async #respond({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    const list: readonly unknown[] = Array.isArray(params) ? params : [];
    switch (method) {
      case 'eth_accounts':
        return this.#isConnected ? [this.address] : [];
      case 'eth_requestAccounts':
        return this.#connect();
      case 'personal_sign':
        return this.#sign(list);
      case 'eth_sendTransaction':
        return this.#sendTransaction(Object(list[0]) as Fields);
      case 'wallet_switchEthereumChain':
        return this.#switch(readChainId((Object(list[0]) as Fields)['chainId']));
      case 'wallet_addEthereumChain':
        return this.#add(Object(list[0]) as Fields);
      default:
        return this.#chain.request({ method, params });
    }
  }

  async #connect(): Promise<string[]> {
    if (!this.#isConnected) {
      await this.#settings.prompts.ask('connect');
      this.#isConnected = true;
      this.#emit('accountsChanged', [this.address]);
    }
    return [this.address];
  }

  async #sign([data, address]: readonly unknown[]): Promise<string> {
    this.#requireAccount(address);
    const raw = typeof data === 'string' && isHex(data) ? data : toHex(String(data));
    await this.#settings.prompts.ask('sign-message', hexToString(raw));
    return privateKeyToAccount(this.#settings.privateKey).signMessage({ message: { raw } });
  }

  async #sendTransaction({ from, to, data, input, value, chainId }: Fields): Promise<string> {
    this.#requireAccount(from);
    // The user may switch the network while the prompt is open. The transaction stays on its chain.
    const chain = this.#chain;
    if (chainId !== undefined && Number(chainId) !== chain.chainId) {
      throw new MockWalletError(INVALID_PARAMS, 'the wallet is on another chain');
    }
    await this.#settings.prompts.ask('send-transaction');
    const calldata = (data ?? input ?? '0x') as `0x${string}`;
    const call = { to: String(to), data: calldata, value: BigInt(String(value ?? 0)) };
    const params = [this.address, 'pending'];
    const nonce = await chain.request({ method: 'eth_getTransactionCount', params });
    return this.#signAndSend(chain, call, { nonce: Number(nonce), maxFeePerGas: 2n * GAS_PRICE });
  }

  async #signAndSend(
    chain: MockEvmChain,
    { to, data, value }: { to: string; data: `0x${string}`; value: bigint },
    fee: { nonce: number; maxFeePerGas: bigint },
  ): Promise<string> {
    const account = privateKeyToAccount(this.#settings.privateKey);
    const signed = await account.signTransaction({
      type: 'eip1559',
      chainId: chain.chainId,
      to: to as `0x${string}`,
      data,
      value,
      gas: GAS,
      maxPriorityFeePerGas: 0n,
      ...fee,
    });
    return String(await chain.request({ method: 'eth_sendRawTransaction', params: [signed] }));
  }

  async #switch(chainId: number): Promise<null> {
    if (!this.#known.has(chainId)) {
      throw new MockWalletError(
        UNKNOWN_CHAIN,
        'Unrecognized chain ID. Try adding the chain using wallet_addEthereumChain first.',
      );
    }
    if (this.#chain.chainId === chainId) return null;
    await this.#settings.prompts.ask('switch-network');
    this.switchTo(chainId);
    return null;
  }

  async #add({ chainId, rpcUrls }: Fields): Promise<null> {
    if (!Array.isArray(rpcUrls) || rpcUrls.length === 0) {
      throw new MockWalletError(INVALID_PARAMS, 'rpcUrls is missing');
    }
    const id = readChainId(chainId);
    if (!this.#settings.chains.some((one) => one.chainId === id)) {
      throw new MockWalletError(INVALID_PARAMS, 'no node of this chain responds');
    }
    await this.#settings.prompts.ask('add-network');
    this.switchTo(id);
    return null;
  }

  #requireAccount(address: unknown): void {
    const isOwn = equalsIgnoringCase(address, this.address);
    if (this.#isConnected && (address === undefined || isOwn)) return;
    throw new MockWalletError(NOT_CONNECTED, 'The requested account has not been authorized.');
  }

  #emit(event: string, value: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value);
  }
}
