import { WebhookVerificationError } from '../errors/index.js';

/** Headers of a request, as frameworks pass them; names in any case. */
export type IncomingHeaders =
  | {
      /** Returns the value of a header; `null` when it is missing. */
      get(name: string): string | null;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

function readHeader(headers: IncomingHeaders, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== name.toLowerCase()) continue;
    // A repeated header is ambiguous, so it counts as missing.
    if (Array.isArray(value)) return value.length === 1 ? String(value[0]) : undefined;
    return typeof value === 'string' ? value : undefined;
  }
  return undefined;
}

/**
 * Returns the value of a header that a delivery must have exactly once.
 *
 * @throws WebhookVerificationError when it is missing or repeated
 */
export function requireHeader(headers: IncomingHeaders, name: string): string {
  const value = readHeader(headers, name);
  if (value !== undefined && value !== '') return value;
  throw new WebhookVerificationError(
    'webhook_header_missing',
    `the header ${name} is missing or repeated.`,
  );
}
