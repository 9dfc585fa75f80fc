import type { Endpoint } from '../../src/contract/endpoint.js';
import { withdrawCredit } from '../../src/endpoints/index.js';
import type { JournalEntry } from '../../src/index.js';
import type { JournalOptions } from '../../src/journal/options.js';
import { pagesOf } from '../../src/journal/pages.js';
import { lookUp } from '../../src/journal/reconcile.js';
import { createRecorder, type SeenTime } from '../../src/journal/recorder.js';
import type { LookupClient } from '../../src/transport/settings/journal-option.js';
import { MapStore } from '../support/map-store.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 1);
const SETTLE_TIME = 5 * MINUTE;
/** By how much a clock of the service may be wrong, one way or the other. */
const JITTER = 20 * SECOND;
/** The service works on a request, and then shows its effect, within this. */
const LONGEST_WORK = SETTLE_TIME - 2 * MINUTE;
const LONGEST_CALL = MINUTE;

export type Verdict = 'executed' | 'not_executed' | 'undecided';

/** A request as it really went, which the journal does not know. */
type Truth = { readonly amount: string; executedAt: number | undefined };

type HistoryRow = {
  name: string;
  amount: string;
  currency: string;
  sign: 'debit' | 'credit';
  date: string;
  shownFrom: number;
};

/** Random numbers from a seed. */
function randomFrom(seed: number) {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    chance: (share: number) => next() < share,
    between,
    pick: <T>(...from: readonly T[]) => from[between(0, from.length - 1)] as T,
  };
}

type Random = ReturnType<typeof randomFrom>;

/** The clock of a device: wrong by anything, set again at any moment, too fast or too slow. */
function deviceClock(random: Random, trueTime: () => number) {
  const offset = random.pick(0, -12 * HOUR, -HOUR, -10 * MINUTE, 10 * MINUTE, HOUR, 40 * DAY);
  const stepAt = START + random.between(0, 3 * HOUR);
  const step = random.pick(0, 0, 10 * MINUTE, HOUR, 12 * HOUR, -HOUR, -3 * DAY);
  const drift = random.pick(0, 0, 0.05, -0.05, 0.5);
  const now = () => {
    const time = trueTime();
    return Math.round(time + offset + (time - START) * drift + (time >= stepAt ? step : 0));
  };
  return { now, elapsed: trueTime, schedule: () => () => {} };
}

/** How the service shows an amount: another world, another rule. */
function feeRule(random: Random): (amount: string) => readonly string[] {
  const spell = (amount: number) =>
    random.pick(String(amount), amount.toFixed(2), amount.toFixed(6));
  const kind = random.pick('none', 'none', 'none', 'included', 'apart', 'base units');
  return (text) => {
    const amount = Number(text);
    const fee = random.pick(0.5, 1, 5, 10, 14.4, amount, amount * 3);
    if (kind === 'included') return [spell(amount + fee)];
    if (kind === 'apart') return [spell(amount), spell(fee)];
    if (kind === 'base units') return [`${amount * 1_000_000}`];
    return [spell(amount)];
  };
}

/** A service with one credit wallet, and everybody who takes from it. */
class World {
  readonly random: Random;
  now = START;
  readonly rows: HistoryRow[] = [];
  readonly purchases: (Record<string, unknown> & { shownFrom: number })[] = [];
  readonly truths = new Map<string, Truth>();
  readonly #events: { at: number; run: () => void }[] = [];
  readonly #fees: (amount: string) => readonly string[];
  /** The share of responses that do not show the service's clock. */
  readonly #withoutDate: number;
  readonly #isMoving: boolean;
  readonly #otherIn: number;
  readonly #purchaseIn: number;

  constructor(seed: number) {
    this.random = randomFrom(seed);
    this.#fees = feeRule(this.random);
    this.#withoutDate = this.random.pick(0, 0, 0, 0.05, 1);
    this.#isMoving = this.random.chance(0.4);
    this.#otherIn = this.random.pick(0, 0, 0.1, 0.3);
    this.#purchaseIn = this.random.pick(0, 0, 0.1, 0.3);
    for (let count = this.random.pick(0, 3, 9, 10, 25); count > 0; count--) {
      this.#take('10', START - count * DAY, 0);
    }
  }

  /** Whether another device of the user acts: then the caller must not state that there is none. */
  get hasOtherDevice(): boolean {
    return this.#otherIn > 0;
  }

  #jittered(time: number): number {
    return time + this.random.between(-JITTER, JITTER);
  }

  at(time: number, run: () => void): void {
    this.#events.push({ at: time, run });
    this.#events.sort((one, other) => one.at - other.at);
  }

  advance(ms: number): void {
    const until = this.now + ms;
    for (let [next] = this.#events; next !== undefined && next.at <= until; [next] = this.#events) {
      this.#events.shift();
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = until;
  }

  #add(row: Omit<HistoryRow, 'currency'>): void {
    this.rows.unshift({ currency: 'usdc', ...row });
    this.rows.sort((one, other) => Date.parse(other.date) - Date.parse(one.date));
  }

  /** A withdrawal takes effect. */
  #take(amount: string, time: number, lag: number): void {
    for (const shown of this.#fees(amount)) {
      const date = new Date(this.#jittered(time)).toISOString();
      this.#add({ name: 'Withdrawal', amount: shown, sign: 'debit', date, shownFrom: time + lag });
    }
  }

  /** The service gets a request, and executes it or not. */
  receive(truth: Truth, work: number): void {
    this.at(this.now + work, () => {
      truth.executedAt = this.now;
      this.#take(truth.amount, this.now, this.random.between(0, LONGEST_WORK - work));
    });
  }

  /** Something that the journal does not know. */
  #buy(): void {
    const { random, now } = this;
    const amount = random.pick('5', '10', '10.00', '7.50');
    const fee = random.pick('0', '0', '1', '5');
    const delay = random.pick(0, 0, MINUTE, 2 * DAY);
    const total = String(Number(amount) + Number(fee));
    const bought = now - delay;
    const source = random.pick<readonly object[] | undefined>(
      [{ amount, fees: fee }],
      [{ amount: Number(amount), swapFee: fee, fees: null }],
      [],
      undefined,
    );
    this.purchases.unshift({
      id: `${now}`,
      dateTime: new Date(this.#jittered(bought)).toISOString(),
      sign: 'DEBIT',
      status: random.pick('CONFIRMED', 'PENDING', undefined),
      amountInTransactionCurrency: '9.31',
      fundingSources: source,
      shownFrom: bought + random.between(0, LONGEST_WORK),
    });
    const date = new Date(this.#jittered(now)).toISOString();
    const shownFrom = now + random.between(0, LONGEST_WORK);
    this.#add({ name: 'Coffee', amount: total, sign: 'debit', date, shownFrom });
  }

  /** What others do until the next step. */
  happen(): void {
    const { random } = this;
    const soon = () => this.now + random.between(0, 3 * MINUTE);
    if (random.chance(this.#otherIn)) {
      const amount = random.pick('5', '10');
      this.at(soon(), () => this.#take(amount, this.now, random.between(0, LONGEST_WORK)));
    }
    if (random.chance(this.#purchaseIn)) this.at(soon(), () => this.#buy());
  }

  /** Rows that move the others to other pages while they are read. */
  #move(): void {
    const { random } = this;
    if (!this.#isMoving || !random.chance(0.2)) return;
    const index = this.rows.findIndex(({ sign }) => sign === 'credit');
    if (index >= 0 && random.chance(0.5)) this.rows.splice(index, 1);
    else {
      const date = new Date(this.now - random.pick(0, 0, HOUR, DAY)).toISOString();
      this.#add({ name: 'Top-up', amount: '10', sign: 'credit', date, shownFrom: this.now });
    }
  }

  headers(): Headers {
    if (this.random.chance(this.#withoutDate)) return new Headers();
    return new Headers({ date: new Date(this.#jittered(this.now)).toUTCString() });
  }

  /** The body of a read. */
  read({ id }: Endpoint, { page = 0 }: { page?: number }): unknown {
    this.advance(this.random.between(20, 800));
    this.#move();
    const shown = <T extends { shownFrom: number }>(rows: readonly T[]) =>
      rows.filter(({ shownFrom }) => shownFrom <= this.now).map(({ shownFrom: _, ...row }) => row);
    if (id === 'wallets.credit.get') return { id: 'credit-1', balance: '100' };
    if (id === 'card.transactions') {
      const all = shown(this.purchases);
      const rows = all.slice(page * 5, page * 5 + 5);
      return rows.length === 0 ? all.slice(0, 5) : rows;
    }
    return shown(this.rows).slice(page * 10, page * 10 + 10);
  }
}

/** A program of the user: several may share the store, and any may end. */
function startProgram(world: World, options: JournalOptions) {
  const seen: SeenTime = { latest: undefined };
  const clock = deviceClock(world.random, () => world.now);
  const learn = (headers: Headers) => {
    const time = Date.parse(headers.get('date') ?? '');
    if (Number.isFinite(time)) seen.latest = Math.max(seen.latest ?? 0, time);
  };
  const client: LookupClient & { options: JournalOptions } = {
    options,
    clock,
    isProxied: false,
    tokens: { fixed: 'token' } as LookupClient['tokens'],
    send: (endpoint, input) => ({
      withResponse: async () => {
        const data = world.read(endpoint, Object(input));
        const headers = world.headers();
        learn(headers);
        return { data, headers };
      },
    }),
  };
  const recorder = () => createRecorder(options, seen, { clock, isProxied: false });
  /** A read of the application, which shows the service's clock. */
  const poll = () => learn(world.headers());
  return { client, recorder, poll };
}

async function withdraw(world: World, { recorder }: ReturnType<typeof startProgram>) {
  const { random } = world;
  const truth: Truth = { amount: random.pick('5', '10', '10.0', '15'), executedAt: undefined };
  const settle = await recorder().record({
    endpoint: withdrawCredit,
    input: { amount: truth.amount },
    region: 'global',
    user: undefined,
    accessToken: 'token',
    totalTimeout: LONGEST_CALL,
    hasSecret: () => false,
  });
  const ending = random.pick('read', 'refused', 'lost', 'lost', 'lost', 'lost');
  const leaves = random.pick(0, 0, random.between(0, LONGEST_CALL));
  if (ending === 'lost') {
    const isExecuted = random.chance(0.5);
    const work = random.pick(0, random.between(0, LONGEST_WORK));
    if (isExecuted) world.at(world.now + leaves, () => world.receive(truth, work));
    return truth;
  }
  world.advance(random.between(20, 2 * SECOND));
  if (ending === 'read') world.receive(truth, 0);
  world.advance(random.between(20, 2 * SECOND));
  await settle(ending === 'read' ? 'executed' : 'rejected', {}, world.headers());
  return truth;
}

function damage({ random }: World, store: MapStore): void {
  const [key] = [...store.keys()].filter((name) => /journal\.\d+$/.test(name));
  if (key === undefined) return;
  const text = store.get(key) ?? '';
  store.set(key, random.pick('', '{', text.slice(0, random.between(0, text.length))));
}

/** A verdict that is not true. */
export type Lie = { readonly verdict: Verdict; readonly entry: JournalEntry };

/** Runs a world, and returns its last verdict on each entry that was looked up, and every lie. */
export async function runWorld(seed: number): Promise<{ verdicts: Verdict[]; lies: Lie[] }> {
  const world = new World(seed);
  const { random } = world;
  const store = new MapStore();
  const hasAllRequests = !world.hasOtherDevice && random.chance(0.8);
  const options: JournalOptions = { store, hasAllRequests };
  const programs = [startProgram(world, options), startProgram(world, options)];
  const truths = new Map<string, Truth>();
  const denied = new Map<string, JournalEntry>();
  const last = new Map<string, Verdict>();
  const lies: Lie[] = [];
  const steps = random.between(3, 14);
  for (let step = 0; step < steps; step++) {
    world.advance(
      random.pick(random.between(0, MINUTE), random.between(0, 20 * MINUTE), 6 * MINUTE),
    );
    world.happen();
    const program = random.pick(...programs);
    if (random.chance(0.3)) program.poll();
    if (random.chance(0.01)) damage(world, store);
    if (random.chance(0.3) && step < steps - 2) {
      const before = new Set(await idsOf(program.client));
      const truth = await withdraw(world, program);
      for (const id of await idsOf(program.client)) if (!before.has(id)) truths.set(id, truth);
      continue;
    }
    for (const entry of await openEntriesOf(program.client)) {
      const { result } = await lookUp(program.client, entry, {
        signal: undefined,
        settleTime: SETTLE_TIME,
      });
      const { verdict } = result;
      const truth = truths.get(entry.id);
      if (truth === undefined) continue;
      last.set(entry.id, verdict);
      if (verdict === 'executed' && truth.executedAt === undefined) lies.push({ verdict, entry });
      if (verdict === 'not_executed') denied.set(entry.id, entry);
    }
  }
  // What is still under way happens now.
  world.advance(DAY);
  for (const [id, entry] of denied) {
    if (truths.get(id)?.executedAt !== undefined) lies.push({ verdict: 'not_executed', entry });
  }
  return { verdicts: [...last.values()], lies };
}

async function openEntriesOf({ options, clock }: ReturnType<typeof startProgram>['client']) {
  const { entries } = await pagesOf(options.store, clock).read();
  return entries.filter(
    ({ state, operation }) => state === undefined && operation !== 'unreadable',
  );
}

const idsOf = async (client: ReturnType<typeof startProgram>['client']) =>
  (await pagesOf(client.options.store, client.clock).read()).entries.map(({ id }) => id);
