import { isSecretName } from '../../transport/response/redact.js';
import { isKeptText } from './kept-values.js';
import { isHarmlessName, isKnownField, isKnownValue } from './known-words.js';
import { Placeholders } from './placeholders.js';
import { fieldsOf, itemOf, valueSchemaOf, type Zod } from './schema-parts.js';

/**
 * The knowledge that the contract has of a value: its schema, the schemas of the fields of a request,
 * `named` if the contract has only the name of the field, or nothing. Nothing known means nothing kept.
 */
export type Knowledge = Zod | ReadonlyMap<string, Zod> | 'named' | undefined;

/** Fields with any content. Nothing in them is known. */
const FREE_FORM = /^(?:metadata|requestHeaders|requestBody|responseBody)$/;

const DEEPEST = 32;

const isFieldMap = (known: Knowledge): known is ReadonlyMap<string, Zod> => known instanceof Map;

const isSchema = (known: Knowledge): known is Zod =>
  typeof known === 'object' && !isFieldMap(known);

/** Returns the knowledge of a field of an object. */
function knowledgeOfField(known: Knowledge, name: string): Knowledge {
  if (known === undefined || isSecretName(name) || FREE_FORM.test(name)) return undefined;
  if (isFieldMap(known)) return known.get(name);
  if (!isSchema(known)) return isKnownField(name) ? 'named' : undefined;
  const fields = fieldsOf(known) ?? {};
  if (Object.hasOwn(fields, name)) return fields[name];
  return valueSchemaOf(known);
}

/** Returns the knowledge of the items of a list. */
function knowledgeOfItem(known: Knowledge): Knowledge {
  if (isSchema(known)) return itemOf(known);
  return known === 'named' ? known : undefined;
}

/** Replaces everything in a value that the contract does not know to be harmless. */
export class Redaction {
  readonly placeholders = new Placeholders();

  /** Returns the name of a field or a part of a path, or its replacement. */
  name(name: string): string {
    const isShown = isHarmlessName(name) && !this.#isSecret(name);
    return isShown ? name : this.placeholders.replaceName(name);
  }

  /** Returns a text of a field, or its replacement. */
  text(text: string, name: string, known: Knowledge): string {
    const isKept = known !== undefined && isKeptText(name, text) && !this.#isSecret(text);
    return isKept ? text : this.placeholders.replace(text);
  }

  /** Whether a value was a secret elsewhere. A word of the contract never is. */
  #isSecret(text: string): boolean {
    return !isKnownValue(text) && this.placeholders.has(text);
  }

  /** Returns a value of JSON with its secrets replaced: a number by 0. `true`, `false` and `null` stay. */
  json(value: unknown, known: Knowledge, name = '', depth = 0): unknown {
    if (typeof value === 'string') return this.text(value, name, known);
    if (typeof value === 'number') return this.#number(value, known, name);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST) return null;
    if (Array.isArray(value)) {
      const item = knowledgeOfItem(known);
      return value.map((one) => this.json(one, item, name, depth + 1));
    }
    return Object.fromEntries(
      Object.entries(value).map(([field, one]) => [
        this.name(field),
        this.json(one, knowledgeOfField(known, field), field, depth + 1),
      ]),
    );
  }

  #number(value: number, known: Knowledge, name: string): number {
    if (known === undefined || this.#isSecret(String(value))) return 0;
    return isKeptText(name, String(value)) ? value : 0;
  }
}
