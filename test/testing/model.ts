/** A model of one user, derived only from the contract's tables. The mock platform is compared with it. */
export class Model {
  now = 0;
  card: 'NONE' | 'PENDING' | 'ACTIVE' | 'FROZEN' | 'BLOCKED' = 'NONE';
  orderedAt = 0;
  /** Base units of six decimals. */
  credit: bigint;
  wallets: { balance: bigint; isLinked: boolean }[] = [];
  tokens: { takenAt: number; isUsed: boolean }[] = [];
  hasOwnWallet = false;
  faucetUsed = false;

  constructor(credit: bigint) {
    this.credit = credit;
  }

  advance(ms: number): void {
    this.now += ms;
  }

  #settled() {
    if (this.card === 'PENDING' && this.now >= this.orderedAt + 3_000) this.card = 'ACTIVE';
    return this.card;
  }

  order(): string {
    const card = this.#settled();
    if (card !== 'NONE' && card !== 'BLOCKED') return 'user_already_has_card';
    this.card = 'PENDING';
    this.orderedAt = this.now;
    return 'ok';
  }

  block(): void {
    if (this.#settled() !== 'NONE') this.card = 'BLOCKED';
  }

  freeze(): string {
    const card = this.#settled();
    if (card === 'NONE') return 'card_not_found';
    if (card === 'FROZEN') return 'card_already_frozen';
    if (card !== 'ACTIVE') return 'bad_request';
    this.card = 'FROZEN';
    return 'ok';
  }

  unfreeze(): string {
    const card = this.#settled();
    if (card === 'NONE') return 'card_not_found';
    if (card !== 'FROZEN') return 'card_not_frozen';
    this.card = 'ACTIVE';
    return 'ok';
  }

  status(): string {
    return this.#settled() === 'NONE' ? 'card_not_found' : this.card;
  }

  link(index: number): string {
    const wallet = this.wallets[index];
    if (wallet === undefined) return 'validation_failed';
    if (wallet.isLinked) return 'ok';
    if (this.wallets.filter(({ isLinked }) => isLinked).length >= 5) return 'max_linked_wallets';
    wallet.isLinked = true;
    return 'ok';
  }

  unlink(index: number): string {
    const wallet = this.wallets[index];
    if (wallet?.isLinked !== true) return 'operation_rejected';
    wallet.isLinked = false;
    return 'ok';
  }

  withdraw(index: number, units: bigint): string {
    const wallet = this.wallets[index];
    if (wallet === undefined) return 'validation_failed';
    if (wallet.balance < units) return 'insufficient_balance';
    wallet.balance -= units;
    return 'ok';
  }

  withdrawCredit(units: bigint): string {
    if (!this.hasOwnWallet) return 'no_external_wallet';
    if (this.credit < units + 100_000n) return 'insufficient_balance';
    this.credit -= units;
    return 'ok';
  }

  takeToken(faucet: boolean): string {
    this.tokens.push({ takenAt: this.now, isUsed: false });
    if (!faucet) return 'not-requested';
    const isFirst = !this.faucetUsed;
    this.faucetUsed = true;
    return isFirst ? 'succeeded' : 'failed';
  }

  approve(index: number): string {
    const token = this.tokens[index];
    const isGood = token && !token.isUsed && this.now < token.takenAt + 600_000;
    if (!isGood) return 'validation_failed';
    token.isUsed = true;
    this.hasOwnWallet = true;
    return 'ok';
  }
}
