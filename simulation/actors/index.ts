import type { World } from '../world/world.js';
import { startEvmDelegator, startSolanaDelegator } from './chain-delegator.js';
import { startDelegator } from './delegator.js';
import { startHurried } from './hurried.js';
import { startPage } from './page.js';
import { startPhone } from './phone.js';
import { startQueryApp } from './query-app.js';
import { startReceiver } from './receiver.js';
import { startServer } from './server.js';
import { startShopper } from './shopper.js';
import { startTablet } from './tablet.js';
import { startWitness } from './witness.js';

type Actors = Readonly<Record<string, (world: World) => void>>;

/** The actors of every world, by name. */
const ACTORS: Actors = {
  server: startServer,
  phone: startPhone,
  page: startPage,
  query: startQueryApp,
  receiver: startReceiver,
  delegator: startDelegator,
  shopper: startShopper,
  tablet: startTablet,
  hurried: startHurried,
  witness: startWitness,
};

/** Actors that take part only if they are asked for. */
const ON_REQUEST: Actors = { evm: startEvmDelegator, solana: startSolanaDelegator };

/**
 * The actors of a world.
 *
 * @param names - those that are asked for
 */
export function actorsOf(names: readonly string[] | undefined): ((world: World) => void)[] {
  if (names === undefined) return Object.values(ACTORS);
  // The platform checks a proof of one kind of chain in one way.
  if (names.includes('delegator') && Object.keys(ON_REQUEST).some((name) => names.includes(name))) {
    throw new Error('the delegator cannot be in one world with the pages for EVM and Solana');
  }
  return Object.entries({ ...ACTORS, ...ON_REQUEST })
    .filter(([name]) => names.includes(name))
    .map(([, start]) => start);
}
