import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { add, requireAmount } from './money.js';
import { addEntry } from './payments.js';
import type { Simulation } from './simulation.js';
import type { MockUser } from './state.js';
import type { MockUsers } from './users.js';

/** A wallet by its id or its address. */
function findWallet(user: MockUser, idOrAddress: string) {
  const { creditWallet, internalWallets, externalWallets } = user;
  if (creditWallet.id === idOrAddress) return { wallet: creditWallet, currency: 'usdc' };
  const internal = internalWallets.find(({ id, address, addressId }) =>
    [id, address, addressId].includes(idOrAddress),
  );
  const wallet =
    internal ?? externalWallets.find(({ address }) => equalsIgnoringCase(address, idOrAddress));
  return wallet && { wallet, currency: wallet.currency };
}

/** Changes wallets without a request from the client. */
export class MockWallets {
  readonly #simulation: Simulation;
  readonly #users: MockUsers;

  /** @internal */
  constructor(simulation: Simulation, users: MockUsers) {
    this.#simulation = simulation;
    this.#users = users;
  }

  /**
   * Deposits an amount, a decimal string, into a wallet of a user, by the wallet's id or address.
   * An internal wallet and the credit wallet get an entry in their history.
   *
   * @throws Error for an unknown user or wallet, TypeError for an amount that is not above zero
   *
   * @example
   * ```ts
   * mock.wallets.deposit(ada, ada.creditWallet.id, '25.50');
   * ```
   */
  deposit({ id }: { id: string }, idOrAddress: string, amount: string): void {
    requireAmount(amount);
    const user = this.#users.get(id);
    const found = findWallet(user, idOrAddress);
    if (found === undefined) throw new Error(`the user has no wallet "${idOrAddress}"`);
    const { wallet, currency } = found;
    wallet.balance = add(wallet.balance, amount);
    if (wallet === user.creditWallet) user.hasCreditWallet = true;
    if (!('id' in wallet)) return;
    const date = this.#simulation.clock.iso();
    addEntry(user, wallet.id, { name: 'Deposit', amount, currency, sign: 'credit', date });
  }
}
