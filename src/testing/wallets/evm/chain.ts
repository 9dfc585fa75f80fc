import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import { equalsIgnoringCase } from '../../../contract/formats/ignore-case.js';
import { type ChainClock, MockChain } from '../mock-chain.js';
import { invalidParams } from './json-rpc.js';
import { type EvmChainSettings, EvmLedger } from './ledger.js';
import { respond } from './node.js';
import type { MockToken } from './token.js';
import { GAS, type MockEvmTransaction } from './transactions.js';

/**
 * A tiny EVM chain for tests: accounts, ERC-20 tokens and blocks, without an EVM. It is an EIP-1193
 * node, for `node` of `delegateEvm` and for `custom()` of viem. Its blocks follow the
 * platform's clock, and each transaction is in a block at once, until `setAutomaticMining(false)`.
 */
export class MockEvmChain extends MockChain {
  /** The chain id. */
  readonly chainId: number;
  /** The platform's contract, which may spend; `''` on a network of the US alone. */
  readonly spender: string;
  /** The platform's contract for users in the US; `''` on a network that they do not have. */
  readonly usSpender: string;
  readonly #ledger: EvmLedger;

  /** @internal */
  constructor(settings: EvmChainSettings, clock: ChainClock) {
    const ledger = new EvmLedger(settings, clock);
    super(ledger);
    this.#ledger = ledger;
    this.chainId = settings.chainId;
    this.spender = settings.spender;
    this.usSpender = settings.usSpender;
  }

  /**
   * Responds to a JSON-RPC call as a node does: reads, and `eth_sendRawTransaction`. Like some real
   * nodes it refuses an `eth_call` without a receiver, because it cannot run programs.
   *
   * @throws MockNodeError with the code of JSON-RPC, for a call that a node refuses
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(await chains.evm('linea').request({ method: 'eth_blockNumber' }));
   * ```
   */
  async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    if (method !== 'eth_sendRawTransaction') return respond(this.#ledger, method, params);
    const [signed] = Array.isArray(params) ? params : [];
    return this.#send(String(signed));
  }

  /**
   * Makes a token refuse every approval, in simulations too, or accept them again.
   *
   * @throws Error for a currency without a token on the chain
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.evm('linea').setPaused('usdc', true);
   * ```
   */
  setPaused(currency: string, isPaused: boolean): void {
    this.#token(currency).isPaused = isPaused;
  }

  /**
   * Sets the balance from which an account pays network fees, in wei.
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.evm('linea').setBalance('0x52908400098527886E0F7030069857D2E4169EE7', 0n);
   * ```
   */
  setBalance(address: string, wei: bigint): void {
    this.#ledger.setBalance(address, wei);
  }

  /**
   * Sets how many tokens an account has, in base units.
   *
   * @throws Error for a currency without a token on the chain
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.evm('linea').setTokenBalance('usdc', '0x52908400098527886E0F7030069857D2E4169EE7', 250_000_000n);
   * ```
   */
  setTokenBalance(currency: string, address: string, units: bigint): void {
    this.#token(currency).setBalance(address, units);
  }

  /**
   * Sets the allowance of a spender, without a transaction, in base units. Default spender:
   * `spender`, also for a user in the US: pass `usSpender` there. Where `spender` is `''`, `usSpender`.
   *
   * @throws Error for a currency without a token on the chain
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * chains.evm('linea').setAllowance('usdc', '0x52908400098527886E0F7030069857D2E4169EE7', 0n);
   * ```
   */
  setAllowance(
    currency: string,
    owner: string,
    units: bigint,
    spender = this.spender || this.usSpender,
  ): void {
    this.#token(currency).setAllowance(owner, { spender, units }, 0);
  }

  /**
   * Returns the current allowance of a spender, in base units. Default spender: `spender`, also for
   * a user in the US: pass `usSpender` there. Where `spender` is `''`, `usSpender`.
   *
   * @throws Error for a currency without a token on the chain
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(chains.evm('linea').allowance('usdc', '0x52908400098527886E0F7030069857D2E4169EE7'));
   * ```
   */
  allowance(currency: string, owner: string, spender = this.spender || this.usSpender): bigint {
    return this.#token(currency).allowance(owner, spender, this.#ledger.blocks.newest);
  }

  /** The currencies with a token on the chain. */
  get currencies(): string[] {
    return [...this.#ledger.tokens.keys()];
  }

  /**
   * Returns the contract and the decimals of a currency's token.
   *
   * @throws Error for a currency without a token on the chain
   *
   * @example
   * ```ts
   * import { createMockPlatform } from 'card-platform-sdk/testing';
   * import { mockChains } from 'card-platform-sdk/testing/wallets';
   *
   * const chains = mockChains(createMockPlatform());
   * console.log(chains.evm('linea').tokenOf('usdc').address);
   * ```
   */
  tokenOf(currency: string): { address: string; decimals: number } {
    const { address, decimals } = this.#token(currency).settings;
    return { address, decimals };
  }

  /** The transactions of the chain, oldest first. `block` is `undefined` for one that is waiting. */
  get transactions(): readonly MockEvmTransaction[] {
    return [...this.#ledger.mined, ...this.#ledger.pending];
  }

  #token(currency: string): MockToken {
    const found = [...this.#ledger.tokens].find(([name]) => equalsIgnoringCase(name, currency));
    if (found === undefined) throw new Error(`the chain has no token "${currency}"`);
    return found[1];
  }

  async #send(signed: string): Promise<string> {
    const serialized = signed as `0x02${string}`;
    const from = await recoverTransactionAddress({ serializedTransaction: serialized });
    const parsed = parseTransaction(serialized);
    if (parsed.type !== 'eip1559') throw invalidParams('only transactions of type 2 are supported');
    if (parsed.chainId !== this.chainId) throw invalidParams('invalid chain id for signer');
    if (!parsed.to) throw invalidParams('the mock chain creates no contracts');
    const hash = keccak256(serialized);
    this.#ledger.add({
      hash,
      from,
      to: parsed.to,
      data: parsed.data ?? '0x',
      value: parsed.value ?? 0n,
      nonce: parsed.nonce ?? 0,
      gas: parsed.gas ?? GAS,
      maxFeePerGas: parsed.maxFeePerGas ?? 0n,
      maxPriorityFeePerGas: parsed.maxPriorityFeePerGas ?? 0n,
      chainId: this.chainId,
      r: parsed.r ?? '0x0',
      s: parsed.s ?? '0x0',
      yParity: parsed.yParity ?? 0,
    });
    return hash;
  }
}
