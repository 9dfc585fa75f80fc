import { invalidRedirect } from './login-errors.js';

/** The fields that the sign-in page appends to the redirect URI. */
const NAMES = ['code', 'state', 'app_id', 'error', 'error_description'] as const;

type Redirect = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRedirect();
  }
}

/**
 * Reads the URL that the sign-in page has opened. Not with `URL`, whose getters throw in React Native.
 *
 * @throws OAuthError with code `oauth_redirect_invalid` when the URL cannot be decoded, or repeats a field
 */
export function parseRedirect(url: unknown): Redirect {
  if (typeof url !== 'string') throw invalidRedirect();
  const [, query = ''] = url.replace(/#.*$/s, '').split(/\?(.*)/s);
  const read: Record<string, string> = {};
  for (const part of query.split('&')) {
    const [name = '', value = ''] = part.split(/=(.*)/s).map(decoded);
    if (!NAMES.some((known) => known === name)) continue;
    if (Object.hasOwn(read, name)) throw invalidRedirect();
    read[name] = value;
  }
  return read;
}
