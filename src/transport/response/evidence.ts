import { isObject } from '../../contract/formats/is-object.js';

const DEEPEST = 4;
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
  if (depth > DEEPEST || (!isObject(value) && !Array.isArray(value))) return;
  for (const [key, one] of Object.entries(value)) {
    if (Object.keys(found).length >= MOST) return;
    const at = path === '' ? key : `${path}.${key}`;
    if (!isEvidence(key, one)) walk(one, at, depth + 1, { found, sent });
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
