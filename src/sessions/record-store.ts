import { isThenable } from '../contract/formats/is-thenable.js';
import { fitsUtf8 } from '../contract/formats/utf8-length.js';
import { ConfigurationError } from '../errors/index.js';
import { checkStore, guardChange, StoreFault } from '../stores/key-value-store.js';
import type { Clock } from '../transport/attempts/clock.js';
import type { SessionSettings } from './options.js';
import { parseRecord, type SessionRecord } from './record.js';
import { SessionError } from './session-error.js';

/** Returns the result of the work, or rejects with the error when the time is over. */
export function within<T>(
  clock: Clock,
  milliseconds: number,
  work: Promise<T>,
  timeoutError: () => unknown,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.schedule(() => reject(timeoutError()), milliseconds);
    work.finally(cancel).then(resolve, reject);
  });
}

type Change = (current: SessionRecord | undefined) => SessionRecord | undefined;
type IsStill = (current: SessionRecord | undefined) => boolean;

const MOST_READS = 3;

/**
 * The record of the session in the store, and this tab's copy of it. Several tabs and processes
 * write, so every change is one atomic `update` of the store.
 */
export class RecordStore {
  readonly #settings: SessionSettings;
  readonly #onChange: () => void;
  #known: SessionRecord | undefined;
  #isRead = false;
  /** A change that is not in the store yet, and whether a record is the one that it replaces. */
  #unsaved: { replaces: IsStill; record: SessionRecord } | undefined;
  #changes = 0;

  /** @param onChange - called after each read and each change */
  constructor(settings: SessionSettings, onChange: () => void) {
    this.#settings = settings;
    this.#onChange = onChange;
  }

  /** Whether the store has been read at least once. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The record as this program knows it. */
  get known(): SessionRecord | undefined {
    return this.#unsaved?.record ?? this.#known;
  }

  /**
   * Reads the record, and first writes what could not be written before.
   *
   * @throws SessionError with code `session_store_failed`
   */
  async read(): Promise<SessionRecord | undefined> {
    const { store, key } = this.#settings;
    for (let reads = 0; reads < MOST_READS; reads++) {
      const unsaved = this.#unsaved;
      if (unsaved !== undefined) {
        await this.change(() => undefined);
        return this.#known;
      }
      const before = this.#changes;
      const value = this.#run('get', () => store.get(key));
      const stored = parseRecord(textOf(isThenable(value) ? await value : value));
      // A change was made meanwhile, so the text may be an older one.
      if (this.#changes !== before) continue;
      this.#learn(stored);
      return stored;
    }
    return this.#known;
  }

  /**
   * Changes the record. `change` receives the record in the store, or the one that could not be written yet.
   * It returns the record to write, or `undefined` for no other change: an unwritten record is written then
   * too. It may run more than once.
   *
   * @throws SessionError with code `session_store_failed`
   */
  async change(change: Change): Promise<void> {
    const { store, key, clock } = this.#settings;
    await this.#run('set', () => checkStore(store, clock));
    let known: SessionRecord | undefined;
    let applied = this.#unsaved;
    const guarded = guardChange((text) => {
      const stored = parseRecord(text);
      const unsaved = this.#unsaved;
      applied = unsaved;
      const isBehind = unsaved?.replaces(stored) === true;
      const current = isBehind ? unsaved.record : stored;
      const next = change(current) ?? (isBehind ? current : undefined);
      known = next ?? current;
      return next === undefined ? text : this.#write(next);
    });
    await this.#run('update', () => store.update(key, guarded.run));
    try {
      guarded.require();
    } catch (error) {
      throw error instanceof StoreFault ? failed(error) : error;
    }
    // Another change may have failed meanwhile.
    if (this.#unsaved === applied) this.#unsaved = undefined;
    this.#changes++;
    this.#learn(known);
  }

  /**
   * Replaces the record in the store. If the store fails, the change is kept here, and every later
   * use of the session tries to write it first: a new refresh token must not be lost.
   *
   * @param isStill - whether the record in the store is still the one to replace
   * @throws SessionError with code `session_store_failed`
   */
  async replace(record: SessionRecord, isStill: IsStill): Promise<void> {
    try {
      await this.change((current) => (isStill(current) ? record : undefined));
    } catch (error) {
      // What could not be written before is not given up for a change of an older record.
      const unsaved = this.#unsaved;
      if (isStill(this.known)) {
        const replaces: IsStill = (current) =>
          isStill(current) || unsaved?.replaces(current) === true;
        this.#unsaved = { replaces, record };
        this.#onChange();
      }
      throw error;
    }
  }

  #learn(record: SessionRecord | undefined): void {
    this.#isRead = true;
    this.#known = record;
    this.#onChange();
  }

  #write(record: SessionRecord): string {
    const { maxRecordBytes } = this.#settings;
    const text = JSON.stringify(record);
    if (fitsUtf8(text, maxRecordBytes)) return text;
    throw new ConfigurationError(
      'maxRecordBytes',
      `the session was not stored, because it is longer than ${maxRecordBytes} bytes. If your store can hold more, raise maxRecordBytes.`,
    );
  }

  /** Runs an operation of the store. The message of its error may contain the token. */
  #run(name: string, operation: () => unknown): unknown {
    try {
      const result = operation();
      if (!isThenable(result)) return result;
      const { clock, storeTimeout } = this.#settings;
      const checked = Promise.resolve(result).catch((error) => {
        throw failed(error);
      });
      const late = () => failed(new StoreFault(`${name} did not finish in time`));
      return within(clock, storeTimeout, checked, late);
    } catch (error) {
      throw failed(error);
    }
  }
}

const failed = (cause: unknown) => new SessionError('session_store_failed', { cause });

/** @throws SessionError with code `session_store_failed` for anything but text */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  throw failed(new StoreFault('get returned something other than text'));
}
