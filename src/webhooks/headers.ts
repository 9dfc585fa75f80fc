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
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? []);
  // A repeated header is ambiguous, so it counts as missing.
  return values.length === 1 ? String(values[0]) : undefined;
}

/**
 * Returns the value of a header that a delivery must have exactly once.
 *
 * @throws WebhookVerificationError when it is missing or repeated
 */
export function requireHeader(headers: IncomingHeaders, name: string): string {
  const value = readHeader(headers, name);
  // Servers and `Headers` join the values of a repeated header with commas.
  if (value !== undefined && value !== '' && !value.includes(',')) return value;
  throw new WebhookVerificationError(
    'webhook_header_missing',
    `the header ${name} is missing or repeated.`,
  );
}
