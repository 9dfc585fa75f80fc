import { BUSINESS_ERRORS } from '../../contract/business-errors.js';
import { isObject } from '../../contract/formats/is-object.js';
import { statedRefusal } from '../../contract/refusals.js';
import type { ErrorBody } from './error-body.js';
import { textOf, unpacked } from './json.js';

const DEEPEST_EVIDENCE = 4;
const MOST = 10;
const LONGEST = 200;

/** Names under which services return the transaction that they sent. */
const NAMES = new Set(['txhash', 'txid', 'transactionhash', 'transactionid', 'hash', 'signature']);

/** A transaction hash by its form: 0x and 64 hex characters, or base58 of 64 bytes. */
const HASH = /^(?:0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{86,88})$/;

function isEvidence(key: string, value: unknown): value is string {
  if (typeof value !== 'string' || value.trim() === '') return false;
  return HASH.test(value) || NAMES.has(key.toLowerCase().replace(/[^a-z]/g, ''));
}

type Walk = { found: Record<string, string>; sent: readonly string[] };

function walk(value: unknown, path: string, depth: number, { found, sent }: Walk): void {
  if (depth > DEEPEST_EVIDENCE || (!isObject(value) && !Array.isArray(value))) return;
  for (const [key, one] of Object.entries(value)) {
    if (Object.keys(found).length >= MOST) return;
    const at = path === '' ? key : `${path}.${key}`;
    if (!isEvidence(key, one)) walk(unpacked(one), at, depth + 1, { found, sent });
    else if (!sent.includes(one)) found[at] = one.slice(0, LONGEST);
  }
}

/**
 * Evidence in a response that the service acted, by the path of its field: a transaction hash. A
 * refusal beside it cannot be believed.
 *
 * @param sent - the texts of the request: a service that echoes them has proven nothing
 */
export function evidenceOfExecution(
  body: unknown,
  sent: readonly string[] = [],
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  walk(body, '', 0, { found, sent });
  return found;
}

const DEEPEST = 3;
const DOCUMENTED = Object.values(BUSINESS_ERRORS);

/** Fields, in lower case, with a number or one word about how a request went. */
const STATES = ['status', 'state', 'result', 'outcome', 'code', 'errorcode', 'statuscode'] as const;
/** Fields, in lower case, with sentences or codes about how a request went, and no result. */
const WORDS = new Set<string>([
  ...STATES,
  ...['success', 'ok', 'message', 'msg', 'error', 'errors', 'error_code', 'error_description'],
  ...['detail', 'details', 'reason', 'timestamp', 'path', 'requestid', 'isotprequired'],
]);

const GOOD =
  /^(?:ok|okay|true|done|success|successful|succeeded|complete|completed|executed|processed|accepted|approved|confirmed|created|sent|submitted|queued|pending|processing)$/i;
const BAD =
  /(?:^|[^a-z])(?:fail|failed|failure|error|errored|rejected|refused|declined|denied|cancelled|canceled|aborted|blocked|forbidden|unauthorized|unavailable|expired|insufficient|invalid|false)(?:$|[^a-z])/i;

type Signs = { good: boolean; bad: boolean };

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return typeof value === 'string' ? value.trim() !== '' : value === true || Number.isFinite(value);
}

function readState(name: string, value: unknown, signs: Signs): void {
  if (Number.isInteger(value)) {
    if (Number(value) >= 400 && Number(value) < 600) signs.bad = true;
    if (Number(value) >= 200 && Number(value) < 300) signs.good = true;
    return;
  }
  const word = textOf(value)?.trim().replaceAll('_', ' ');
  if (word === undefined) return;
  if (/^\d{3}$/.test(word)) readState(name, Number(word), signs);
  else if (GOOD.test(word)) signs.good = true;
  // The service puts a code of its own only into errors.
  else if (BAD.test(word) || /code/i.test(name)) signs.bad = true;
}

/** A flag in any of the types that services spell it in: `false`, `"false"`, `0`. */
function readFlag(value: unknown, signs: Signs): void {
  if (/^(?:true|yes|ok|1)$/i.test(String(value))) signs.good = true;
  if (/^(?:false|no|0)$/i.test(String(value))) signs.bad = true;
}

function readSigns(value: unknown, signs: Signs, depth: number): void {
  if (!isObject(value) || depth > DEEPEST) return;
  const fields = new Map(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one]));
  for (const name of ['success', 'ok']) readFlag(fields.get(name), signs);
  if (isFilled(fields.get('error')) || isFilled(fields.get('errors'))) signs.bad = true;
  for (const name of STATES) readState(name, fields.get(name), signs);
  for (const name of ['data', 'result', 'response', 'body', 'error']) {
    readSigns(fields.get(name), signs, depth + 1);
  }
}

/**
 * What a body suggests that is in no documented form. It is no proof, whatever it says: it only
 * decides which outcome is likelier.
 *
 * @param texts - the sentences of the body
 */
export function suggestionOf(
  data: unknown,
  texts: readonly string[],
): 'failure' | 'unclear' | 'success' | 'nothing' {
  const signs: Signs = { good: false, bad: statedRefusal(texts, DOCUMENTED) !== undefined };
  readSigns(data, signs, 0);
  if (typeof data === 'string') readState('status', data, signs);
  if (typeof data === 'boolean') readFlag(data, signs);
  if (signs.bad) return signs.good ? 'unclear' : 'failure';
  if (signs.good) return 'success';
  return texts.length > 0 ? 'unclear' : 'nothing';
}

/** Whether a body says `success: true`. */
export function saysSuccess(data: unknown): boolean {
  return isObject(data) && data['success'] === true;
}

/** Whether a body is `{}` or `null`. */
export function isBlank(data: unknown): boolean {
  return data === null || (isObject(data) && Object.keys(data).length === 0);
}

/**
 * Whether a body only describes how a request went: all of its fields are words, or it says that
 * something failed. Where no form is documented, this cannot pass for a result.
 */
export function isStatusOnly(data: unknown): boolean {
  if (!isObject(data) || isBlank(data)) return false;
  const isWordsOnly = Object.keys(data).every((name) => WORDS.has(name.toLowerCase()));
  const signs: Signs = { good: false, bad: false };
  readSigns(data, signs, 0);
  return isWordsOnly || (signs.bad && !signs.good);
}

/**
 * The status of the service's own error body inside a success status: `statusCode` of 400 and above,
 * beside words.
 */
export function innerStatus(data: unknown, { isDocumentedForm }: ErrorBody): number | undefined {
  const code = isObject(data) && isDocumentedForm ? data['statusCode'] : undefined;
  return typeof code === 'number' && Number.isInteger(code) && code >= 400 && code < 600
    ? code
    : undefined;
}
