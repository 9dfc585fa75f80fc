import { ConfigurationError } from '../../endpoints/index.js';
import type { KeyValueStore } from '../../index.js';
import type { Region } from '../oauth/session-tokens.js';
import type { LogInReason } from './progress.js';
import { isStep, type RegistrationStepName } from './steps.js';

/**
 * The stored part of a registration: its step and the ids that the next one needs. Never an address, a
 * name, a number, a password, a code or a token.
 */
export type StoredRegistration = {
  readonly v: 1;
  readonly region: Region;
  readonly step: RegistrationStepName;
  /** Whether a step that cannot be sent twice was about to be sent. */
  readonly isSending?: boolean | undefined;
  readonly contactVerificationId?: string | undefined;
  readonly onboardingId?: string | undefined;
  readonly consentSetId?: string | undefined;
  readonly userId?: string | undefined;
  /** Whether the user lives in the US. */
  readonly isInUs?: boolean | undefined;
  readonly ended?: LogInReason | undefined;
};

const REASONS: readonly unknown[] = [undefined, 'has_account', 'outcome_unknown', 'no_token'];
const isText = (value: unknown) =>
  value === undefined || (typeof value === 'string' && value !== '');
const isFlag = (value: unknown) => value === undefined || typeof value === 'boolean';

function parse(text: unknown): StoredRegistration | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const read: Partial<Record<keyof StoredRegistration, unknown>> = Object(JSON.parse(text));
    const { v, region, step, isSending, isInUs, ended } = read;
    const ids = [read.contactVerificationId, read.onboardingId, read.consentSetId, read.userId];
    const isWhole =
      v === 1 &&
      (region === 'us' || region === 'global') &&
      isStep(step) &&
      REASONS.includes(ended) &&
      [isSending, isInUs].every(isFlag) &&
      ids.every(isText);
    return isWhole ? (read as StoredRegistration) : undefined;
  } catch {
    return undefined;
  }
}

/** The stored registration of one region. */
export class RegistrationStore {
  readonly #store: KeyValueStore | undefined;
  readonly #key: string;
  readonly #region: Region;
  #known: StoredRegistration | undefined;

  constructor(store: KeyValueStore | undefined, key: string, region: Region) {
    this.#store = store;
    this.#key = key;
    this.#region = region;
  }

  /** Returns the registration, and reads the store first if that has not happened yet. */
  async read(): Promise<StoredRegistration> {
    if (this.#known !== undefined) return this.#known;
    const stored = parse(await this.#use((store) => store.get(this.#key)));
    this.#known ??= stored?.region === this.#region ? stored : this.#empty();
    return this.#known;
  }

  /** Changes the registration here and in the store. */
  async write(changes: Partial<StoredRegistration>): Promise<void> {
    const known = { ...(await this.read()), ...changes };
    this.#known = known;
    await this.#use((store) => store.set(this.#key, JSON.stringify(known)));
  }

  /** Stores that a step is about to be sent. Nothing may be sent if that fails. */
  async mark(): Promise<void> {
    try {
      await this.write({ isSending: true });
    } catch (error) {
      await this.write({ isSending: undefined }).catch(() => undefined);
      throw error;
    }
  }

  /** Replaces the registration with these fields, or removes it. */
  async replace(rest: Partial<StoredRegistration> | undefined): Promise<void> {
    const known = { ...this.#empty(), ...rest };
    this.#known = known;
    await this.#use((store) =>
      rest === undefined ? store.delete(this.#key) : store.set(this.#key, JSON.stringify(known)),
    );
  }

  #empty(): StoredRegistration {
    return { v: 1, region: this.#region, step: 'email' };
  }

  /** The message of the store's error may contain the stored text. */
  async #use(operation: (store: KeyValueStore) => unknown): Promise<unknown> {
    try {
      return this.#store === undefined ? undefined : await operation(this.#store);
    } catch {
      throw new ConfigurationError(
        'store',
        'the store of the registration failed, so nothing was sent. Check the store, then try again.',
      );
    }
  }
}
