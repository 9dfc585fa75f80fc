import * as base58 from '../contract/formats/base58.js';
import * as decimal from '../contract/formats/decimal.js';
import * as evm from '../contract/formats/evm-address.js';
import { hasEvmForm } from '../contract/formats/evm-checksum.js';
import { isBytes } from '../contract/formats/is-bytes.js';
import { RequestValidationError } from '../errors/index.js';

/** More than any decimal text that `decimalToBaseUnits` takes: 100 digits and 255 decimals. */
const TOO_MANY_UNITS = 1n << 1200n;

function invalid(argument: string, message: string): never {
  throw new RequestValidationError([{ path: argument, message }]);
}

function requireText(text: unknown): void {
  if (typeof text !== 'string') invalid('text', 'must be a string');
}

/** Decimals that are not a number would leave an amount off by powers of ten. */
function requireDecimals(decimals: unknown): void {
  if (!decimal.isDecimalCount(decimals)) {
    invalid('decimals', 'must be a whole number from 0 to 255');
  }
}

/**
 * Converts a decimal text to base units, exactly: `('1.5', 6)` is `1500000n`.
 * Returns `undefined` for anything but a plain decimal of at most 100 characters, and for more
 * decimals than fit. Zeros at the end do not count.
 *
 * @throws RequestValidationError when `text` is not a string, or `decimals` is not a whole number
 * from 0 to 255
 *
 * @example
 * ```ts
 * import { decimalToBaseUnits } from 'card-platform-sdk';
 *
 * decimalToBaseUnits('250', 6); // 250000000n
 * decimalToBaseUnits('0.0000001', 6); // undefined: it would be rounded
 * ```
 */
export function decimalToBaseUnits(text: string, decimals: number): bigint | undefined {
  requireText(text);
  requireDecimals(decimals);
  return decimal.decimalToBaseUnits(text, decimals);
}

/**
 * Converts base units to the shortest decimal text: `(1500000n, 6)` is `'1.5'`.
 *
 * @throws RequestValidationError when `units` is not a bigint from 0 to 2^1200, or `decimals` is not
 * a whole number from 0 to 255
 *
 * @example
 * ```ts
 * import { baseUnitsToDecimal } from 'card-platform-sdk';
 *
 * baseUnitsToDecimal(1500000n, 6); // '1.5'
 * ```
 */
export function baseUnitsToDecimal(units: bigint, decimals: number): string {
  if (typeof units !== 'bigint' || units < 0n || units > TOO_MANY_UNITS) {
    invalid('units', 'must be a bigint from 0 to 2^1200');
  }
  requireDecimals(decimals);
  return decimal.baseUnitsToDecimal(units, decimals);
}

/**
 * Decodes base58 (Bitcoin alphabet). Returns `undefined` for any other text, and for more than 128
 * characters.
 *
 * @throws RequestValidationError when `text` is not a string
 *
 * @example
 * ```ts
 * import { decodeBase58 } from 'card-platform-sdk';
 *
 * decodeBase58('So11111111111111111111111111111111111111112')?.length; // 32
 * decodeBase58('0OIl'); // undefined: base58 has none of these
 * ```
 */
export function decodeBase58(text: string): Uint8Array | undefined {
  requireText(text);
  return base58.decodeBase58(text);
}

/**
 * Encodes bytes as base58 (Bitcoin alphabet).
 *
 * @throws RequestValidationError when `bytes` is not a `Uint8Array` of at most 93 bytes: more could
 * not be decoded again
 *
 * @example
 * ```ts
 * import { encodeBase58 } from 'card-platform-sdk';
 *
 * encodeBase58(new Uint8Array(32)); // '11111111111111111111111111111111'
 * ```
 */
export function encodeBase58(bytes: Uint8Array): string {
  return isBytes(bytes) && bytes.length <= base58.MAX_BYTES
    ? base58.encodeBase58(bytes)
    : invalid('bytes', `must be a Uint8Array of at most ${base58.MAX_BYTES} bytes`);
}

/**
 * Returns the EIP-55 form of an address, whatever its case. A wrong checksum is replaced, not
 * reported: `isEvmAddress` finds a mistyped address.
 *
 * @throws RequestValidationError for anything but 0x and 40 hex characters
 *
 * @example
 * ```ts
 * import { toChecksumAddress } from 'card-platform-sdk';
 *
 * toChecksumAddress('0x52908400098527886e0f7030069857d2e4169ee7');
 * // '0x52908400098527886E0F7030069857D2E4169EE7'
 * ```
 */
export function toChecksumAddress(address: string): `0x${string}` {
  return hasEvmForm(address)
    ? evm.toChecksumAddress(address)
    : invalid('address', 'must be 0x and 40 hex characters');
}
