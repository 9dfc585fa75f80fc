import { inspect } from 'node:util';
import { CardPlatformClient } from '../../src/client.js';
import { createSessions, type SessionLocks, type Sessions } from '../../src/sessions/index.js';
import type { MockUser } from '../../src/testing/state.js';
import type { NewUser } from '../../src/testing/users.js';
import type { Random } from '../engine/random.js';
import type { Call } from '../world/ledger.js';
import { drawOperation, LOGIN } from '../world/operations.js';
import { Machine, type Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { keepRunning, repeat } from './actor.js';
import { type Ended, invokeOn, makeCall, pursue, showValue } from './call.js';
import { chosenJournal, chosenStore, clientOptions } from './client-options.js';
import { lookUpAll } from './look-up.js';

const HOUR_MS = 60 * 60_000;

/** Locks that all tabs of a browser share. A tab that dies releases its locks. */
export class TabLocks {
  readonly #queues = new Map<string, Promise<void>>();

  of(process: Process): SessionLocks {
    return {
      request: (name, work) => {
        const before = this.#queues.get(name) ?? Promise.resolve();
        const died = new Promise<void>((resolve) => process.onEnd(resolve));
        const done = before.then(() => {
          if (!process.isAlive) return undefined;
          return Promise.race([work(), died]);
        });
        this.#queues.set(
          name,
          done.catch(() => undefined),
        );
        return done;
      },
    };
  }
}

const DAY_MS = 24 * 60 * 60_000;

/** One tab of an app on a device that several people use, one after the other. */
class Tab {
  readonly #world: World;
  readonly #process: Process;
  readonly #random: Random;
  readonly #users: readonly MockUser[];
  readonly #platform: CardPlatformClient;
  readonly #sessions: Sessions;

  constructor(
    world: World,
    process: Process,
    random: Random,
    { users, locks }: { users: readonly MockUser[]; locks: TabLocks },
  ) {
    this.#world = world;
    this.#process = process;
    this.#random = random;
    this.#users = users;
    const store = chosenStore(world, process);
    this.#platform = new CardPlatformClient({
      ...clientOptions(world, process, random),
      journal: chosenJournal(world, process, { store }),
    });
    this.#sessions = createSessions({
      store,
      clock: process.clock,
      locks: locks.of(process),
      // After some starts the app cannot renew, so that sessions expire.
      ...(random.chance(0.6) && {
        renew: async ({ userId }) => {
          const user = users.find(({ id }) => id === userId);
          return user && (await this.#tokens(user));
        },
      }),
    });
    this.#sessions.subscribe(() => this.#show());
    repeat(world, process, random, 50, () => this.#use());
    repeat(world, process, random, 240, () => this.#switchUser());
    repeat(world, process, random, 200, () => this.#lookUp());
    world.scheduler.after(random.between(10, 4_000), process, () => void this.#lookUp());
  }

  #show(): void {
    const snapshot = this.#sessions.getSnapshot();
    this.#world.show(
      'the snapshot of a session',
      `${JSON.stringify(snapshot)} ${inspect(snapshot)}`,
    );
    if (snapshot.status === 'signed_out') this.#requireReason(snapshot.reason);
    if (snapshot.status !== 'signed_in') return;
    // Off-by-one mistakes show at the moment at which a token expires.
    const rest = snapshot.expiresAt - this.#process.clock.now();
    if (rest <= 0 || !this.#random.chance(0.3)) return;
    this.#world.scheduler.after(rest, this.#process, () => void this.#use());
  }

  /** Without faults a session ends only if somebody signs out, or the service refuses its token. */
  #requireReason(reason: string | undefined): void {
    const { isCalm, ledger, now } = this.#world;
    if (!isCalm || (reason !== 'rejected' && reason !== 'renewal_unknown')) return;
    const { machine } = this.#process;
    // A token that was refused before the calm may end its session at its next use, and the other tab
    // learns of the end only when it reads the store.
    const isRefused =
      machine.refusedAt > now - DAY_MS ||
      ledger.calls.some(
        ({ startedInCalm, process, lastStatus = 0 }) =>
          process.machine === machine && startedInCalm && lastStatus >= 400 && lastStatus < 500,
      );
    if (!isRefused) this.#world.claim('healthy-session-stays', `a session was ended: ${reason}`);
  }

  async #logIn(user: MockUser): Promise<Ended> {
    const { email, password, environment: region } = user;
    const intention = this.#world.ledger.newIntention(user, LOGIN, { email, password });
    return makeCall(this.#world, this.#process, intention, this.#random, {
      // A login has no entry: nobody needs to know what became of it.
      hasJournal: false,
      invoke: (options) => this.#platform.auth.login({ email, password }, { ...options, region }),
    });
  }

  /** The tokens of a new login. */
  async #tokens(user: MockUser) {
    const ended = await this.#logIn(user);
    if ('error' in ended) throw ended.error;
    const { accessToken } = ended.result as { accessToken: string };
    const expiresIn = this.#random.pick([6 * HOUR_MS, 6 * HOUR_MS - 1, 2 * HOUR_MS]);
    this.#world.ledger.sessionEnds.set(accessToken, this.#process.clock.now() + expiresIn);
    return { accessToken, userId: user.id, expiresIn };
  }

  async #signIn(user: MockUser): Promise<void> {
    try {
      const tokens = await this.#tokens(user);
      await this.#sessions.signIn(tokens, { region: user.environment });
    } catch (error) {
      if (this.#process.isAlive) showValue(this.#world, 'the error of a sign-in', error);
    }
  }

  async #switchUser(): Promise<void> {
    try {
      if (this.#random.chance(0.5)) await this.#sessions.signOut();
    } catch (error) {
      if (this.#process.isAlive) showValue(this.#world, 'the error of a sign-out', error);
    }
    await this.#signIn(this.#random.pick(this.#users));
  }

  /** The user who is signed in, and a client for that session. */
  #session() {
    const snapshot = this.#sessions.getSnapshot();
    const user = this.#users.find(({ id }) => id === snapshot.session?.userId);
    if (snapshot.session === undefined || user === undefined) return undefined;
    return { user, client: this.#platform.withAccessToken(snapshot.session.accessToken) };
  }

  async #use(): Promise<void> {
    const session = this.#session();
    if (session === undefined) return this.#signIn(this.#random.pick(this.#users));
    const taps = this.#random.chance(0.25) ? 2 : 1;
    for (let tap = 0; tap < taps; tap++) void this.#act(session);
  }

  async #act(
    { user, client }: { user: MockUser; client: CardPlatformClient },
    repeated?: Call,
  ): Promise<void> {
    const { mock, ledger } = this.#world;
    const operation = repeated?.intention.operation ?? drawOperation(this.#random);
    const input = operation.input(mock.users.get(user.id), this.#random, mock.state);
    if (repeated === undefined && (input === null || operation.isServerOnly)) return;
    const intention =
      repeated?.intention ?? ledger.newIntention(user, operation, input ?? undefined);
    const invoke = invokeOn(client, intention);
    const { call, error } = await pursue(this.#world, this.#process, intention, this.#random, {
      hasJournal: true,
      invoke: (options, one) =>
        invoke({ ...options, region: user.environment } as typeof options, one),
    });
    // The service has ended the session.
    if (Object(error).status === 401) void this.#signIn(user);
    // Sometimes the user looks up the result at once.
    if (call.outcome !== 'unknown' || !this.#random.chance(0.5)) return;
    const soon = this.#random.between(100, 100_000);
    this.#world.scheduler.after(soon, this.#process, () => void this.#lookUp());
  }

  async #lookUp(): Promise<void> {
    await lookUpAll(this.#world, this.#process, this.#random, {
      anyJournal: () => this.#platform.journal,
      journalFor: async () => this.#session()?.client.journal,
      again: (call) => {
        const session = this.#session();
        if (session?.user.id === call.intention.user.id) void this.#act(session, call);
      },
    });
  }
}

/** A phone whose app has two tabs, and two users of different regions. */
export function startPhone(world: World): void {
  const { mock } = world;
  const wallets: NewUser['wallets'] = [
    { network: 'linea', currency: 'usdc', balance: '100000', isLinked: true },
  ];
  const externalWallets = [{ balance: '50', allowance: '20' }];
  const rich = { creditBalance: '100000', card: 'FROZEN', wallets, externalWallets } as const;
  const users = [
    mock.users.add({ ...rich, password: 'dee-password-4' }),
    mock.users.add({ ...rich, environment: 'us', password: 'eve-password-5' }),
  ];
  for (const { password } of users) world.ledger.secrets.add(password, 'password');
  const machine = new Machine('phone');
  const locks = new TabLocks();
  for (const name of ['phone-1', 'phone-2']) {
    keepRunning(world, machine, name, (process, random) => {
      new Tab(world, process, random, { users, locks });
    });
  }
}
