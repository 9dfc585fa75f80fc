import { WORLD } from '../engine/scheduler.js';
import type { World } from '../world/world.js';

const HOUR_MS = 60 * 60_000;
/** The amounts of withdrawals, among others. */
const AMOUNTS = ['1', '2.50', '7'];

/**
 * People who pay with their cards, and others who never do. A payment takes from a wallet, as a withdrawal
 * does, so the journal decides less about the withdrawals of those who pay.
 */
export function startShopper(world: World): void {
  const random = world.random.fork('shopper');
  const pays = (id: string) => world.random.fork(`shopper ${id}`).chance(0.5);
  const pay = () => {
    if (world.isClosing) return;
    const { mock, scheduler } = world;
    const owners = mock.state.users.filter(({ id, card }) => card !== null && pays(id));
    if (owners.length > 0) {
      const owner = random.pick(owners);
      world.replica.keep(owner);
      mock.cards.pay(owner, { amount: random.pick(AMOUNTS) });
    }
    scheduler.after(random.between(0, 2 * HOUR_MS), WORLD, pay);
  };
  pay();
}
