import { keccak_256 } from '@noble/hashes/sha3.js';
import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { isCardPlatformError } from '../errors/index.js';
import {
  checkStore,
  type KeyValueStore,
  readText,
  StoreFault,
  updateText,
  useStore,
} from '../stores/key-value-store.js';
import type { Clock } from '../transport/attempts/clock.js';
import { ChainError } from './chain-error.js';
import { DelegationInProgressError } from './flow-errors.js';

/** The first key of a record. It says who writes, and where the text of the state is. */
type Head = {
  readonly v: 1;
  /** How often somebody has reserved this delegation. */
  readonly epoch: number;
  /** The last one who did. Only this one may change the record. */
  readonly owner: string;
  /** Whether that one still runs the delegation. */
  readonly isRunning: boolean;
  /** Whether it has a lock that other tabs see. */
  readonly isLocked: boolean;
  /** Grows while the owner is alive. */
  readonly beat: number;
  /** Where the text is: the name of a slot, how many parts it has, and how each of them begins. */
  readonly slot?: string;
  readonly parts?: number;
  readonly tag?: string;
};

/** What a record says: nothing, a text, or something that cannot be read. */
export type RecordText =
  | { readonly is: 'missing' }
  | { readonly is: 'damaged' }
  | { readonly is: 'text'; readonly text: string };

/** Where delegations are kept, and how time passes there. */
export type RecordPlace = { readonly store: KeyValueStore; readonly clock: Clock };

/** A value in a keychain must be shorter than 2 kB. A part has its tag too. */
const PART_LENGTH = 1_900;
const MAX_PARTS = 12;
/** Each owner writes into two slots in turns, so that one of them is always complete. */
const OWNERS = 3;
/** An owner that does not change the record for so long is not alive. */
const LEASE_MS = 6_000;
const BEATS_PER_LEASE = 4;
const READS = 3;
/** In place of a first key that cannot be read: its text is damaged, until another one is written. */
const LOST: Head = {
  v: 1,
  epoch: 0,
  owner: '',
  isRunning: false,
  isLocked: false,
  beat: 0,
  slot: 'lost',
  parts: 1,
  tag: 'lost',
};

/** Runs of this page that have ended, in case the store failed when they said so. */
const ended = new Set<string>();

/** The saved state cannot be read or written, so nothing is sent. */
class DelegationNotSavedError extends ChainError {
  override readonly name = 'DelegationNotSavedError';

  constructor(cause: unknown) {
    const detail = cause instanceof StoreFault ? ` (${cause.message})` : '';
    super(
      {
        code: 'delegation_not_saved',
        outcome: 'not_sent',
        message: `the store failed${detail}, so the delegation was stopped before anything that must be remembered. Start again when the store works: what was saved before is kept.`,
      },
      cause,
    );
  }
}

/**
 * One delegation in a store: a text that only one tab or process may change at a time.
 *
 * Whoever wants to run it reserves it with the store's atomic `update`. A change of an earlier owner
 * is refused, so that a tab that was frozen and wakes up cannot act on what it remembers. An owner
 * that died is noticed because its record stands still. No clocks are compared.
 *
 * Values of a store are shorter than 2 kB, which a signed transaction alone exceeds. The text is
 * therefore kept in parts, and becomes valid with one change of the first key.
 */
export class DelegationRecord {
  readonly #place: RecordPlace;
  readonly #key: string;
  readonly #owner = randomText();
  /** Keeps the slots of two owners apart. */
  #epoch = 0;
  #writes = 0;
  #stopBeating: (() => void) | undefined;

  /** @param name - everything that identifies the delegation */
  constructor(place: RecordPlace, name: string) {
    this.#place = place;
    this.#key = keyOf(name);
  }

  /**
   * Makes this run the only one that may change the record.
   *
   * @param isLocked whether other tabs of this browser see that this run has the lock
   * @throws DelegationInProgressError when another one is alive
   */
  async reserve(isLocked: boolean, signal: AbortSignal | undefined): Promise<void> {
    const { store, clock } = this.#place;
    await this.#run(() => checkStore(store, clock));
    let seen: Head | undefined;
    let left = BEATS_PER_LEASE;
    for (;;) {
      if (seen !== undefined && (await this.#head()) === undefined) {
        throw new DelegationInProgressError();
      }
      const found = await this.#reserveUnless((head) => {
        // Whoever was alive a moment ago may have finished: doing it all again is never right.
        if (seen !== undefined && !isSame(head, seen)) return true;
        if (!head.isRunning || ended.has(head.owner)) return false;
        if (isLocked && head.isLocked) return false;
        return !(left === 0 && isSame(head, seen));
      }, isLocked);
      if (found === undefined) break;
      if (seen !== undefined && !isSame(found, seen)) throw new DelegationInProgressError();
      seen = found;
      left--;
      await wait(clock, LEASE_MS / BEATS_PER_LEASE, signal);
      throwIfAborted(signal);
    }
    this.#beat();
  }

  /** The text, as the last owner has written it. */
  async read(): Promise<RecordText> {
    for (let reads = 1; ; reads++) {
      const head = await this.#head();
      if (head === 'damaged') return { is: 'damaged' };
      if (head?.slot === undefined) return { is: 'missing' };
      const text = await this.#textOf(head);
      if (text !== undefined) return { is: 'text', text };
      // Another tab may have replaced it between the two reads.
      if (reads === READS) return { is: 'damaged' };
    }
  }

  /**
   * Replaces the text. Possible after `release` too, until somebody else reserves the record.
   *
   * @throws DelegationInProgressError when somebody else has reserved it
   */
  async write(text: string): Promise<void> {
    const head = await this.#head();
    // Before any part is written: the slots of a later owner can be the same.
    if (head === 'damaged' || head?.owner !== this.#owner) throw new DelegationInProgressError();
    const [one, other] = [`${this.#epoch % OWNERS}0`, `${this.#epoch % OWNERS}1`];
    // Never into the slot that is valid now, whatever became of earlier writes.
    const slot = head.slot === one ? other : one;
    const tag = `${this.#epoch}.${++this.#writes}.${this.#owner}`;
    const parts = partsOf(text);
    for (const [index, part] of parts.entries()) {
      const key = this.#partKey(slot, index);
      await this.#use('set', (store) => store.set(key, `${tag}:${part}`));
    }
    const before = await this.#changeOwn((head) => ({ ...head, slot, parts: parts.length, tag }));
    if (before.slot !== undefined && before.slot !== slot) await this.#deleteSlot(before);
  }

  /** Removes the record. */
  async remove(): Promise<void> {
    this.#stop();
    const before = await this.#changeOwn(({ slot: _, parts: __, tag: ___, ...head }) => head);
    await this.#deleteSlot(before);
    await this.#changeOwn(() => undefined);
  }

  /** Lets others reserve the record. */
  async release(): Promise<void> {
    this.#stop();
    await this.#changeOwn((head) => ({ ...head, isRunning: false }));
  }

  /** Returns the head that prevents it; `undefined` once it is reserved. */
  async #reserveUnless(
    isTaken: (head: Head) => boolean,
    isLocked: boolean,
  ): Promise<Head | undefined> {
    let found: Head | undefined;
    let before: Head | undefined;
    await this.#update((text) => {
      const head = parseHead(text);
      before = head === 'damaged' ? LOST : head;
      found = before !== undefined && isTaken(before) ? before : undefined;
      if (found !== undefined) return text;
      this.#epoch = (before?.epoch ?? 0) + 1;
      const owned = { owner: this.#owner, isRunning: true, isLocked };
      return JSON.stringify({ ...before, v: 1, epoch: this.#epoch, beat: 0, ...owned });
    });
    if (found === undefined && before?.isRunning === true) await this.#sweep(before.slot);
    return found;
  }

  /** Changes the head if this run is still the latest owner. Returns the head before the change. */
  async #changeOwn(change: (head: Head) => Head | undefined): Promise<Head> {
    let before: Head | undefined;
    await this.#update((text) => {
      const head = parseHead(text);
      before = undefined;
      if (head === undefined || head === 'damaged' || head.owner !== this.#owner) return text;
      before = head;
      const next = change(head);
      return next && JSON.stringify({ ...next, beat: head.beat + 1 });
    });
    return before ?? fail(new DelegationInProgressError());
  }

  /** Shows that this run is alive, until it ends. */
  #beat(): void {
    const { clock } = this.#place;
    let cancel = () => {};
    let isOver = false;
    const next = () => {
      if (isOver) return;
      cancel = clock.schedule(() => {
        this.#changeOwn((head) => head).then(next, (error: unknown) => {
          if (!(error instanceof DelegationInProgressError)) next();
        });
      }, LEASE_MS / BEATS_PER_LEASE);
    };
    next();
    this.#stopBeating = () => {
      isOver = true;
      cancel();
    };
  }

  #stop(): void {
    ended.add(this.#owner);
    this.#stopBeating?.();
    this.#stopBeating = undefined;
  }

  async #head(): Promise<Head | 'damaged' | undefined> {
    const { store, clock } = this.#place;
    return parseHead(await this.#run(() => readText(store, clock, this.#key)));
  }

  async #textOf({ slot = '', parts = 0, tag = '' }: Head): Promise<string | undefined> {
    const { store, clock } = this.#place;
    let text = '';
    for (let index = 0; index < parts; index++) {
      const key = this.#partKey(slot, index);
      const part = await this.#run(() => readText(store, clock, key));
      if (part?.startsWith(`${tag}:`) !== true) return undefined;
      text += part.slice(tag.length + 1);
    }
    return text;
  }

  async #deleteSlot({ slot, parts = 0 }: Pick<Head, 'slot' | 'parts'>): Promise<void> {
    if (slot === undefined) return;
    for (let index = 0; index < parts; index++) {
      await this.#use('delete', (store) => store.delete(this.#partKey(slot, index)));
    }
  }

  /** Removes what an owner that died may have left in the other slots. */
  async #sweep(current: string | undefined): Promise<void> {
    for (let owner = 0; owner < OWNERS; owner++) {
      for (const turn of [0, 1]) {
        const slot = `${owner}${turn}`;
        if (slot !== current) await this.#deleteSlot({ slot, parts: MAX_PARTS });
      }
    }
  }

  #partKey(slot: string, index: number): string {
    return `${this.#key}.${slot}.${index}`;
  }

  #update(change: (text: string | undefined) => string | undefined): Promise<void> {
    const { store, clock } = this.#place;
    return this.#run(() => updateText(store, clock, this.#key, change));
  }

  #use(name: keyof KeyValueStore, operation: (store: KeyValueStore) => unknown): Promise<unknown> {
    const { store, clock } = this.#place;
    return this.#run(() => useStore(clock, name, () => operation(store)));
  }

  /** The message of a store's error may contain the text, so it is not passed on. */
  async #run<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      throw isCardPlatformError(error) ? error : new DelegationNotSavedError(error);
    }
  }
}

function fail(error: Error): never {
  throw error;
}

function keyOf(name: string): string {
  const hash = keccak_256(new TextEncoder().encode(name));
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `card-platform.delegation.${hex.slice(0, 32)}`;
}

/** Distinguishes the runs of one delegation. It is no secret. */
function randomText(): string {
  return [Math.random(), Math.random()].map((number) => number.toString(36).slice(2)).join('');
}

/** The parts of a text, in ASCII: a store counts bytes. */
function partsOf(text: string): string[] {
  const ascii = text.replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const parts: string[] = [];
  for (let at = 0; at < ascii.length; at += PART_LENGTH) {
    parts.push(ascii.slice(at, at + PART_LENGTH));
  }
  if (parts.length > MAX_PARTS) {
    throw new DelegationNotSavedError(new StoreFault('the state is too long'));
  }
  return parts;
}

function parseHead(text: string | undefined): Head | 'damaged' | undefined {
  if (text === undefined) return undefined;
  try {
    const head = JSON.parse(text) as Partial<Head> | null;
    const { v, epoch, beat, owner, isRunning, slot, parts, tag } = head ?? {};
    const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
    const isText = (value: unknown) => typeof value === 'string' && value !== '';
    const isHead = v === 1 && isCount(epoch) && isCount(beat) && isText(owner);
    const hasPlace =
      slot === undefined ||
      (isText(slot) && isText(tag) && isCount(parts) && Number(parts) <= MAX_PARTS);
    return isHead && typeof isRunning === 'boolean' && hasPlace ? (head as Head) : 'damaged';
  } catch {
    return 'damaged';
  }
}

const isSame = (one: Head, other: Head | undefined) =>
  one.epoch === other?.epoch && one.beat === other.beat;

/** Waits, unless the signal is aborted. */
function wait(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.schedule(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}
