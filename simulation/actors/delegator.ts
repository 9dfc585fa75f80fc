import { CardPlatformClient } from '../../src/client.js';
import type { DelegationState } from '../../src/delegation/state.js';
import type { MockUser } from '../../src/testing/state.js';
import { delegateToy, delegationStateOf } from '../../test/delegation/toy-chain/delegate.js';
import { TOY_CURRENCY, TOY_NETWORK } from '../../test/delegation/toy-chain/plan.js';
import type { Random } from '../engine/random.js';
import { DelegationScene } from '../world/delegation-scene.js';
import { noteToken } from '../world/platform.js';
import { Machine, type Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { keepRunning, repeat } from './actor.js';
import { showValue } from './call.js';
import { clientOptions } from './client-options.js';

const FLIGHTS = Symbol.for('card-platform-sdk.delegations');
const STATE = 'delegation';

/** The state that a page has saved, so that it can continue after a reload. */
type Saved = { intention: number; amount: string; mayAskAgain: boolean; state?: DelegationState };

/** A page that lets its user delegate a wallet, and continues after each reload and failure. */
class DelegationPage {
  readonly #world: World;
  readonly #process: Process;
  readonly #random: Random;
  readonly #place: DelegationScene;
  readonly #client: CardPlatformClient;
  #isRunning = false;

  constructor(
    world: World,
    process: Process,
    random: Random,
    user: MockUser,
    place: DelegationScene,
  ) {
    this.#world = world;
    this.#process = process;
    this.#random = random;
    this.#place = place;
    let token = noteToken(world, world.mock.accessTokenFor(user), user);
    this.#client = new CardPlatformClient({
      ...clientOptions(world, process, random),
      additions: { evmNetworks: [TOY_NETWORK], delegationCurrencies: [TOY_CURRENCY] },
      accessToken: ({ reason }) => {
        if (reason === 'rejected') {
          token = noteToken(world, world.mock.accessTokenFor(user), user);
        }
        return token;
      },
    });
    // The next page does not know the flows of one that is gone.
    process.onEnd(() => (Reflect.get(globalThis, FLIGHTS) as Map<string, unknown>).clear());
    repeat(world, process, random, 45, () => this.#click());
    // A page that was open before the crash continues.
    if (this.#saved !== undefined) world.scheduler.after(3_000, process, () => void this.#click());
  }

  get #saved(): Saved | undefined {
    const text = this.#process.machine.disk.get(STATE);
    return text === undefined ? undefined : JSON.parse(text);
  }

  #save(saved: Saved | undefined): void {
    if (!this.#process.isAlive) return;
    const { disk } = this.#process.machine;
    if (saved === undefined) disk.delete(STATE);
    else disk.set(STATE, JSON.stringify(saved));
  }

  /** Starts a delegation now and then, and continues the one that is open. */
  async #click(): Promise<void> {
    if (this.#isRunning) return;
    if (this.#saved === undefined && !this.#random.chance(0.5)) return;
    const saved = this.#saved ?? {
      intention: this.#place.newIntention(),
      amount: String(this.#random.between(10, 90)),
      mayAskAgain: false,
    };
    this.#isRunning = true;
    await this.#run(saved).finally(() => {
      this.#isRunning = false;
      if (this.#process.isAlive) this.#place.rest();
    });
  }

  async #run({ intention, amount, mayAskAgain, state }: Saved): Promise<void> {
    const { scheduler } = this.#world;
    const keep = (next: DelegationState, again = false) =>
      this.#save({ intention, amount, mayAskAgain: again, state: next });
    const place = this.#place;
    const approveAgain = mayAskAgain && place.mayAskAgain(intention);
    place.activate();

    this.#world.note(
      `${this.#process.name} delegates ${intention} ${state?.approval?.status ?? '-'}`,
    );
    try {
      const result = await delegateToy({
        client: this.#client,
        wallet: place.walletOf(this.#process, this.#random, intention, approveAgain),
        node: place.nodeOf(this.#process, this.#random),
        chainId: place.chain.id,
        owner: place.owner,
        spender: place.spender,
        amount: BigInt(amount),
        approveAgain,
        ...(state !== undefined && { resume: state }),
        onProgress: (event) => {
          keep(event.state);
          if (this.#random.chance(0.15)) this.#process.onCall();
        },
        runtime: {
          now: this.#process.clock.now,
          sleep: (ms) => scheduler.sleep(ms, this.#process),
        },
      });
      if (!this.#process.isAlive) return;
      this.#world.note(`${this.#process.name} has delegated ${intention} ${result.registration}`);
      place.checkResult(intention, result.amount);
      showValue(this.#world, 'the result of a delegation', result);
      this.#save(undefined);
    } catch (error) {
      if (!this.#process.isAlive) return;
      const { code = '' } = Object(error) as { code?: string };
      this.#world.note(`${this.#process.name} ends ${intention} ${code}`);
      showValue(this.#world, 'the error of a delegation', error);
      const next = delegationStateOf(error);
      if (next !== undefined) keep(next, code === 'approval_unknown');
      const soon = this.#random.between(2_000, 90_000);
      scheduler.after(soon, this.#process, () => void this.#click());
      // A delegation that cannot be finished: the user has set another limit, or starts again.
      if (/mismatch|raced/.test(code)) this.#save(undefined);
    }
  }
}

/** A user who delegates a wallet on the toy chain. */
export function startDelegator(world: World): void {
  const user = world.mock.users.add({});
  const place = new DelegationScene(world, user);
  keepRunning(
    world,
    new Machine('delegation'),
    'delegation-page',
    (process, random) => {
      new DelegationPage(world, process, random, user, place);
    },
    90,
  );
}
