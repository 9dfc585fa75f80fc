import { hexToBytes } from '@noble/hashes/utils.js';
import { encodeBase58 } from '../contract/formats/base58.js';

/** Generates the ids and tokens of a platform. They look random and are the same in every run. */
export class Identifiers {
  readonly #seed: number;
  #state: number;
  #restarts = 0;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  /** Sets the position of the sequence. */
  set(state: number): void {
    this.#state = state;
  }

  /** Starts the sequence again, or goes on at the position of a snapshot. */
  restart(state = this.#seed): void {
    this.#state = state;
    this.#restarts++;
  }

  /** Current position of the sequence. */
  get state(): number {
    return this.#state;
  }

  // mulberry32: public domain, good enough for ids that must only differ.
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** Returns hexadecimal digits. */
  hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.#next().toString(16).padStart(8, '0');
    return text.slice(0, length);
  }

  /** Returns decimal digits. */
  digits(length: number): string {
    let text = '';
    while (text.length < length) text += String(this.#next() % 10);
    return text;
  }

  /** Returns a version 4 UUID. */
  uuid(): string {
    const hex = this.hex(32);
    const tail = `${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${tail}`;
  }

  /** Returns a token or a code. None from before a restart is the same: a client may still have it. */
  secret(kind: 'access' | 'refresh' | 'code' | 'reset'): string {
    const prefix = this.#restarts === 0 ? kind : `${kind}_${this.#restarts}`;
    return `${prefix}_${this.hex(kind === 'refresh' ? 48 : 40)}`;
  }

  /** Returns a token in the form of a UUID. None from before a restart is the same. */
  token(): string {
    const uuid = this.uuid();
    const first = (Number.parseInt(uuid.slice(0, 8), 16) ^ this.#restarts) >>> 0;
    return `${first.toString(16).padStart(8, '0')}${uuid.slice(8)}`;
  }

  /** Returns an EVM address in lower case. */
  evmAddress(): string {
    return `0x${this.hex(40)}`;
  }

  /** Returns an EVM transaction hash. */
  evmHash(): string {
    return `0x${this.hex(64)}`;
  }

  /** Returns a Solana address. */
  solanaAddress(): string {
    return encodeBase58(hexToBytes(this.hex(64)));
  }

  /** Returns the signature of a Solana transaction. */
  solanaSignature(): string {
    // A smaller first byte could make the text shorter than the 87 characters of the contract.
    return encodeBase58(hexToBytes(`ff${this.hex(126)}`));
  }
}
