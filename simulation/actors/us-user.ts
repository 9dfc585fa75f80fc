import type { MockUser } from '../../src/testing/state.js';
import type { World } from '../world/world.js';

/** Adds a user of the region `us` with a card, money and wallets. */
export function addUsUser({ mock }: World): MockUser {
  return mock.users.add({
    creditBalance: '100000',
    card: 'ACTIVE',
    environment: 'us',
    wallets: [{ network: 'linea', currency: 'usdc', balance: '100000' }],
    externalWallets: [{ balance: '50', allowance: '20' }],
  });
}
