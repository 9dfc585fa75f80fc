import { CardPlatformClient } from '../../src/client.js';
import { type RenewableSession, renewOAuth } from '../../src/observed/index.js';
import { createSessions, type Sessions } from '../../src/sessions/index.js';
import type { MockUser } from '../../src/testing/state.js';
import type { Random } from '../engine/random.js';
import { OPERATIONS } from '../world/operations.js';
import { noteToken } from '../world/platform.js';
import { Machine, type Process } from '../world/process.js';
import { openStore, openWebStorage } from '../world/store.js';
import type { World } from '../world/world.js';
import { keepRunning, repeat } from './actor.js';
import { invokeOn, makeCall, showValue } from './call.js';
import { clientOptions } from './client-options.js';
import { TabLocks } from './phone.js';

const HOUR_MS = 60 * 60_000;
const READS = OPERATIONS.filter(({ retryClass }) => retryClass === 'safe');

/** A tab of an app whose sessions have refresh tokens, of which the service takes each one once. */
class OAuthTab {
  readonly #world: World;
  readonly #process: Process;
  readonly #random: Random;
  readonly #user: MockUser;
  readonly #client: CardPlatformClient;
  readonly #sessions: Sessions;
  /** Whether the session began when no fault could happen any more. */
  #isOfCalm = false;

  constructor(
    world: World,
    process: Process,
    random: Random,
    { user, locks }: { user: MockUser; locks: TabLocks | undefined },
  ) {
    this.#world = world;
    this.#process = process;
    this.#random = random;
    this.#user = user;
    this.#client = new CardPlatformClient(clientOptions(world, process, random));
    const renew = renewOAuth(this.#client, { checkConnection: random.chance(0.3) });
    this.#sessions = createSessions({
      // A web storage needs a lock around each change.
      store: locks === undefined ? openStore(world, process) : openWebStorage(world, process),
      clock: process.clock,
      ...(locks !== undefined && { locks: locks.of(process) }),
      renew: (session) => this.#renew(session, renew),
    });
    this.#sessions.subscribe(() => this.#show());
    repeat(world, process, random, 12, () => this.#use());
    world.scheduler.after(random.between(10, 4_000), process, () => void this.#use());
  }

  /** Of an access token, in milliseconds: as the service issues it, or as a careful app counts it. */
  #lifetime(): number {
    return this.#random.pick([6, 2, 1]) * HOUR_MS;
  }

  async #renew(session: RenewableSession, renew: ReturnType<typeof renewOAuth>) {
    try {
      const tokens = await renew(session);
      if (tokens === undefined) return undefined;
      const { accessToken, refreshToken } = tokens;
      return { accessToken, refreshToken, expiresIn: this.#lifetime() };
    } catch (error) {
      showValue(this.#world, 'the error of a renewal', error);
      throw error;
    }
  }

  #show(): void {
    const snapshot = this.#sessions.getSnapshot();
    this.#world.show('the snapshot of a session', JSON.stringify(snapshot));
    if (snapshot.status !== 'signed_out' || !this.#isOfCalm) return;
    this.#isOfCalm = false;
    const { reason } = snapshot;
    if (reason === 'rejected' || reason === 'renewal_unknown') {
      this.#world.claim('healthy-session-stays', `an OAuth session was ended: ${reason}`);
    }
  }

  async #signIn(): Promise<void> {
    const { mock, ledger } = this.#world;
    const tokens = mock.observed.issueTokens(this.#user);
    const { access_token: accessToken, refresh_token: refreshToken } = tokens;
    noteToken(this.#world, accessToken, this.#user);
    ledger.secrets.add(refreshToken, 'refresh token');
    const expiresIn = this.#lifetime();
    const { id: userId } = this.#user;
    const { isCalm } = this.#world;
    try {
      await this.#sessions.signIn(
        { accessToken, refreshToken, expiresIn, userId },
        { region: 'global' },
      );
      this.#isOfCalm = isCalm;
    } catch (error) {
      if (this.#process.isAlive) showValue(this.#world, 'the error of a sign-in', error);
    }
  }

  /** Reads something. Both tabs are often used at the same moment, when a token is about to expire. */
  async #use(): Promise<void> {
    const snapshot = this.#sessions.getSnapshot();
    const { session } = snapshot;
    if (session === undefined) return this.#signIn();
    const operation = this.#random.pick(READS);
    const input = operation.input(this.#user, this.#random, this.#world.mock.state);
    if (input === null) return;
    const intention = this.#world.ledger.newIntention(this.#user, operation, input);
    await makeCall(this.#world, this.#process, intention, this.#random, {
      hasJournal: false,
      invoke: invokeOn(this.#client.withAccessToken(session.accessToken), intention),
    });
    if (snapshot.status !== 'signed_in') return;
    const rest = snapshot.expiresAt - this.#process.clock.now();
    if (rest > 0 && this.#random.chance(0.2))
      this.#world.scheduler.after(rest, this.#process, () => void this.#use());
  }
}

/** A tablet with two tabs of one app, whose user stays signed in with refresh tokens. */
export function startTablet(world: World): void {
  const user = world.mock.users.add({ creditBalance: '100', card: 'ACTIVE' });
  const machine = new Machine('tablet');
  // Without locks, as two servers that share a store.
  const locks = world.random.fork('tablet').chance(0.5) ? new TabLocks() : undefined;
  for (const name of ['tablet-1', 'tablet-2']) {
    keepRunning(world, machine, name, (process, random) => {
      new OAuthTab(world, process, random, { user, locks });
    });
  }
}
