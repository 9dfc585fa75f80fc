import { abiText, addressWord, revert, wordOf } from './json-rpc.js';

/** Topic of `Approval(address,address,uint256)`. */
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const WORD = '[0-9a-f]{64}';
const ADDRESS = '0{24}([0-9a-f]{40})';
const BALANCE_OF = new RegExp(`^0x70a08231${ADDRESS}$`, 'i');
const ALLOWANCE = new RegExp(`^0xdd62ed3e${ADDRESS}${ADDRESS}$`, 'i');
// A token ignores data that a wallet appends to the call.
const APPROVE = new RegExp(`^0x095ea7b3${ADDRESS}(${WORD})(?:[0-9a-f]{2})*$`, 'i');

/** A token of the tiny chain. */
export type TokenSettings = {
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Whether it refuses to change an allowance that is not zero, as USDT on Ethereum does. */
  readonly approvesOnlyFromZero: boolean;
};

/** The arguments of `approve`. */
export type Approval = { readonly spender: string; readonly units: bigint };

/** An ERC-20 token: its allowances at every block, and its balances. */
export class MockToken {
  isPaused = false;
  readonly settings: TokenSettings;
  readonly #balances = new Map<string, bigint>();
  readonly #allowances: { block: number; owner: string; spender: string; units: bigint }[] = [];

  constructor(settings: TokenSettings) {
    this.settings = settings;
  }

  setBalance(owner: string, units: bigint): void {
    this.#balances.set(owner.toLowerCase(), units);
  }

  balanceOf(owner: string): bigint {
    return this.#balances.get(owner.toLowerCase()) ?? 0n;
  }

  /** The allowance of a spender as of a block. */
  allowance(owner: string, spender: string, block: number): bigint {
    const [of, by] = [owner.toLowerCase(), spender.toLowerCase()];
    const isSame = (one: { block: number; owner: string; spender: string }) =>
      one.owner === of && one.spender === by && one.block <= block;
    return this.#allowances.findLast(isSame)?.units ?? 0n;
  }

  setAllowance(owner: string, { spender, units }: Approval, block: number): void {
    const names = { owner: owner.toLowerCase(), spender: spender.toLowerCase() };
    this.#allowances.push({ block, ...names, units });
  }

  /** Runs a call without changing anything. Throws a revert for a call that the token refuses. */
  call(from: string, data: string, block: number): string {
    const { decimals, symbol } = this.settings;
    if (data === '0x313ce567') return wordOf(decimals);
    if (data === '0x95d89b41' || data === '0x06fdde03') return abiText(symbol);
    const [, account] = BALANCE_OF.exec(data) ?? [];
    if (account !== undefined) return wordOf(this.balanceOf(`0x${account}`));
    const [, owner, spender] = ALLOWANCE.exec(data) ?? [];
    if (owner !== undefined && spender !== undefined) {
      return wordOf(this.allowance(`0x${owner}`, `0x${spender}`, block));
    }
    const approval = readApproval(data);
    if (approval === undefined || !this.accepts(from, approval, block)) throw revert();
    return wordOf(1);
  }

  /** Whether the token accepts an approval. */
  accepts(owner: string, { spender, units }: Approval, block: number): boolean {
    if (this.isPaused) return false;
    if (!this.settings.approvesOnlyFromZero || units === 0n) return true;
    return this.allowance(owner, spender, block) === 0n;
  }

  /** The event of an approval. */
  eventOf(owner: string, { spender, units }: Approval) {
    return {
      address: this.settings.address.toLowerCase(),
      topics: [APPROVAL, addressWord(owner), addressWord(spender)],
      data: wordOf(units),
    };
  }
}

/** Reads the calldata of an `approve`; `undefined` for anything else. */
export function readApproval(data: string): Approval | undefined {
  const [, spender, units] = APPROVE.exec(data) ?? [];
  if (spender === undefined || units === undefined) return undefined;
  return { spender: `0x${spender.toLowerCase()}`, units: BigInt(`0x${units}`) };
}
