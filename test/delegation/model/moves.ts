import fc from 'fast-check';
import { answer } from './interact.js';
import { checkWorld } from './judge.js';
import { OWNER, SPENDER, STRANGER } from './ledger.js';
import { click, type From, type Planted } from './start.js';
import type { World } from './world.js';

/** One event, as data: a failing sequence of moves is kept as a test. */
export type Move =
  | { do: 'click'; tab: number; from: From; again: boolean }
  /** Each step settles one of the pending interactions in one of its ways. */
  | { do: 'settle'; steps: [place: number, fate: number][] }
  | { do: 'run to end' }
  | { do: 'close page' | 'abort'; tab: number }
  | { do: 'wait'; milliseconds: number }
  | { do: 'answer left prompt'; declines: boolean }
  | { do: 'speed up' | 'cancel' | 'replace' | 'drop'; which: number }
  | { do: 'reorganize'; depth: number; areLost: boolean }
  | { do: 'congestion' | 'other account' | 'other chain'; on: boolean }
  | { do: 'next approval fails' }
  | { do: 'spend'; part: number }
  | { do: 'approve elsewhere' };

/** The effect of each move. Every move is possible at any time, but some then have no effect. */
export async function play(world: World, move: Move, planted?: Planted): Promise<void> {
  const { chain, wallet } = world;
  switch (move.do) {
    case 'click':
      return click(world, move.tab, move.from, move.again, planted);
    case 'settle':
      for (const [place, fate] of move.steps) {
        if (world.pending.length === 0) return;
        await world.settle(place, fate);
        checkWorld(world);
      }
      return;
    case 'run to end':
      return world.runToEnd();
    case 'close page': {
      const page = world.pages[move.tab % world.pages.length];
      if (page !== undefined) world.close(page);
      return;
    }
    case 'abort': {
      const run = world.running[move.tab % Math.max(1, world.running.length)];
      run?.controller.abort(new Error('the user left'));
      return;
    }
    case 'wait':
      return world.advance(move.milliseconds);
    case 'answer left prompt':
      return answerLeftPrompt(world, move.declines);
    case 'speed up':
    case 'cancel':
    case 'replace':
    case 'drop':
      return changePending(world, move.do, move.which);
    case 'reorganize':
      return chain.reorganize(move.depth, move.areLost);
    case 'congestion':
      chain.isCongested = move.on;
      return;
    case 'other account':
      wallet.account = move.on ? '0x4444444444444444444444444444444444444444' : OWNER;
      return;
    case 'other chain':
      wallet.chain = move.on ? world.otherChain : chain;
      return;
    case 'next approval fails':
      chain.failsNext = true;
      return;
    case 'spend':
      return spend(world, move.part);
    case 'approve elsewhere':
      if (wallet.account === OWNER && wallet.chain === chain) {
        world.isContested = true;
        wallet.sendOwn({ spender: SPENDER, amount: 9n });
      }
  }
}

/** The actions of the user or the nodes on a transaction that is not in a block. */
function changePending(world: World, what: string, which: number): void {
  const { chain, wallet } = world;
  const pending = [...chain.mempool.keys()];
  const id = pending[which % Math.max(1, pending.length)];
  if (id === undefined) return;
  if (what === 'drop') chain.drop(id);
  try {
    if (what === 'speed up') wallet.speedUp(id);
    if (what === 'cancel') wallet.cancel(id);
    if (what === 'replace') world.isContested = true;
    if (what === 'replace') wallet.replace(id, replacement(which));
  } catch {
    // The node refuses an expired transaction, so nothing happens.
  }
}

/** The user replaces an approval with one of another limit, or of another spender. */
function replacement(which: number) {
  return which % 2 === 0 ? { spender: SPENDER, amount: 7n } : { spender: STRANGER, amount: 50n };
}

/** The platform spends only what it has registered and what the chain allows. */
function spend(world: World, part: number): void {
  const { chain } = world;
  const newest = chain
    .minedUntil()
    .findLast(({ approve, succeeded }) => approve?.spender === SPENDER && succeeded);
  const limit = newest?.approve?.amount.toString();
  if (!world.registered().some(({ allowance }) => allowance === limit)) return;
  chain.spend(OWNER, SPENDER, chain.allowance(OWNER, SPENDER) / BigInt(part));
}

function answerLeftPrompt(world: World, declines: boolean): void {
  const prompt = world.prompts.find(({ status, run }) => status === 'open' && run.page.isClosed);
  if (prompt === undefined) return;
  // A prompt that the newest state does not contain has the limit of another intention.
  if (!declines && !world.saved.at(-1)?.known.has(prompt)) world.isContested = true;
  try {
    answer(world, prompt, declines ? 'declined' : 'ok');
  } catch {
    // There is no run to receive it.
  }
}

const small = fc.nat({ max: 3 });
const from: fc.Arbitrary<From> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<From>({ newest: true }) },
  { weight: 2, arbitrary: fc.nat({ max: 40 }).map((older) => ({ older })) },
  { weight: 1, arbitrary: fc.constant<From>({ nothing: true }) },
);
/** Mostly the oldest interaction, in its normal way. */
const step = fc.tuple(
  fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: small }),
  fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat({ max: 6 }) }),
);
const settle = fc
  .array(step, { minLength: 1, maxLength: 14, size: 'max' })
  .map((steps): Move => ({ do: 'settle', steps }));

const always = (move: Move) => fc.constant(move);

/** Any move; those that advance a flow are more frequent. */
export const anyMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: settle },
  {
    weight: 5,
    arbitrary: fc
      .record({ tab: fc.nat({ max: 1 }), from, again: fc.boolean() })
      .map((clicked): Move => ({ do: 'click', ...clicked })),
  },
  { weight: 3, arbitrary: always({ do: 'run to end' }) },
  { weight: 1, arbitrary: fc.nat({ max: 1 }).map((tab): Move => ({ do: 'close page', tab })) },
  { weight: 1, arbitrary: fc.nat({ max: 1 }).map((tab): Move => ({ do: 'abort', tab })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(2_000, 10_000, 60_000, 400_000, 700_000)
      .map((milliseconds): Move => ({ do: 'wait', milliseconds })),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map((declines): Move => ({ do: 'answer left prompt', declines })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('speed up', 'cancel', 'replace', 'drop'), small)
      .map(([what, which]): Move => ({ do: what, which })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.boolean())
      .map(([depth, areLost]): Move => ({ do: 'reorganize', depth, areLost })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('congestion', 'other account', 'other chain'), fc.boolean())
      .map(([what, on]): Move => ({ do: what, on })),
  },
  { weight: 1, arbitrary: always({ do: 'next approval fails' }) },
  { weight: 1, arbitrary: small.map((part): Move => ({ do: 'spend', part: part + 1 })) },
  { weight: 1, arbitrary: always({ do: 'approve elsewhere' }) },
);
