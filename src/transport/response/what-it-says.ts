import {
  BUSINESS_ERRORS,
  type BusinessErrorCode,
  businessErrorIn,
} from '../../contract/business-errors.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { ErrorBody } from './error-body.js';
import { textOf } from './error-layers.js';

const DEEPEST = 3;
const DOCUMENTED = Object.keys(BUSINESS_ERRORS) as BusinessErrorCode[];

/** Fields that hold a number or one word about how a request went. */
const STATES = ['status', 'state', 'result', 'outcome', 'code', 'errorCode', 'statusCode'] as const;
/** Fields that hold sentences or codes about how a request went, and no result of it. */
const WORDS = new Set<string>([
  ...STATES,
  ...['success', 'ok', 'message', 'msg', 'error', 'errors', 'error_code', 'error_description'],
  ...['detail', 'details', 'reason', 'timestamp', 'path', 'requestId', 'isOtpRequired'],
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

function readSigns(value: unknown, signs: Signs, depth: number): void {
  if (!isObject(value) || depth > DEEPEST) return;
  for (const name of ['success', 'ok'] as const) {
    if (value[name] === true) signs.good = true;
    if (value[name] === false) signs.bad = true;
  }
  if (isFilled(value['error']) || isFilled(value['errors'])) signs.bad = true;
  for (const name of STATES) readState(name, value[name], signs);
  for (const name of ['data', 'result', 'response', 'body', 'error'] as const) {
    readSigns(value[name], signs, depth + 1);
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
  const signs: Signs = { good: false, bad: businessErrorIn(texts, DOCUMENTED) !== undefined };
  readSigns(data, signs, 0);
  if (typeof data === 'string') readState('status', data, signs);
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
 * Whether a body only talks about how a request went: all of its fields are words, or it says that
 * something failed. Where no form is documented, this cannot pass for a result.
 */
export function isOnlyTalk(data: unknown): boolean {
  if (!isObject(data) || isBlank(data)) return false;
  const isTalk = Object.keys(data).every((name) => WORDS.has(name));
  const signs: Signs = { good: false, bad: false };
  readSigns(data, signs, 0);
  return isTalk || (signs.bad && !signs.good);
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
