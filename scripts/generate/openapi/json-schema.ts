import { toJSONSchema, type z } from 'zod/mini';
import { Field } from '../../../src/contract/field.js';
import * as fields from '../../../src/contract/fields.js';
import type { Schema } from '../../../src/contract/schema.js';

/** The part of a field's rule that JSON Schema can express. `undefined` leaves it to zod. */
type Format = {
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
const FORMATS: ReadonlyMap<Field, Format> = new Map<Field, Format>([
  [fields.email, { format: 'email', pattern: undefined }],
  [fields.uuid, { format: 'uuid' }],
  [fields.calendarDay, { format: 'date', isWhole: true }],
  [fields.identifier, ours(`${IDENTIFIER}.`)],
  [fields.pathIdentifier, ours(`${IDENTIFIER} and without / \\ ? # %.`)],
  [fields.pathId, ours('Up to 200 letters, digits, dots, underscores, tildes or hyphens.')],
  [fields.anyAddress, ours('Up to 200 printable ASCII characters without blanks.')],
  [fields.code, ours(`${IDENTIFIER}, commas and colons.`)],
  [fields.lowerCaseCode, { ...ours(`${IDENTIFIER}.`), pattern: '^[^A-Z]*$' }],
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

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The messages of the rules in code, which JSON Schema cannot express, by whose rules they are. */
function rulesOf(schema: z.core.$ZodType): { contract: string; sdk: string } {
  const custom = (schema._zod.def.checks ?? []).flatMap(({ _zod: { def } }) => {
    const { check, error, params, path = [] } = def as z.core.$ZodCheckDef & z.core.$ZodCustomDef;
    const words = check === 'custom' ? error?.(undefined as never) : undefined;
    if (typeof words !== 'string') return [];
    const text = [path.length === 0 ? 'It' : `\`${path.join('.')}\``, words].join(' ');
    return [{ text, isOfContract: params?.['isOfContract'] === true }];
  });
  const textOf = (wanted: boolean) => {
    const texts = custom.filter(({ isOfContract }) => isOfContract === wanted);
    return [...new Set(texts.map(({ text }) => `${text}.`))].join(' ');
  };
  return { contract: textOf(true), sdk: textOf(false) };
}

// Syntax that the regular expressions of other languages do not have.
const JAVASCRIPT_ONLY = /\\p\{|\(\?[!=<]/;

/** Writes a nullable value of a list as one schema, and leaves out "null" where anything is allowed. */
function nullable(written: Json): void {
  const { anyOf } = written;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return;
  const [one, other]: Json[] = anyOf;
  if (isJson(one) && Object.keys(one).length === 0) delete written['anyOf'];
  if (!Array.isArray(one?.['enum']) || other?.['type'] !== 'null') return;
  delete written['anyOf'];
  Object.assign(written, one, { type: [one['type'], 'null'], enum: [...one['enum'], null] });
}

/**
 * Drops keywords without information: unknown fields are allowed, and a whole number has no highest
 * value.
 */
function tidy(written: Json): void {
  if (JAVASCRIPT_ONLY.test(String(written['pattern'] ?? ''))) delete written['pattern'];
  if (written['pattern'] === undefined) delete written['pattern'];
  // A text with a form of its own cannot be empty.
  if (written['pattern'] !== undefined && written['minLength'] === 1) delete written['minLength'];
  if (isJson(written['properties'])) {
    const isEmpty = Object.keys(written['properties']).length === 0;
    if (isEmpty && written['additionalProperties'] === false) {
      written['maxProperties'] = 0;
      delete written['properties'];
    }
    delete written['additionalProperties'];
  }
  if (written['maximum'] === Number.MAX_SAFE_INTEGER) delete written['maximum'];
  if (Array.isArray(written['required']) && written['required'].length === 0) {
    delete written['required'];
  }
  delete written['propertyNames'];
  if (written['exclusiveMinimum'] === undefined) delete written['exclusiveMinimum'];
}

/** The client leaves out fields that are null, so no field of a request is. */
function withoutNull(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(withoutNull);
  if (!isJson(written)) return written;
  const { anyOf } = written;
  const alternatives = Array.isArray(anyOf) ? anyOf.filter(({ type }) => type !== 'null') : [];
  if (alternatives.length === 1) {
    const { anyOf: _, ...rest } = written;
    return withoutNull({ ...rest, ...alternatives[0] });
  }
  const inner = Object.entries(written).map(([name, value]) => [name, withoutNull(value)]);
  return Object.fromEntries(inner);
}

/**
 * Marks the fields that were observed and are not part of the contract, and the objects of which the
 * contract does not show every field.
 */
function markObserved({ parts }: Field, written: unknown): void {
  const { fields = {}, isOpen, item, inner } = parts;
  if (!isJson(written)) return;
  if (isOpen) written['additionalProperties'] = true;
  if (inner !== undefined) markObserved(inner, written);
  if (item !== undefined) markObserved(item, written['items']);
  for (const [name, field] of Object.entries(fields)) {
    const property = Object(written['properties'])[name];
    if (field.parts.isObserved && isJson(property)) property['x-observed'] = true;
    markObserved(field, property);
  }
}

/** Converts a schema of the contract to JSON Schema. `output` is the side of a request. */
export function jsonSchema(schema: Schema, direction: 'input' | 'output'): Json {
  const formats = new Map([...FORMATS].map(([field, format]) => [field.zod, format] as const));
  const { $schema, ...rest } = toJSONSchema((schema as Field).zod, {
    unrepresentable: 'any',
    io: 'input',
    override({ zodSchema, jsonSchema: written }) {
      const { isWhole = false, ...format } =
        [...formats].find(([zod]) => zod === zodSchema)?.[1] ?? {};
      const rules = isWhole ? { contract: '', sdk: '' } : rulesOf(zodSchema);
      if (rules.contract !== '') written.description = rules.contract;
      if (rules.sdk !== '') Object.assign(written, { 'x-sdk-rule': rules.sdk });
      Object.assign(written, format);
      tidy(written as Json);
      if (direction === 'input') {
        nullable(written as Json);
        // The contract says nothing about empty texts.
        if (written.minLength === 1) delete written.minLength;
      }
    },
  });
  if (schema instanceof Field) markObserved(schema, rest);
  return (direction === 'output' ? withoutNull(rest) : rest) as Json;
}
