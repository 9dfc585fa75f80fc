import { fitsUtf8 } from '../contract/formats/utf8-length.js';
import { ConfigurationError } from '../errors/index.js';
import { withLock } from './lock.js';
import type { SessionSettings } from './options.js';
import { parseRecord, type SessionRecord } from './record.js';
import { SessionError } from './session-error.js';
import { within } from './time-limit.js';

type Change = (current: SessionRecord | undefined) => SessionRecord | undefined;

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value;

/**
 * The record of the session in the store, and this tab's copy of it. Several tabs write, so every
 * change is made to the record that the store holds at that moment.
 *
 * A synchronous store is read and written without a pause in between, so that even without locks
 * nothing comes between the two.
 */
export class RecordStore {
  readonly #settings: SessionSettings;
  readonly #onChange: () => void;
  #known: SessionRecord | undefined;
  #isRead = false;
  /** A change that the store has not taken yet, and the epoch that it replaces. */
  #unsaved: { replaces: number; record: SessionRecord } | undefined;

  /** @param onChange - called after each read and each change */
  constructor(settings: SessionSettings, onChange: () => void) {
    this.#settings = settings;
    this.#onChange = onChange;
  }

  /** Whether the store has been read at least once. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The record as it is known here. */
  get known(): SessionRecord | undefined {
    return this.#unsaved?.record ?? this.#known;
  }

  /**
   * Reads the record, and first writes what could not be written before.
   *
   * @throws SessionError with code `session_store_failed`
   */
  async read(): Promise<SessionRecord | undefined> {
    const unsaved = this.#unsaved;
    if (unsaved !== undefined) {
      await this.change((current) =>
        current?.epoch === unsaved.replaces ? unsaved.record : undefined,
      );
      return this.#known;
    }
    const before = this.#known;
    const text = this.#get();
    const stored = parseRecord(isThenable(text) ? await text : text);
    // Either a change was made meanwhile, or another tab has overwritten a newer record with an older
    // one. The newer one is then put back.
    if (this.#known !== before || this.#isOlder(stored)) await this.change(() => undefined);
    else this.#learn(stored);
    return this.#known;
  }

  /**
   * Changes the record under a lock. `change` receives the newest record, and returns the one to write,
   * or `undefined` to leave it.
   *
   * @throws SessionError with code `session_store_failed`
   */
  change(change: Change): Promise<void> {
    const { store, locks, key } = this.#settings;
    return withLock(store, locks, `card-platform-sdk ${key}`, async () => {
      const text = this.#get();
      const stored = parseRecord(isThenable(text) ? await text : text);
      const isOlder = this.#isOlder(stored);
      const current = isOlder ? this.#known : stored;
      const next = change(current) ?? (isOlder ? current : undefined);
      if (next !== undefined) {
        const written = this.#set(next);
        if (isThenable(written)) await written;
      }
      this.#unsaved = undefined;
      this.#learn(next ?? current);
    });
  }

  /**
   * Replaces the record with this epoch. If the store fails, the change is kept here, and every later
   * use of the session tries to write it first: a new refresh token must not be lost.
   *
   * @throws SessionError with code `session_store_failed`
   */
  async replace(epoch: number, record: SessionRecord): Promise<void> {
    try {
      await this.change((current) => (current?.epoch === epoch ? record : undefined));
    } catch (error) {
      if (this.#known?.epoch === epoch) {
        this.#unsaved = { replaces: epoch, record };
        this.#onChange();
      }
      throw error;
    }
  }

  #isOlder(stored: SessionRecord | undefined): boolean {
    return stored !== undefined && stored.epoch < (this.#known?.epoch ?? 0);
  }

  #learn(record: SessionRecord | undefined): void {
    this.#isRead = true;
    this.#known = record;
    this.#onChange();
  }

  #get(): unknown {
    return this.#run(() => this.#settings.store.get(this.#settings.key));
  }

  #set(record: SessionRecord): unknown {
    const { store, key, maxRecordBytes } = this.#settings;
    const text = JSON.stringify(record);
    if (!fitsUtf8(text, maxRecordBytes)) {
      throw new ConfigurationError(
        'maxRecordBytes',
        `the session was not stored, because it is longer than ${maxRecordBytes} bytes. If your store takes more, raise maxRecordBytes.`,
      );
    }
    return this.#run(() => store.set(key, text));
  }

  /** Runs an operation of the store. The message of its error may contain the token. */
  #run(operation: () => unknown): unknown {
    const failed = (cause?: unknown) => new SessionError('session_store_failed', { cause });
    try {
      const result = operation();
      if (!isThenable(result)) return result;
      const { clock, storeTimeout } = this.#settings;
      const checked = Promise.resolve(result).catch((error) => {
        throw failed(error);
      });
      return within(clock, storeTimeout, checked, failed);
    } catch (error) {
      throw failed(error);
    }
  }
}
