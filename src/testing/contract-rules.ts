import { type BrokenRule, brokenRules, issuesOf } from '../contract/check.js';
import type { Endpoint } from '../contract/endpoint.js';
import { Field, UNKNOWN_FIELD } from '../contract/field.js';
import {
  anyAddress,
  code,
  consentMetadata,
  decimalAmount,
  delegationToken,
  email,
  evmAddress,
  httpsUrl,
  identifier,
  lowerCaseCode,
  memo,
  metadata,
  pathId,
  pathIdentifier,
  returnUrl,
  solanaAddress,
  solanaSignature,
  walletAddress,
} from '../contract/fields.js';
import { isObject } from '../contract/formats/is-object.js';
import { isAppScheme } from '../contract/formats/url.js';
import type { SchemaIssue } from '../contract/schema.js';
import { webhookEventType, webhookName } from '../contract/webhooks.js';

// The schemas of the inputs are the client's, and the client is more careful than the contract. The
// mock applies only the rules of the contract, because the service is not known to have the others.

/** Whether a value has the form that the contract gives a field. */
type Form = (value: unknown) => boolean;

const isString = (value: unknown) => typeof value === 'string';

const matching =
  (pattern: RegExp): Form =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

/** Whether a value is a URL that the runtime can read, without blanks. */
function isUrl(value: unknown): value is string {
  if (typeof value !== 'string' || /[\s\\\p{Cc}]/u.test(value)) return false;
  try {
    return Boolean(new URL(value));
  } catch {
    return false;
  }
}

/** Any scheme but those that a browser runs or opens itself: a page of the mock redirects there. */
const isSafeScheme = (scheme: string) => /^https?$/i.test(scheme) || isAppScheme(scheme);

/** Any text that is not empty. Half a surrogate pair is refused, because no path can contain it. */
const ANY_TEXT = matching(/^\P{Cs}+$/u);
const SOLANA_SIGNATURE = matching(/^[1-9A-HJ-NP-Za-km-z]{87,88}$/);

/** What the contract says of the fields that the client checks more strictly. */
const FORMS: ReadonlyMap<Field, Form> = new Map<Field, Form>([
  // "string": ids, tokens, addresses on any network and memos, without length or alphabet.
  [identifier, ANY_TEXT],
  [pathIdentifier, ANY_TEXT],
  [pathId, ANY_TEXT],
  [delegationToken, ANY_TEXT],
  [anyAddress, ANY_TEXT],
  [memo, ANY_TEXT],
  // "string", with a list or with a refusal of its own for unknown networks and currencies.
  [code, ANY_TEXT],
  // "lowercase code"
  [lowerCaseCode, matching(/^[^\p{Cs}\p{Lu}]+$/u)],
  // "valid email": the contract does not say which are, so anything around one `@`.
  [email, matching(/^[^\s@]+@[^\s@]+$/)],
  // The patterns of the proofs: no checksum, no number of bytes, and zero is an amount.
  [decimalAmount, matching(/^\d+(\.\d+)?$/)],
  [evmAddress, matching(/^0x[a-fA-F0-9]{40}$/)],
  [solanaAddress, matching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)],
  [solanaSignature, SOLANA_SIGNATURE],
  // "EVM address 0x plus 40 hex characters, or Solana base58 public key"
  [walletAddress, matching(/^(?:0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)],
  // "string URL" and "string, HTTPS only": also http, a user name, an IPv6 address.
  [returnUrl, (value) => isUrl(value) && isSafeScheme(value.slice(0, value.indexOf(':')))],
  [httpsUrl, (value) => isUrl(value) && /^https:\/\/[^/]/i.test(value)],
  // "string, max 255" and "array of strings"
  [webhookName, (value) => typeof value === 'string' && value.length <= 255],
  [webhookEventType, isString],
  // "object", of any size
  [metadata, isObject],
  [consentMetadata, isObject],
]);

/** What the contract says of single fields whose rule others share, by endpoint and field. */
const FORMS_OF_ENDPOINT: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  // "array, required", without a smallest number of items as the consents and event types have.
  'wallets.internal.create': { wallets: Array.isArray },
};

/** Returns the field that a schema has at a path. */
function fieldAt(field: Field | undefined, path: readonly string[]): Field | undefined {
  if (field === undefined) return undefined;
  const { inner, item, fields } = field.parts;
  if (inner !== undefined) return fieldAt(inner, path);
  const [key, ...rest] = path;
  return key === undefined ? field : fieldAt(item ?? fields?.[key], rest);
}

/** Whether an issue is a rule over several fields that only this package has. */
function isOwnRule(issue: SchemaIssue): boolean {
  return 'params' in issue && Object(issue.params).isOfContract === false;
}

/** Returns the rules of the contract that an input breaks. Never one that only this package has. */
export function brokenContractRules(
  { id, input: schema, certainty }: Endpoint,
  input: Readonly<Record<string, unknown>>,
): readonly BrokenRule[] {
  const root = schema instanceof Field ? schema : undefined;
  const isOfContract = (issue: SchemaIssue) => {
    // The contract says nothing of unknown fields, so the service is taken to ignore them.
    if (issue.message === UNKNOWN_FIELD) return false;
    // Nor of the observed calls: all that is known of them is their schema.
    if (certainty !== undefined) return true;
    const path = (issue.path ?? []).map(String);
    const field = fieldAt(root, path);
    const form = FORMS_OF_ENDPOINT[id]?.[path.join('.')] ?? (field && FORMS.get(field));
    const value = path.reduce<unknown>((outer, key) => Object(outer)[key], input);
    return !isOwnRule(issue) && form?.(value) !== true;
  };
  return brokenRules(issuesOf(schema, input).filter(isOfContract));
}
