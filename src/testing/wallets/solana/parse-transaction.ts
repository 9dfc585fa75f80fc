import { encodeBase58 } from '../../../contract/formats/base58.js';

const SIGNATURE_SIZE = 64;

/** An instruction of a transaction. The numbers are indexes in the list of accounts. */
export type CompiledInstruction = {
  readonly programIdIndex: number;
  readonly accountKeyIndexes: readonly number[];
  readonly data: Uint8Array;
};

/** The parts of a transaction in the wire format. */
export type ParsedTransaction = {
  readonly signatures: readonly Uint8Array[];
  /** The part that is signed. */
  readonly message: Uint8Array;
  /** How many accounts must sign, counted from the first. */
  readonly signers: number;
  readonly accounts: readonly string[];
  readonly blockhash: string;
  readonly instructions: readonly CompiledInstruction[];
};

/**
 * Parses a legacy transaction, or one of version 0 without lookup tables.
 *
 * @throws Error for anything else
 */
export function parseTransaction(wire: Uint8Array): ParsedTransaction {
  const outer = new ByteReader(wire);
  const signatures = outer.list(() => outer.take(SIGNATURE_SIZE));
  const message = outer.rest();
  const reader = new ByteReader(message);
  const first = reader.byte();
  const isVersioned = first >= 128;
  if (first > 128) throw new Error('only transactions of version 0 are supported');
  const signers = isVersioned ? reader.byte() : first;
  reader.take(2);
  const accounts = reader.list(() => encodeBase58(reader.take(32)));
  const blockhash = encodeBase58(reader.take(32));
  const instructions = reader.list(() => ({
    programIdIndex: reader.byte(),
    accountKeyIndexes: reader.list(() => reader.byte()),
    data: reader.take(reader.length()),
  }));
  if (isVersioned && reader.length() > 0) {
    throw new Error('address lookup tables are not supported by the tiny chain');
  }
  return { signatures, message, signers, accounts, blockhash, instructions };
}

class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const [value = 0] = this.take(1);
    return value;
  }

  take(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length)
      throw new Error('failed to deserialize: the transaction ends early');
    const taken = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return taken;
  }

  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#at);
  }

  /** Reads a compact-u16 length: seven bits in each byte, the lowest first. */
  length(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  list<T>(item: () => T): T[] {
    return Array.from({ length: this.length() }, item);
  }
}
