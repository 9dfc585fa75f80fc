/** Makes the ids and tokens of a platform: random enough to differ, and the same in every run. */
export class Identifiers {
  readonly #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  /** Back to the first id. */
  reset(state = this.#seed): void {
    this.#state = state;
  }

  /** Where the sequence stands. */
  get state(): number {
    return this.#state;
  }

  // mulberry32: public domain, good enough for ids that only have to differ.
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** Hexadecimal digits. */
  hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.#next().toString(16).padStart(8, '0');
    return text.slice(0, length);
  }

  /** Decimal digits. */
  digits(length: number): string {
    let text = '';
    while (text.length < length) text += String(this.#next() % 10);
    return text;
  }

  /** A UUID of version 4. */
  uuid(): string {
    const hex = this.hex(32);
    const tail = `${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${tail}`;
  }

  /** An EVM address in lower case. */
  evmAddress(): string {
    return `0x${this.hex(40)}`;
  }

  /** An EVM transaction hash. */
  evmHash(): string {
    return `0x${this.hex(64)}`;
  }
}
