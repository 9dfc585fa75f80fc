import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import { renewOAuth } from '../../src/observed/oauth/renew-oauth.js';
import { sessionTokens } from '../../src/observed/oauth/session-tokens.js';
import { createSessions, type Sessions } from '../../src/sessions/index.js';
import { RUNS as PROPERTY_RUNS } from '../properties/runs.js';
import { json } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

/** 1,000 in CI. `SESSION_RUNS` repeats it more often. */
const RUNS = Number(process.env['SESSION_RUNS'] ?? Math.min(PROPERTY_RUNS, 1_000));

const NETWORK = [
  'works',
  'works',
  'works',
  'loses requests',
  'loses responses',
  'is down',
] as const;
type Network = (typeof NETWORK)[number];

type Action =
  | { do: 'call' | 'kill' | 'reload'; process: number }
  | { do: 'pass time'; minutes: number; isQuiet: boolean }
  | { do: 'network'; network: Network };

const processOf = fc.nat(2);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('call' as const), process: processOf }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const), process: processOf }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const), process: processOf }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass time' as const),
      minutes: fc.constantFrom(1, 3, 56, 61),
      isQuiet: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('network' as const),
      network: fc.constantFrom(...NETWORK),
    }),
  },
);

const tick = () => new Promise((resolve) => setImmediate(resolve));

/**
 * A part of an app that can die at any moment. After that, nothing that it waits for ever resolves.
 */
type Process = { isDead: boolean; onDeath: (() => void)[]; sessions: Sessions };

/** The state of a refresh token. `free`: it can be sent. */
type Fate = 'free' | 'in flight' | 'spent' | 'unclear';

/** A service that rotates refresh tokens, three processes with one store, and an unreliable network. */
class World {
  readonly #scheduler: fc.Scheduler;
  readonly #clock = new FakeClock({ auto: false });
  readonly #entries = new Map<string, string>();
  readonly #running: Promise<unknown>[] = [];
  readonly #processes: Process[] = [];
  readonly #locks = new Map<string, Promise<unknown>>();
  readonly #fates = new Map<string, Fate>();
  #network: Network = 'works';
  #issued = 0;
  #accessToken = '';
  readonly violations: string[] = [];
  /** Events that may have made the state of a token unknown. */
  readonly losses = new Set<string>();
  refreshes = 0;

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler;
  }

  async start(): Promise<void> {
    for (let at = 0; at < 3; at++) this.#processes.push(this.#openProcess());
    const signedIn = this.#processes[0]?.sessions.signIn(
      sessionTokens(this.#issue(), 'oauth', 'ada'),
      { region: 'global' },
    );
    this.#running.push(Promise.resolve(signedIn));
    await this.finish();
  }

  #issue() {
    this.#issued++;
    this.#accessToken = `access-${this.#issued}`;
    this.#fates.set(`refresh-${this.#issued}`, 'free');
    return {
      access_token: this.#accessToken,
      refresh_token: `refresh-${this.#issued}`,
      expires_in: 3_600,
    };
  }

  /** Waits until the scheduler chooses this step, or forever if the process is dead by then. */
  async #turn(process: Process): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve());
    if (process.isDead) await new Promise<never>(() => {});
  }

  #openProcess(): Process {
    const process: Process = { isDead: false, onDeath: [], sessions: undefined as never };
    const client = new CardPlatformClient({
      baseUrl: 'https://api.example.com',
      clientKey: 'key',
      retry: false,
      clock: this.#clock,
      fetch: (_, init) => this.#serve(process, String(init.body)),
    });
    process.sessions = createSessions({
      store: {
        get: async (key) => {
          await this.#turn(process);
          return this.#entries.get(key);
        },
        update: async (key, change) => {
          await this.#turn(process);
          const next = change(this.#entries.get(key));
          if (next === undefined) this.#entries.delete(key);
          else this.#entries.set(key, next);
          // The process may die after the disk has stored the data, and before it knows that.
          await this.#turn(process);
        },
        set: async (key, value) => {
          await this.#turn(process);
          this.#entries.set(key, value);
          // The process may die after the disk has stored the data, and before it knows that.
          await this.#turn(process);
        },
        delete: (key) => void this.#entries.delete(key),
      },
      locks: { request: (name, work) => this.#lock(process, name, work) },
      clock: this.#clock,
      renew: renewOAuth(client, { checkConnection: false }),
    });
    return process;
  }

  /** As `navigator.locks`: the lock of a dead page is free. */
  #lock(process: Process, name: string, work: () => Promise<void>): Promise<void> {
    const before = this.#locks.get(name) ?? Promise.resolve();
    const death = new Promise<void>((resolve) => {
      process.onDeath.push(resolve);
    });
    const done = before.then(() => (process.isDead ? undefined : work()));
    const released = Promise.race([done.catch(() => undefined), death.then(() => before)]);
    this.#locks.set(name, released);
    return done;
  }

  async #serve(process: Process, body: string): Promise<Response> {
    // A request that was already on its way to the network stack when the process died.
    if (process.isDead) await new Promise<never>(() => {});
    const { refresh_token: token } = JSON.parse(body);
    const fate = this.#fates.get(token);
    this.refreshes++;
    if (fate !== 'free') this.violations.push(`${token} was sent again when it was ${fate}`);
    this.#fates.set(token, 'in flight');
    const network = this.#network;
    process.onDeath.push(() => {
      if (this.#fates.get(token) === 'in flight') this.#lose(token, 'death');
    });
    await this.#scheduler.schedule(Promise.resolve());
    if (network === 'loses requests') return this.#fail(process, token, 'a lost request');
    if (network === 'is down') {
      await this.#turn(process);
      this.#fates.set(token, 'free');
      return json({ message: 'down' }, 503);
    }
    const tokens = this.#issue();
    if (network === 'loses responses') return this.#fail(process, token, 'a lost response');
    await this.#turn(process).finally(() => this.#fates.set(token, 'spent'));
    return json(tokens);
  }

  #lose(token: string, why: string): void {
    this.#fates.set(token, 'unclear');
    this.losses.add(why);
  }

  async #fail(process: Process, token: string, why: string): Promise<never> {
    this.#lose(token, why);
    await this.#turn(process);
    throw new TypeError('Network request failed');
  }

  perform(next: Action): void {
    const running = this.#perform(next);
    this.#running.push(Promise.resolve(running).catch(() => {}));
  }

  #perform(next: Action): unknown {
    if (next.do === 'network') {
      this.#network = next.network;
      return undefined;
    }
    if (next.do === 'pass time') {
      // Too slow for the time limit of a renewal, so its result is not used.
      if (!next.isQuiet) this.losses.add('slowness');
      return this.#clock.advance(next.minutes * 60_000);
    }
    const process = this.#processes[next.process];
    if (process === undefined) return undefined;
    if (next.do === 'call') {
      const death = new Promise<void>((resolve) => {
        process.onDeath.push(resolve);
      });
      const call = process.sessions.getSnapshot().session?.accessToken({ reason: 'request' });
      return Promise.race([call, death]);
    }
    if (next.do === 'kill') {
      // A renewal that has marked its token, and not sent it, is lost as well.
      this.losses.add('death');
      process.isDead = true;
      for (const tell of process.onDeath) tell();
    }
    const opened = this.#openProcess();
    this.#processes[next.process] = opened;
    return opened.sessions.load();
  }

  async step(count: number): Promise<void> {
    for (let at = 0; at < count; at++) {
      await tick();
      if (this.#scheduler.count() > 0) await this.#scheduler.waitOne();
    }
  }

  /** Runs everything that does not wait for a timer. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await tick();
      if (this.#scheduler.count() === 0) continue;
      await this.#scheduler.waitOne();
      quiet = -1;
    }
  }

  /** Runs everything that can run. */
  async finish(): Promise<void> {
    let isDone = false;
    Promise.all(this.#running).then(() => {
      isDone = true;
    });
    for (let round = 0; !isDone; round++) {
      if (round > 3_000) throw new Error('something never ends');
      await this.step(1);
      if (this.#scheduler.count() === 0) this.#clock.advance(1_000);
    }
  }

  /**
   * The service works, time passes, and a new process opens. Returns the token that it provides, or
   * why it has none.
   */
  async outcome(): Promise<{ reason: string | undefined; token: string | undefined }> {
    await this.finish();
    this.#network = 'works';
    this.#clock.advance(3 * 3_600_000);
    await this.step(20);
    const { sessions } = this.#openProcess();
    const loaded = sessions.load();
    this.#running.push(loaded);
    await this.finish();
    const { session } = await loaded;
    const token = Promise.resolve(session?.accessToken({ reason: 'request' })).catch(
      () => undefined,
    );
    this.#running.push(token);
    await this.finish();
    const snapshot = sessions.getSnapshot();
    const reason = snapshot.status === 'signed_out' ? snapshot.reason : undefined;
    return { reason, token: await token };
  }

  get accessToken(): string {
    return this.#accessToken;
  }
}

it('wherever a process dies and whatever the network loses, no refresh token is sent again once it may be used up, and nobody is signed out unless something was lost', async () => {
  const reasons = new Map<string, number>();
  let refreshes = 0;
  const steps = fc.array(fc.tuple(action, fc.nat(9)), { minLength: 4, maxLength: 30, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, async (scheduler, actions) => {
      const world = new World(scheduler);
      await world.start();
      for (const [next, count] of actions) {
        if (next.do === 'pass time' && next.isQuiet) await world.settle();
        world.perform(next);
        await world.step(count);
      }
      const { reason, token } = await world.outcome();
      expect(world.violations).toEqual([]);
      refreshes += world.refreshes;
      reasons.set(`${reason}`, (reasons.get(`${reason}`) ?? 0) + 1);
      if (reason === undefined) expect(token).toBe(world.accessToken);
      else {
        expect(reason).toBe('renewal_unknown');
        expect(world.losses.size).toBeGreaterThan(0);
      }
    }),
    { numRuns: RUNS },
  );
  // The runs must have reached the situations that they test.
  expect(refreshes).toBeGreaterThan(RUNS);
  expect(reasons.get('undefined')).toBeGreaterThan(0);
  expect(reasons.get('renewal_unknown')).toBeGreaterThan(0);
}, 300_000);
