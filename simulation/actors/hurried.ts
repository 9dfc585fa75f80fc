import { CardPlatformClient } from '../../src/client.js';
import { createJournal } from '../../src/journal/journal.js';
import type { MockUser } from '../../src/testing/state.js';
import type { Random } from '../engine/random.js';
import type { Call, Intention } from '../world/ledger.js';
import { operationOf } from '../world/operations.js';
import { noteToken } from '../world/platform.js';
import { Machine, type Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { keepRunning, repeat } from './actor.js';
import { invokeOn, makeCall, showValue } from './call.js';
import { chosenStore, clientOptions } from './client-options.js';
import { lookUpAll } from './look-up.js';

/** What it does in a row, each step right after the other. */
const ROWS = [
  [operationOf('card.freeze'), operationOf('card.unfreeze')],
  [operationOf('wallets.credit.withdraw')],
];

/**
 * A program that changes its mind: it undoes what it has just done, and looks up a lost request at
 * once. It also reads whole histories.
 */
class Hurried {
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
    let token = noteToken(world, world.mock.accessTokenFor(user), user);
    this.#client = new CardPlatformClient({
      ...clientOptions(world, process, random),
      accessToken: ({ reason }) => {
        if (reason === 'rejected') token = noteToken(world, world.mock.accessTokenFor(user), user);
        return token;
      },
      journal: createJournal({
        store: chosenStore(world, process),
        user: user.id,
        hasAllRequests: true,
      }),
    });
    repeat(world, process, random, 50, () => this.#act());
    repeat(world, process, random, 200, () => this.#readHistory());
    repeat(world, process, random, 200, () => this.#lookUp());
    world.scheduler.after(random.between(10, 4_000), process, () => void this.#lookUp());
  }

  async #act(): Promise<void> {
    const { ledger, mock } = this.#world;
    for (const operation of this.#random.pick(ROWS)) {
      const user = mock.users.get(this.#user.id);
      const input = operation.input(user, this.#random, mock.state);
      if (input === null) continue;
      await this.#call(ledger.newIntention(user, operation, input));
    }
  }

  async #call(intention: Intention): Promise<void> {
    const { call } = await makeCall(this.#world, this.#process, intention, this.#random, {
      hasJournal: true,
      invoke: invokeOn(this.#client, intention),
    });
    if (call.outcome === 'unknown') await this.#lookUp();
  }

  #lookUp(): Promise<void> {
    return lookUpAll(this.#world, this.#process, this.#random, {
      anyJournal: () => this.#client.journal,
      journalFor: async () => this.#client.journal,
      again: (call: Call) => void this.#call(call.intention),
    });
  }

  /** Reads a history to its end. Entries that arrive meanwhile may repeat others, and hide none. */
  async #readHistory(): Promise<void> {
    const { mock, replica } = this.#world;
    const { creditWallet, transactions } = mock.users.get(this.#user.id);
    const before = transactions[creditWallet.id] ?? [];
    const found = new Map<string, number>();
    const countOf = (rows: readonly { date: string; sign: string }[]) => {
      for (const { date, sign } of rows) {
        found.set(`${date} ${sign}`, (found.get(`${date} ${sign}`) ?? 0) + 1);
      }
    };
    try {
      const wallet = { walletId: creditWallet.id, walletType: 'CREDIT' } as const;
      countOf(
        await this.#client.wallets.history.toArray(wallet, { limit: 10_000, maxPages: 1_000 }),
      );
    } catch (error) {
      if (this.#process.isAlive) showValue(this.#world, 'the error of a history', error);
      return;
    }
    // One page may be older than the page before it.
    if (replica.lags || !this.#process.isAlive) return;
    const missing = before.find(({ date, sign }) => {
      const left = (found.get(`${date} ${sign}`) ?? 0) - 1;
      found.set(`${date} ${sign}`, left);
      return left < 0;
    });
    if (missing !== undefined) {
      this.#world.claim('history-is-whole', `a ${missing.sign} of ${missing.date} is missing`);
    }
  }
}

/** A program in a hurry, with an account of its own. */
export function startHurried(world: World): void {
  const user = world.mock.users.add({
    creditBalance: '100000',
    card: 'ACTIVE',
    externalWallets: [{ balance: '50', allowance: '20' }],
  });
  keepRunning(world, new Machine('hurried'), 'hurried', (process, random) => {
    new Hurried(world, process, random, user);
  });
}
