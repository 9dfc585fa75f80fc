import type { World } from '../world/world.js';
import { startEvmDelegator, startSolanaDelegator } from './delegator.js';
import { startHurried } from './hurried.js';
import { startOffices } from './offices.js';
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
export const USUAL_ACTORS: Actors = {
  server: startServer,
  phone: startPhone,
  page: startPage,
  query: startQueryApp,
  receiver: startReceiver,
  shopper: startShopper,
  tablet: startTablet,
  hurried: startHurried,
  witness: startWitness,
  evm: startEvmDelegator,
  solana: startSolanaDelegator,
};

/** All actors, by name. */
export const ACTORS: Actors = {
  ...USUAL_ACTORS,
  // They make more calls than all others together, so they have worlds of their own.
  offices: startOffices,
};
