import type { DelegationDriver } from '../../../src/delegation/driver.js';
import type { DelegationState } from '../../../src/delegation/state.js';
import type { ToyDelegation } from '../toy-chain/plan.js';
import { clientOf, interact, nodeOf, walletOf } from './interact.js';
import { checkEnd, isDead } from './judge.js';
import { OWNER, type Page, type Prompt, type Run, type Saved, SPENDER } from './ledger.js';
import type { PackageCopy } from './pages.js';
import type { World } from './world.js';

/** Where a click starts from: the newest state, an older one, or nothing. */
export type From = { newest: true } | { older: number } | { nothing: true };

/** Faults that a test plants around the state machine, to show that the model finds them. */
export type Planted = {
  driver?: ((driver: DelegationDriver, copy: PackageCopy) => DelegationDriver) | undefined;
  plan?: ((plan: ToyDelegation) => ToyDelegation) | undefined;
  /** Whether the page saves the state of an event. */
  saves?: ((event: { status: string; step: string }) => boolean) | undefined;
};

const LIFETIME_BLOCKS = 12;

function savedFrom({ saved }: World, from: From): Saved | undefined {
  if ('nothing' in from || saved.length === 0) return undefined;
  return 'newest' in from ? saved.at(-1) : saved[from.older % saved.length];
}

/** A careful user sets `approveAgain` only when an error advises it, after checking the wallet. */
function mayApproveAgain(world: World, origin: Saved | undefined): boolean {
  const known = [...(origin?.known ?? [])];
  return world.mayApproveAgain && known.every((prompt) => isDead(world, prompt));
}

/** The user clicks on the button in a tab. A second click joins the flow that is running there. */
export async function click(
  world: World,
  place: number,
  from: From,
  wantsAgain: boolean,
  planted: Planted = {},
): Promise<void> {
  const page = openPage(world, place % world.tabs.length);
  const origin = savedFrom(world, from);
  const isJoined = world.running.some((run) => run.page === page);
  // A click that joins a flow continues from that flow's state, whatever state it was started with.
  const known = isJoined ? page.run?.known : new Set(origin?.known);
  const run = createRun(world, page, known ?? new Set());
  world.runs.push(run);
  if (!isJoined) page.run = run;
  const approveAgain = wantsAgain && mayApproveAgain(world, origin);
  if (approveAgain) world.mayApproveAgain = false;
  const plan = planOf(world, run);
  const { copy } = page.tab;
  const resume: DelegationState | undefined = origin && JSON.parse(origin.json);
  const save = (state: DelegationState) => {
    if (page.isClosed || isJoined) return;
    run.newest = { json: JSON.stringify(state), known: new Set(run.known) };
    world.saved.push(run.newest);
  };
  const options: ToyDelegation = {
    ...plan,
    approveAgain,
    ...(resume === undefined ? {} : { resume }),
    onProgress: (event) => {
      run.step = event.step;
      if (planted.saves?.(event) !== false) save(event.state);
    },
  };
  const change = (driver: DelegationDriver) => planted.driver?.(driver, copy) ?? driver;
  copy.delegateToy(planted.plan?.(options) ?? options, change).then(
    (result) => finish(world, run, { result }),
    (error: unknown) => {
      const state = copy.delegationStateOf(error);
      if (state !== undefined) save(state);
      finish(world, run, { error });
    },
  );
  await world.quiet();
}

function finish(world: World, run: Run, outcome: NonNullable<Run['outcome']>): void {
  world.end(run, outcome);
  checkEnd(world, run);
}

function openPage(world: World, place: number): Page {
  const tab = world.tabs[place];
  if (tab === undefined) throw new Error('there is no such tab');
  const page: Page = world.pages[place] ?? {
    tab,
    isClosed: false,
    run: undefined,
    client: undefined,
  };
  page.client ??= clientOf(world, page);
  world.pages[place] = page;
  return page;
}

function createRun(world: World, page: Page, known: Set<Prompt>): Run {
  return {
    number: world.runs.length,
    page,
    amount: world.amount,
    controller: new AbortController(),
    known,
    newest: undefined,
    step: 'token',
    sleptMs: 0,
    interactionCount: 0,
    outcome: undefined,
  };
}

function planOf(world: World, run: Run): ToyDelegation {
  const { page, amount, controller } = run;
  const client = page.client ?? clientOf(world, page);
  const sleep = (milliseconds: number) =>
    interact(world, run, 'sleep', async () => {
      run.sleptMs += milliseconds;
      world.advance(milliseconds);
    });
  return {
    client,
    wallet: walletOf(world, run),
    node: nodeOf(world, run),
    chainId: world.chain.id,
    owner: OWNER,
    spender: SPENDER,
    amount,
    lifetime: world.setting.expires ? LIFETIME_BLOCKS : undefined,
    signal: controller.signal,
    runtime: { now: () => world.now, sleep, locks: world.locks.of(page) },
  };
}
