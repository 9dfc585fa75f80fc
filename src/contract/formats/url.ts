// What a browser runs, reads from the disk or fetches itself: never an app.
const REFUSED_APP_SCHEMES = new Set([
  'http:',
  'https:',
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'filesystem:',
  'ftp:',
  'ws:',
  'wss:',
  'view-source:',
  'jar:',
]);

/** Parses an absolute URL. Safari before 17 and Jest's older jsdom have no `URL.canParse`. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function parse(text: unknown): URL | undefined {
  // The URL parser drops tabs, line breaks and surrounding blanks: what we check must be what is sent.
  if (typeof text !== 'string' || text.length > 4096 || /[\s\\\p{Cc}]/u.test(text))
    return undefined;
  return parseUrl(text);
}

/** Whether a host name is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Whether a text is an https URL without credentials in it. */
export function isHttpsUrl(text: string): boolean {
  const url = parse(text);
  return (
    url !== undefined && url.protocol === 'https:' && url.username === '' && url.password === ''
  );
}

/** Whether a text is an https URL, or an http URL on a loopback host. */
export function isSecureUrl(text: string): boolean {
  if (isHttpsUrl(text)) return true;
  const url = parse(text);
  return url !== undefined && url.protocol === 'http:' && isLoopbackHost(url.hostname);
}

/** Whether a text is the name of a scheme that an app can have, for example `myapp`. */
export function isAppScheme(text: string): boolean {
  return (
    /^[a-z][a-z\d+.-]{0,63}$/i.test(text) && !REFUSED_APP_SCHEMES.has(`${text.toLowerCase()}:`)
  );
}

/** The scheme of a link to an app, or `undefined` for anything else. */
function appSchemeOf(text: string): string | undefined {
  const scheme = parse(text)?.protocol.slice(0, -1);
  return scheme !== undefined && isAppScheme(scheme) ? scheme : undefined;
}

/** Whether a browser can be sent back to a URL: a secure one, or an app link like `myapp://done`. */
export function isReturnUrl(text: string): boolean {
  return isSecureUrl(text) || appSchemeOf(text) !== undefined;
}

/** Whether a browser may be sent back to a URL: a secure one, or a link with one of these schemes. */
export function isAllowedReturnUrl(text: string, schemes: readonly string[]): boolean {
  const scheme = appSchemeOf(text);
  return isSecureUrl(text) || schemes.some((allowed) => allowed.toLowerCase() === scheme);
}
