import { CardPlatformClient } from '../../src/client.js';
import type { DelegationResult } from '../../src/delegation/options.js';
import type { DelegationProgress } from '../../src/delegation/progress.js';
import type { DelegationRuntime } from '../../src/delegation/runtime.js';
import { type DelegationState, delegationStateOf } from '../../src/delegation/state.js';
import { isCardPlatformError } from '../../src/errors/index.js';
import { createDelegation as createEvmDelegation, delegateEvm } from '../../src/evm/index.js';
import {
  createDelegation as createSolanaDelegation,
  delegateSolana,
} from '../../src/solana/index.js';
import type { KeyValueStore } from '../../src/stores/key-value-store.js';
import type { MockUser } from '../../src/testing/state.js';
import { nextStepOf } from '../../src/transport/outcome/outcome-of-error.js';
import type { ChainTransaction } from '../chains/chain.js';
import type { DelegationScene, Wanted } from '../chains/delegation-scene.js';
import { EvmScene } from '../chains/evm-scene.js';
import { SolanaScene } from '../chains/solana-scene.js';
import type { Random } from '../engine/random.js';
import { noteToken } from '../world/platform.js';
import { Machine, type Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { keepRunning, repeat } from './actor.js';
import { showValue } from './call.js';
import { chosenStore, clientOptions } from './client-options.js';

const FLIGHTS = Symbol.for('card-platform-sdk.delegations');
const SAVED = 'wanted';

/** What a page keeps, so that it can continue after a reload. */
type Saved = Wanted & {
  readonly mayAskAgain: boolean;
  /** Whether the approval that the flow keeps is to be replaced. */
  readonly replaces: boolean;
  /** How often in a row the flow did not know whether the wallet had sent. */
  readonly unknown: number;
  readonly state?: DelegationState;
};

/** After that many runs, the user looks at the chain instead. */
const MOST_UNKNOWN = 4;

/** One click: the page that delegates, and what it passes to the flow. */
type Click = {
  readonly process: Process;
  readonly random: Random;
  readonly client: CardPlatformClient;
  readonly wanted: Wanted;
  readonly isAgain: boolean;
  readonly runtime: DelegationRuntime;
  readonly onProgress: (event: DelegationProgress) => void;
};

/** How to delegate on one kind of chain. */
type Place = {
  readonly scene: DelegationScene<ChainTransaction>;
  /** The flow whose caller keeps the state. */
  delegate(click: Click, resume: DelegationState | undefined): Promise<DelegationResult>;
  /** The flow that keeps its own state, in a store. */
  delegateStored(
    click: Click,
    store: KeyValueStore,
    how: { replaces: boolean; isResuming: boolean },
  ): Promise<Omit<DelegationResult, 'state'> | undefined>;
};

/** What both flows of a chain get, whatever the chain. */
type Common = { readonly client: CardPlatformClient; readonly runtime: DelegationRuntime };

/** What the flow gets whose caller keeps the state. */
type Kept = Common & {
  readonly amount: string;
  readonly approveAgain: boolean;
  readonly onProgress: Click['onProgress'];
  readonly resume?: DelegationState;
};

/** A delegation that keeps its own state. */
type Stored = {
  start(input: { amount: string; replace: boolean }): ReturnType<Place['delegateStored']>;
  resume(input: { replace: boolean }): ReturnType<Place['delegateStored']>;
};

/** The scene of a chain, with the options that it passes to the flows. */
type ChainScene<Options> = {
  readonly scene: unknown;
  optionsFor(process: Process, random: Random, wanted: Wanted, isAgain: boolean): Options;
};

function placeOf<Options>(
  chain: ChainScene<Options>,
  delegate: (options: Options & Kept) => Promise<DelegationResult>,
  create: (options: Options & Common & { readonly store: KeyValueStore }) => Stored,
): Place {
  const optionsFor = ({ process, random, wanted, isAgain, client, runtime }: Click) => ({
    ...chain.optionsFor(process, random, wanted, isAgain),
    client,
    runtime,
  });
  return {
    scene: chain.scene as DelegationScene<ChainTransaction>,
    delegate: (click, resume) =>
      delegate({
        ...optionsFor(click),
        amount: click.wanted.amount,
        approveAgain: click.isAgain,
        onProgress: click.onProgress,
        ...(resume !== undefined && { resume }),
      }),
    delegateStored: (click, store, { replaces, isResuming }) => {
      const replace = replaces || click.isAgain;
      const delegation = create({ ...optionsFor(click), store });
      return isResuming
        ? delegation.resume({ replace })
        : delegation.start({ amount: click.wanted.amount, replace });
    },
  };
}

const evmPlace = (world: World, user: MockUser) =>
  placeOf(
    new EvmScene(world, user),
    (options) => delegateEvm(options),
    (options) => createEvmDelegation(options),
  );

const solanaPlace = (world: World, user: MockUser) =>
  placeOf(
    new SolanaScene(world, user),
    (options) => delegateSolana(options),
    (options) => createSolanaDelegation(options),
  );

/** A store after which the page goes on, if it is still there. */
function storeOf(world: World, process: Process): KeyValueStore {
  const store = chosenStore(world, process);
  const whenDone = async <R>(run: () => R): Promise<Awaited<R>> => {
    try {
      return await run();
    } finally {
      await world.scheduler.sleep(0, process);
    }
  };
  return {
    get: (key) => whenDone(() => store.get(key)),
    set: (key, value) => whenDone(() => store.set(key, value)),
    delete: (key) => whenDone(() => store.delete(key)),
    update: (key, change) => whenDone(() => store.update(key, change)),
  };
}

/** A page that lets its user delegate a wallet, and continues after each reload and failure. */
class DelegationPage {
  readonly #world: World;
  readonly #process: Process;
  readonly #random: Random;
  readonly #place: Place;
  readonly #client: CardPlatformClient;
  readonly #store: KeyValueStore | undefined;
  #isRunning = false;

  constructor(
    world: World,
    process: Process,
    {
      random,
      place,
      user,
      isStored,
    }: {
      random: Random;
      place: Place;
      user: MockUser;
      /** Whether the flow keeps its own state. */
      isStored: boolean;
    },
  ) {
    this.#world = world;
    this.#process = process;
    this.#random = random;
    this.#place = place;
    this.#store = isStored ? storeOf(world, process) : undefined;
    let token = noteToken(world, world.mock.accessTokenFor(user), user);
    this.#client = new CardPlatformClient({
      ...clientOptions(world, process, random),
      accessToken: ({ reason }) => {
        if (reason === 'rejected') {
          token = noteToken(world, world.mock.accessTokenFor(user), user);
        }
        return token;
      },
    });
    // This page does not know the flows of the one before it, which may have died while it started one.
    const flights = Reflect.get(globalThis, FLIGHTS) as Map<string, unknown>;
    for (const key of flights.keys()) {
      if (key.startsWith(`${place.scene.rules.name} `)) flights.delete(key);
    }
    repeat(world, process, random, 25, () => this.#click());
    // A page that was open before the crash continues.
    if (this.#saved !== undefined) world.scheduler.after(3_000, process, () => void this.#click());
  }

  get #saved(): Saved | undefined {
    const text = this.#process.machine.disk.get(SAVED);
    return text === undefined ? undefined : JSON.parse(text);
  }

  #save(saved: Saved | undefined): void {
    if (!this.#process.isAlive) return;
    const { disk } = this.#process.machine;
    if (saved === undefined) disk.delete(SAVED);
    else disk.set(SAVED, JSON.stringify(saved));
  }

  /** Starts a delegation now and then, and continues the one that is open. */
  async #click(): Promise<void> {
    if (this.#isRunning) return;
    const known = this.#saved;
    if (known === undefined && !this.#random.chance(0.5)) return;
    const { scene } = this.#place;
    const saved = known ?? this.#newWish(false);
    this.#save(saved);
    this.#isRunning = true;
    await this.#run(saved, known !== undefined).finally(() => {
      this.#isRunning = false;
      if (this.#process.isAlive) scene.rest();
    });
  }

  #newWish(replaces: boolean): Saved {
    const wanted = this.#place.scene.newIntention(this.#random);
    return { ...wanted, mayAskAgain: false, replaces, unknown: 0 };
  }

  async #run(saved: Saved, isKnown: boolean): Promise<void> {
    const { scene } = this.#place;
    const { intention, state } = saved;
    const isAgain = saved.mayAskAgain && scene.mayAskAgain(intention);
    scene.activate();
    this.#world.note(
      `${this.#process.name} delegates ${intention} ${state?.approval?.status ?? '-'}`,
    );
    try {
      const result = await this.#delegate(saved, isAgain, isKnown);
      if (!this.#process.isAlive) return;
      this.#world.note(`${this.#process.name} has delegated ${intention} ${result.registration}`);
      scene.leave(intention);
      scene.checkResult(saved, result);
      showValue(this.#world, 'the result of a delegation', result);
      this.#save(undefined);
    } catch (error) {
      if (this.#process.isAlive) this.#fail(saved, error);
    }
  }

  /** Runs the flow, from the state that the page has kept or the one in the store. */
  async #delegate(
    saved: Saved,
    isAgain: boolean,
    isKnown: boolean,
  ): Promise<Omit<DelegationResult, 'state'>> {
    const { scheduler } = this.#world;
    const process = this.#process;
    const click: Click = {
      process,
      random: this.#random,
      client: this.#client,
      wanted: saved,
      isAgain,
      onProgress: ({ state }) => {
        this.#save({ ...saved, mayAskAgain: false, state });
        if (this.#random.chance(0.1)) process.onCall();
      },
      runtime: {
        now: process.clock.now,
        sleep: (ms) => scheduler.sleep(ms, process),
      },
    };
    if (this.#store === undefined) return this.#place.delegate(click, saved.state);
    if (this.#random.chance(0.5)) process.onCall();
    const { replaces } = saved;
    const isResuming = isKnown && !replaces && this.#random.chance(0.5);
    const start = (how: { replaces: boolean; isResuming: boolean }) =>
      this.#place.delegateStored(click, this.#store as KeyValueStore, how);
    const resumed = await start({ replaces, isResuming });
    // The page died before the flow had kept anything.
    return resumed ?? ((await start({ replaces, isResuming: false })) as DelegationResult);
  }

  #fail(saved: Saved, error: unknown): void {
    const { scene } = this.#place;
    const { code = '' } = Object(error) as { code?: string };
    const state = delegationStateOf(error);
    this.#world.note(`${this.#process.name} ends ${saved.intention} ${code}`);
    showValue(this.#world, 'the error of a delegation', error);
    scene.leave(saved.intention);
    if (!isCardPlatformError(error)) this.#world.claim('no-stray-error', String(error));
    if (state !== undefined) scene.checkError(saved, code, state.approval !== undefined);
    const soon = this.#random.between(2_000, 90_000);
    this.#world.scheduler.after(soon, this.#process, () => void this.#click());
    const { approvedAmount } = Object(error) as { approvedAmount?: string };
    const isUnknown = code === 'approval_unknown';
    // What the flow keeps is of an earlier wish, which the user has given up, until the wallet was asked.
    const isOfOther = code === 'state_mismatch' && this.#store !== undefined && scene.isQuiet();
    const replaces = (saved.replaces || isOfOther) && !scene.wasAsked(saved.intention);
    const next = {
      ...saved,
      // The user has set another limit in the wallet, and keeps it.
      amount: approvedAmount ?? saved.amount,
      mayAskAgain: isUnknown,
      replaces,
      unknown: isUnknown ? saved.unknown + 1 : 0,
      ...(state !== undefined && { state }),
    };
    // What the flow cannot find, the user finds in the wallet, and then wants another limit.
    const isSeen = next.unknown > MOST_UNKNOWN && !scene.mayAskAgain(saved.intention);
    const step = isSeen && scene.isSettled(saved.intention) ? 'replace' : nextStepOf(error);
    if (step === 'contact') this.#save(undefined);
    else if (step === 'replace') this.#save(this.#newWish(true));
    else this.#save(next);
  }
}

/** A page on a machine of its own, which uses one of the two ways to keep the state. */
function startDelegator(
  world: World,
  name: string,
  placeOf: (world: World, user: MockUser) => Place,
): void {
  const user = world.mock.users.add({});
  const place = placeOf(world, user);
  const isStored = world.random.fork(`keeper of ${name}`).chance(0.5);
  const machine = new Machine(name);
  world.atEnd.push(() => {
    const text = machine.disk.get(SAVED);
    if (text !== undefined) world.claim('delegation-ends', text.slice(0, 300));
    return undefined;
  });
  keepRunning(
    world,
    machine,
    `${name}-page`,
    (process, random) => {
      new DelegationPage(world, process, { random, place, user, isStored });
    },
    90,
  );
}

/** A user who delegates an EVM wallet. */
export function startEvmDelegator(world: World): void {
  startDelegator(world, 'evm', evmPlace);
}

/** A user who delegates a Solana wallet. */
export function startSolanaDelegator(world: World): void {
  startDelegator(world, 'solana', solanaPlace);
}
