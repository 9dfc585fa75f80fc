import { isSecureUrl, parseWebUrl } from '../contract/formats/url.js';
import { RequestValidationError } from '../errors/index.js';

/** Returns the origin of the page from its whole URL. */
export function originOfPage(url: string, field: string): string {
  const page = typeof url === 'string' && isSecureUrl(url) ? parseWebUrl(url) : undefined;
  if (page !== undefined) return page.origin;
  throw new RequestValidationError([{ path: field, message: 'must be an https URL' }]);
}

/** The contract names the type of the message and not its format, so both usual ones are accepted. */
export function isAbort(data: unknown): boolean {
  return data === 'abort' || (Object(data) as { type?: unknown }).type === 'abort';
}
