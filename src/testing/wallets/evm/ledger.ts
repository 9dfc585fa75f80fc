import { equalsIgnoringCase } from '../../../contract/formats/ignore-case.js';
import { Blocks, type ChainClock } from '../mock-chain.js';
import { MockNodeError } from './json-rpc.js';
import { MockToken, readApproval, type TokenSettings } from './token.js';
import { type EvmTransaction, GAS, gasPriceOf, gasUsedBy } from './transactions.js';

const BLOCK_TIME_MS = 2_000;
/** The gas of a transaction that only pays coins: a node refuses one with less. */
const INTRINSIC_GAS = 21_000n;

/** The settings of an EVM chain. */
export type EvmChainSettings = {
  readonly chainId: number;
  /** The platform's contract. */
  readonly spender: string;
  /** The same for users in the US. */
  readonly usSpender: string;
  readonly tokens: Readonly<Record<string, TokenSettings>>;
};

/** The state of the tiny chain: coins, tokens, and transactions, of which some wait for a block. */
export class EvmLedger {
  readonly settings: EvmChainSettings;
  readonly blocks: Blocks;
  readonly tokens: ReadonlyMap<string, MockToken>;
  readonly mined: EvmTransaction[] = [];
  pending: EvmTransaction[] = [];
  revertsNext = false;
  readonly #coins = new Map<string, bigint>();

  constructor(settings: EvmChainSettings, clock: ChainClock) {
    this.settings = settings;
    this.blocks = new Blocks(clock, BLOCK_TIME_MS);
    const tokens = Object.entries(settings.tokens);
    this.tokens = new Map(tokens.map(([currency, token]) => [currency, new MockToken(token)]));
  }

  setBalance(address: string, wei: bigint): void {
    this.#coins.set(address.toLowerCase(), wei);
  }

  balanceOf(address: string): bigint {
    return this.#coins.get(address.toLowerCase()) ?? 0n;
  }

  /** The token with a contract address. */
  tokenAt(address: string): MockToken | undefined {
    const tokens = [...this.tokens.values()];
    return tokens.find(({ settings }) => equalsIgnoringCase(settings.address, address));
  }

  hasCode(address: string): boolean {
    const { spender, usSpender } = this.settings;
    const isSpender = [spender, usSpender].some((one) => equalsIgnoringCase(address, one));
    return isSpender || this.tokenAt(address) !== undefined;
  }

  /** How many transactions of an account are in blocks up to this one. */
  transactionCount(address: string, block: number): number {
    return this.mined.filter(
      ({ from, block: at = 0 }) => equalsIgnoringCase(from, address) && at <= block,
    ).length;
  }

  /** The next nonce of an account, after those that wait. */
  nextNonce(address: string): number {
    const waiting = this.pending.filter(({ from }) => equalsIgnoringCase(from, address)).length;
    return this.transactionCount(address, Number.POSITIVE_INFINITY) + waiting;
  }

  /** Adds a transaction to the mempool, and mines it if mining is automatic. */
  add(transaction: EvmTransaction): void {
    const { from, nonce, gas, maxFeePerGas, value, hash } = transaction;
    if (this.pending.some((other) => other.hash === hash)) {
      throw new MockNodeError(-32000, 'already known');
    }
    if (gas < INTRINSIC_GAS) throw new MockNodeError(-32000, 'intrinsic gas too low');
    const mined = this.transactionCount(from, Number.POSITIVE_INFINITY);
    if (nonce < mined) throw new MockNodeError(-32000, 'nonce too low');
    if (this.balanceOf(from) < gas * maxFeePerGas + value) {
      throw new MockNodeError(-32000, 'insufficient funds for gas * price + value');
    }
    const hasSameNonce = (other: EvmTransaction) =>
      equalsIgnoringCase(other.from, from) && other.nonce === nonce;
    const replaced = this.pending.find(hasSameNonce);
    // geth, Besu and others ask for a tenth more.
    if (replaced !== undefined && maxFeePerGas * 10n < replaced.maxFeePerGas * 11n) {
      throw new MockNodeError(-32000, 'replacement transaction underpriced');
    }
    this.pending = [...this.pending.filter((other) => !hasSameNonce(other)), transaction];
    if (this.blocks.isAutomatic) this.mine(1);
  }

  /** Makes blocks. The first one has the waiting transactions whose turn it is. */
  mine(count: number): void {
    const block = this.blocks.make(count);
    const waiting = this.pending.sort((one, other) => one.nonce - other.nonce);
    this.pending = waiting.filter((transaction) => !this.#execute(transaction, block));
  }

  /** Forgets the waiting transactions. */
  drop(): void {
    this.pending = [];
  }

  #execute(transaction: EvmTransaction, block: number): boolean {
    const { from, to, data, value, nonce, gas } = transaction;
    if (nonce !== this.transactionCount(from, block)) return false;
    this.setBalance(from, this.balanceOf(from) - gasUsedBy(transaction) * gasPriceOf(transaction));
    const token = this.tokenAt(to);
    const approval = token && readApproval(data);
    let succeeded =
      !this.revertsNext && (token === undefined || (approval !== undefined && gas >= GAS));
    this.revertsNext = false;
    if (succeeded && token && approval) {
      succeeded = value === 0n && token.accepts(from, approval, block);
      if (succeeded) {
        token.setAllowance(from, approval, block);
        transaction.log = token.eventOf(from, approval);
      }
    } else if (succeeded) {
      this.setBalance(from, this.balanceOf(from) - value);
      this.setBalance(to, this.balanceOf(to) + value);
    }
    const before = this.mined.filter((one) => one.block === block);
    const logIndex = before.filter(({ log }) => log !== undefined).length;
    Object.assign(transaction, { block, succeeded, index: before.length, logIndex });
    this.mined.push(transaction);
    return true;
  }
}
