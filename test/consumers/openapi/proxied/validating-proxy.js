import { readFileSync } from 'node:fs';
import { openProxy } from 'openapi-tools/prism';

const document = JSON.parse(
  readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'),
);
// Prism's own error responses, for example when the connection to the mock broke.
const PROBLEM = 'application/problem+json';

/** Whether the description has an operation for a request. */
function isDescribed(method, pathname) {
  return Object.entries(document.paths).some(([path, operations]) => {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return pattern.test(pathname) && method.toLowerCase() in operations;
  });
}

/** Opens a proxy in front of a platform. Every exchange with a described operation goes through it. */
export async function openValidatingProxy(platformUrl) {
  const proxy = await openProxy(document, platformUrl);
  const violations = [];
  let exchanges = 0;
  async function send(request) {
    const { pathname, search } = new URL(request.url);
    const isForProxy = isDescribed(request.method, pathname);
    const url = `${isForProxy ? proxy.url : platformUrl}${pathname}${search}`;
    const { method, headers, signal } = request;
    // In one piece: Prism forwards the header of a body in chunks, and sends a length with it.
    const text = await request.text();
    const body = text === '' ? undefined : text;
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    if (response.headers.get('content-type')?.startsWith(PROBLEM)) {
      throw new TypeError('fetch failed', { cause: new Error(await response.text()) });
    }
    if (isForProxy) exchanges++;
    for (const { location, message } of JSON.parse(response.headers.get('sl-violations') ?? '[]')) {
      const place = `${location.join('.')} ${message}`;
      violations.push(`${request.method} ${pathname} ${response.status}: ${place}`);
    }
    return response;
  }
  return {
    send,
    violations,
    get exchanges() {
      return exchanges;
    },
    close: proxy.close,
  };
}
