const REFUSED_APP_SCHEMES = new Set([
  'http:',
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
]);

/** Parses an absolute URL. Safari before 17 and Jest's older jsdom have no `URL.canParse`. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function parse(text: string): URL | undefined {
  // The URL parser drops tabs, line breaks and surrounding blanks: what we check must be what is sent.
  if (text.length > 4096 || /[\s\\\p{Cc}]/u.test(text)) return undefined;
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

/** Whether a browser may be sent back to a URL: a secure one, or an app link like `myapp://done`. */
export function isReturnUrl(text: string): boolean {
  if (isSecureUrl(text)) return true;
  const url = parse(text);
  return url !== undefined && url.protocol !== 'https:' && !REFUSED_APP_SCHEMES.has(url.protocol);
}
