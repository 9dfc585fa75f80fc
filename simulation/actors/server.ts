import { CardPlatformClient } from '../../src/client.js';
import type { MockCredentials, MockUser } from '../../src/testing/state.js';
import type { NewUser } from '../../src/testing/users.js';
import type { AccessTokenProvider } from '../../src/transport/credentials/credentials.js';
import type { Random } from '../engine/random.js';
import type { Call } from '../world/ledger.js';
import { drawOperation, LOGIN, type Operation } from '../world/operations.js';
import { Machine, type Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { keepRunning, repeat, repeatAtFullHours } from './actor.js';
import { invokeOn, makeCall, pursue } from './call.js';
import { chosenJournal, chosenStore, clientOptions } from './client-options.js';
import { type LookUp, lookUpAll } from './look-up.js';

/** Something that a user of a server wants. */
export type Wish = {
  readonly user: MockUser;
  readonly operation: Operation;
  /** How much later than the first wish of the same moment, in milliseconds. */
  readonly delay: number;
};

/** The users of a server, and what they do with it. */
type Habits = {
  readonly users: readonly MockUser[];
  /** The credentials of their tenant. */
  readonly credentials: Readonly<MockCredentials>;
  /** The time from one moment to the next, on average. */
  readonly meanMinutes: number;
  /** What users want at one moment. */
  wish(random: Random): readonly Wish[];
};

/**
 * A server process with one client for many users: the token provider finds out whose token to
 * return.
 */
class Server {
  readonly #world: World;
  readonly #process: Process;
  readonly #random: Random;
  readonly #habits: Habits;
  readonly #client: CardPlatformClient;
  readonly #tokens: Map<string, string>;
  /** The user of the request that the server handles, as a context of its framework knows it. */
  #current: MockUser | undefined;

  constructor(
    world: World,
    process: Process,
    random: Random,
    habits: Habits,
    tokens: Map<string, string>,
  ) {
    this.#world = world;
    this.#process = process;
    this.#random = random;
    this.#habits = habits;
    this.#tokens = tokens;
    const journal = chosenJournal(world, process, { store: chosenStore(world, process) });
    const options = { ...clientOptions(world, process, random), ...habits.credentials, journal };
    this.#client = new CardPlatformClient({ ...options, accessToken: this.#provider() });
    repeat(world, process, random, habits.meanMinutes, () => this.#serve());
    repeat(world, process, random, 150, () => this.#lookUp());
    repeatAtFullHours(world, process, () => void this.#lookUp());
    repeat(world, process, random, 300, () => this.#loseCard());
    world.scheduler.after(random.between(10, 4_000), process, () => void this.#lookUp());
  }

  #provider(): AccessTokenProvider {
    return async ({ reason, rejectedToken }) => {
      const user = reason === 'request' ? this.#current : this.#userOf(rejectedToken ?? 'no token');
      const { faults, scheduler } = this.#world;
      await scheduler.sleep(this.#random.between(0, 40), this.#process);
      if (this.#random.chance(this.#world.intensity * 0.03) && faults.take('provider')) {
        if (this.#random.chance(0.3)) await scheduler.sleep(300_000, this.#process);
        throw new Error('no session: the database is down');
      }
      if (user === undefined) throw new Error('the server does not know whose request it is');
      const known = this.#tokens.get(user.id);
      if (known !== undefined && known !== rejectedToken) return known;
      return this.#logIn(user);
    };
  }

  #userOf(token: string): MockUser | undefined {
    const issued = this.#world.ledger.tokens.get(token);
    return this.#habits.users.find(({ id }) => id === issued?.userId);
  }

  async #logIn(user: MockUser): Promise<string> {
    const { email, password, environment: region } = user;
    const intention = this.#world.ledger.newIntention(user, LOGIN, { email, password });
    const { result } = await makeCall(this.#world, this.#process, intention, this.#random, {
      // A login has no entry: nobody needs to know what became of it.
      hasJournal: false,
      invoke: (options) => this.#client.auth.login({ email, password }, { ...options, region }),
    });
    const { accessToken } = Object(result) as { accessToken?: string };
    if (accessToken === undefined) throw new Error('the login failed');
    this.#tokens.set(user.id, accessToken);
    return accessToken;
  }

  /** Handles the requests of one moment. */
  async #serve(): Promise<void> {
    for (const { user, operation, delay } of this.#habits.wish(this.#random)) {
      this.#world.scheduler.after(delay, this.#process, () => void this.#act(user, operation));
    }
  }

  /** A user loses the card, so that a new one can be ordered. */
  async #loseCard(): Promise<void> {
    const { mock, replica } = this.#world;
    const { users, cards } = mock;
    const user = users.get(this.#random.pick(this.#habits.users).id);
    if (user.card?.status !== 'ACTIVE') return;
    replica.keep(user);
    cards.block(user);
  }

  async #act(user: MockUser, operation: Operation, repeated?: Call): Promise<void> {
    const { mock, ledger } = this.#world;
    const input = operation.input(mock.users.get(user.id), this.#random, mock.state);
    if (repeated === undefined && input === null) return;
    const intention =
      repeated?.intention ?? ledger.newIntention(user, operation, input ?? undefined);
    const invoke = invokeOn(this.#client, intention);
    const { call } = await pursue(this.#world, this.#process, intention, this.#random, {
      hasJournal: true,
      invoke: (options, one) => {
        this.#current = user;
        const started = invoke({ ...options, region: user.environment } as typeof options, one);
        this.#current = undefined;
        return started;
      },
    });
    // Usually the user looks up the result soon, or the server everything.
    if (call.outcome !== 'unknown' || !this.#random.chance(0.8)) return;
    const soon = this.#random.between(100, this.#random.pick([2_000, 20_000, 100_000]));
    const only = this.#random.chance(0.5) ? call : undefined;
    this.#world.scheduler.after(soon, this.#process, () => void this.#lookUp(only));
  }

  async #lookUp(only?: Call): Promise<void> {
    const client = this.#client;
    const place: LookUp = {
      anyJournal: () => client.journal,
      journalFor: async ({ intention: { user } }) => {
        // Sometimes with the client of another user, who must learn nothing.
        const isOther = only === undefined && this.#random.chance(0.3);
        const who = isOther ? this.#random.pick(this.#habits.users) : user;
        const token = this.#tokens.get(who.id);
        return token === undefined ? undefined : client.withAccessToken(token).journal;
      },
      again: (call) => {
        const { user, operation } = call.intention;
        void this.#act(user, operation, call);
      },
    };
    await lookUpAll(this.#world, this.#process, this.#random, place, only);
  }
}

/** Runs a server of two processes that share a database. */
export function runServer(world: World, name: string, habits: Habits): void {
  for (const { password } of habits.users) world.ledger.secrets.add(password, 'password');
  const machine = new Machine(name);
  const tokens = new Map<string, string>();
  for (const program of [`${name}-1`, `${name}-2`]) {
    keepRunning(world, machine, program, (process, random) => {
      new Server(world, process, random, habits, tokens);
    });
  }
}

/** A server for three users in two regions. */
export function startServer(world: World): void {
  const { mock } = world;
  const rich = { creditBalance: '100000', card: 'ACTIVE' } as const;
  const wallets: NewUser['wallets'] = [
    { network: 'linea', currency: 'usdc', balance: '100000', isLinked: true },
    { network: 'linea', currency: 'usdt', balance: '100000' },
  ];
  const externalWallets = [{ balance: '50', allowance: '20' }];
  const users = [
    mock.users.add({ ...rich, wallets, externalWallets, password: 'ada-password-1' }),
    mock.users.add({
      ...rich,
      wallets,
      externalWallets,
      environment: 'us',
      password: 'bob-password-2',
    }),
    mock.users.add({ wallets, externalWallets, faucet: 'declined', password: 'cy-password-3' }),
  ];
  runServer(world, 'server', {
    users,
    credentials: mock.credentials,
    meanMinutes: 60,
    // Sometimes several at once.
    wish: (random) => {
      const count = random.chance(0.3) ? random.between(2, 4) : 1;
      return Array.from({ length: count }, () => {
        return { user: random.pick(users), operation: drawOperation(random), delay: 0 };
      });
    },
  });
}
