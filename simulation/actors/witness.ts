import { CardPlatformClient } from '../../src/client.js';
import { createJournal } from '../../src/journal/journal.js';
import type { MockUser } from '../../src/testing/state.js';
import type { Random } from '../engine/random.js';
import type { Call } from '../world/ledger.js';
import { OPERATIONS, type Operation } from '../world/operations.js';
import { feeInHistory, noteToken } from '../world/platform.js';
import { Machine, type Process } from '../world/process.js';
import { openStore } from '../world/store.js';
import type { World } from '../world/world.js';
import { keepRunning } from './actor.js';
import { invokeOn, makeCall } from './call.js';
import { clientOptions } from './client-options.js';

const MINUTE_MS = 60_000;
/** How far its withdrawals are apart: each is looked up, and settled, before the next one. */
const APART_MS = 45 * MINUTE_MS;
const WITHDRAWALS = 5;
/** When it looks after each withdrawal. The last look must decide it. */
const LOOKS_MS = [MINUTE_MS, 8 * MINUTE_MS, 20 * MINUTE_MS];
/** After some, the user does not wait for the journal: the same amount is withdrawn again, at once. */
const isWantedAgain = (index: number) => index % 2 === 0;

const mustBeDecided = (world: World, call: Call | undefined) =>
  feeInHistory(world) === 0 && !isWantedAgain(Number(call?.intention.input?.['amount']) - 1);

function operationOf(id: Operation['id']): Operation {
  const found = OPERATIONS.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
}

/** What the service refuses: more money than there is, and a card that does not exist. */
const REFUSED: readonly [Operation['id'], Readonly<Record<string, unknown>> | undefined][] = [
  ['wallets.credit.withdraw', { amount: '999999999999' }],
  ['card.unfreeze', undefined],
  ['card.freeze', undefined],
];

/**
 * A program that starts when the last fault is over, with an account of its own. The response to each
 * withdrawal gets lost, whether it was executed or not. Usually nothing else happens at that time, so
 * the journal must know in the end what became of it.
 */
class Witness {
  readonly #world: World;
  readonly #process: Process;
  readonly #random: Random;
  readonly #user: MockUser;
  readonly #client: CardPlatformClient;

  constructor(world: World, process: Process, random: Random, user: MockUser) {
    this.#world = world;
    this.#process = process;
    this.#random = random;
    this.#user = user;
    const token = noteToken(world, world.mock.accessTokenFor(user), user);
    this.#client = new CardPlatformClient({
      ...clientOptions(world, process, random),
      accessToken: token,
      journal: createJournal({
        store: openStore(world, process),
        user: user.id,
        hasAllRequests: true,
      }),
    });
    const after = (ms: number, run: () => Promise<void>) =>
      world.scheduler.after(ms, process, () => {
        run().catch((error: unknown) => world.claim('settled-entry-is-decided', String(error)));
      });
    for (let index = 0; index < WITHDRAWALS; index++) {
      const start = random.between(1, 10) * MINUTE_MS + index * APART_MS;
      after(start, () => this.#withdraw(`${index + 1}`, isWantedAgain(index)));
      for (const later of LOOKS_MS) after(start + later, () => this.#look(later));
    }
    after(WITHDRAWALS * APART_MS, async () => {
      for (const [id, input] of REFUSED) await this.#call(id, input);
    });
  }

  async #withdraw(amount: string, again: boolean): Promise<void> {
    // A response before it shows the journal the time of the service.
    await this.#call('wallets.credit.get', undefined);
    await this.#call('wallets.credit.withdraw', { amount });
    // The response to this one arrives: see `isOfWitness`.
    if (again) await this.#call('wallets.credit.withdraw', { amount: `${amount}.0` });
  }

  async #call(id: Operation['id'], input: Readonly<Record<string, unknown>> | undefined) {
    const intention = this.#world.ledger.newIntention(this.#user, operationOf(id), input);
    await makeCall(this.#world, this.#process, intention, this.#random, {
      hasJournal: true,
      invoke: invokeOn(this.#client, intention),
    });
  }

  /**
   * Looks up the open requests. The last look must decide one that was not wanted again, unless the
   * history shows another amount than the request had.
   */
  async #look(later: number): Promise<void> {
    const { journal } = this.#client;
    for (const entry of await journal.pending()) {
      const call = this.#world.ledger.entries.callOf(entry);
      const { verdict, reason } = await journal.reconcile(entry);
      if (call !== undefined) this.#world.happen({ kind: 'reconciled', call, verdict });
      if (verdict !== 'undecided') await journal.remove(entry, verdict);
      else if (later === LOOKS_MS.at(-1) && mustBeDecided(this.#world, call)) {
        this.#world.claim('settled-entry-is-decided', `${entry.operation}: ${reason}`);
      }
    }
  }
}

/** A program whose journal must decide everything. */
export function startWitness(world: World): void {
  world.whenCalm.push(() => {
    // Not earlier: the worlds before the calm end stay as they were.
    const user = world.mock.users.add({
      creditBalance: '100000',
      externalWallets: [{ balance: '50', allowance: '20' }],
    });
    keepRunning(world, new Machine('witness'), 'witness', (process, random) => {
      new Witness(world, process, random, user);
    });
  });
}
