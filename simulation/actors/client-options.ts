import { createJournal } from '../../src/journal/journal.js';
import type { JournalOptions } from '../../src/journal/options.js';
import type { Middleware } from '../../src/transport/attempts/middleware.js';
import type { Random } from '../engine/random.js';
import { choicesOf } from '../world/choices.js';
import { openNetwork } from '../world/network.js';
import { processRequest } from '../world/platform.js';
import type { Process } from '../world/process.js';
import { openStore, openWebStorage } from '../world/store.js';
import type { World } from '../world/world.js';

/** The logger of every client. Its lines must hold no secret. */
function loggerOf(world: World, fails: boolean) {
  const log = (...given: unknown[]) => {
    world.show('the log', JSON.stringify(given));
    if (fails) throw new Error('the disk of the log is full');
  };
  return { debug: log, info: log, warn: log, error: log };
}

/** Options that an application sets or leaves out, as its machine chose. */
function chosenOptions(world: World, process: Process) {
  const { timeout, totalTimeout, retry, hooks } = choicesOf(world, process.machine);
  const fails = hooks === 'fail';
  const slow: Middleware = async (_, next) => {
    await world.scheduler.sleep(120, process);
    await next();
    await world.scheduler.sleep(120, process);
  };
  const failing: Middleware = async (_, next) => {
    await next();
    throw new Error('the metrics are down');
  };
  return {
    ...(timeout !== undefined && { timeout }),
    ...(totalTimeout !== undefined && { totalTimeout }),
    ...(retry !== undefined && { retry }),
    logger: loggerOf(world, fails),
    ...(hooks !== 'fine' && { middleware: [fails ? failing : slow] }),
    onDrift: (report: unknown) => {
      world.show('onDrift', JSON.stringify(report));
      if (fails) throw new Error('the metrics are down');
    },
  };
}

/** The options of a client in a page, whose requests go to the page's own server. */
export function pageOptions(world: World, process: Process, random: Random) {
  const jitter = random.fork('jitter');
  return {
    ...chosenOptions(world, process),
    clock: process.clock,
    random: () => jitter.next(),
  };
}

/** The options that the clients of all other applications share. */
export function clientOptions(world: World, process: Process, random: Random) {
  const { mock } = world;
  return {
    ...pageOptions(world, process, random),
    baseUrl: mock.baseUrl,
    fetch: openNetwork(
      world,
      process,
      mock.baseUrl,
      () => (request) => processRequest(world, request),
    ),
    ...mock.credentials,
  };
}

/** The store that an application has chosen. */
export function chosenStore(world: World, process: Process) {
  const isInstant = choicesOf(world, process.machine).store === 'instant';
  return isInstant ? openWebStorage(world, process) : openStore(world, process);
}

/** The journal that an application has chosen. */
export function chosenJournal(world: World, process: Process, options: JournalOptions) {
  const { journal } = choicesOf(world, process.machine);
  return createJournal({
    ...options,
    ...(journal === 'has-all' && { hasAllRequests: true }),
    ...(journal === 'sends-without-entry' && { onStoreFailure: 'send' }),
  });
}
