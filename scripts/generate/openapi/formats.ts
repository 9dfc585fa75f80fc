import type { Field } from '../../../src/contract/field.js';
import * as fields from '../../../src/contract/fields.js';

/** The part of a field's rule that JSON Schema can express. `undefined` leaves it to zod. */
export type Format = {
  pattern?: string | undefined;
  format?: string;
  minLength?: number;
  maxLength?: number;
  exclusiveMinimum?: undefined;
  /** A rule that only this package has. */
  'x-sdk-rule'?: string;
  /** Whether it expresses the whole rule, which then needs no description. */
  isWhole?: boolean;
};

const EVM_ADDRESS = '0x[a-fA-F0-9]{40}';
const SOLANA_ADDRESS = '[1-9A-HJ-NP-Za-km-z]{32,44}';
const DECIMAL = { pattern: '^\\d+(\\.\\d+)?$' };
const IN_WORDS = { isWhole: true };
const SOLANA_SIGNATURE = { pattern: '^[1-9A-HJ-NP-Za-km-z]{87,88}$', isWhole: true };

/** A rule that only this package has: the contract calls the field a text. */
const ours = (rule: string): Format => ({ pattern: undefined, isWhole: true, 'x-sdk-rule': rule });
const IDENTIFIER = 'Up to 200 characters without blanks';

/**
 * The form of the fields whose rule is code, or a regular expression that other languages do not
 * read: as the contract writes it. Such a form is wider than the rule, never narrower.
 */
export const FORMATS: ReadonlyMap<Field, Format> = new Map<Field, Format>([
  [fields.email, { format: 'email', pattern: undefined }],
  [fields.uuid, { format: 'uuid' }],
  [fields.day, { format: 'date' }],
  [fields.identifier, ours(`${IDENTIFIER}.`)],
  [fields.pathIdentifier, ours(`${IDENTIFIER} and without / \\ ? # %.`)],
  [fields.pathId, ours('Up to 200 letters, digits, dots, underscores, tildes or hyphens.')],
  [fields.anyAddress, ours('Up to 200 printable ASCII characters without blanks.')],
  [fields.code, ours('A code of up to 32 letters, digits, underscores or hyphens.')],
  [fields.delegationToken, ours('Up to 200 letters, digits, underscores or hyphens.')],
  [fields.decimalAmount, { ...DECIMAL, isWhole: true }],
  [fields.positiveAmount, DECIMAL],
  [fields.evmAddress, { pattern: `^${EVM_ADDRESS}$` }],
  [fields.solanaAddress, { pattern: `^${SOLANA_ADDRESS}$`, isWhole: true }],
  [fields.walletAddress, { pattern: `^(${EVM_ADDRESS}|${SOLANA_ADDRESS})$` }],
  [fields.solanaSignature, SOLANA_SIGNATURE],
  [fields.memo, ours('1 to 256 characters, not blank.')],
  [fields.httpsUrl, { format: 'uri', pattern: '^[hH][tT][tT][pP][sS]://', isWhole: true }],
  [fields.returnUrl, { format: 'uri' }],
  [fields.secureUrl, { format: 'uri' }],
  [fields.timestamp, { format: 'date-time', isWhole: true }],
  // Their descriptions say it.
  [fields.upperCaseText, IN_WORDS],
  [fields.maskedText, IN_WORDS],
  [fields.unmaskedText, IN_WORDS],
  [fields.price, { exclusiveMinimum: undefined, 'x-sdk-rule': 'It must be above zero.' }],
]);
