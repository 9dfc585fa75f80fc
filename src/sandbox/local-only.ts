import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/**
 * Returns whether a request names this machine in `Host`. A website whose domain points at 127.0.0.1
 * (DNS rebinding) sends its own domain instead.
 */
export function isForThisMachine({ headers }: IncomingMessage): boolean {
  return LOOPBACK.test(headers.host ?? '');
}

/** Returns the origin of a page on this machine, which may use the sandbox from a browser. */
export function localOrigin({ headers }: IncomingMessage): string | undefined {
  const { origin } = headers;
  if (origin === undefined || !/^https?:\/\//.test(origin)) return undefined;
  return LOOPBACK.test(origin.replace(/^https?:\/\//, '')) ? origin : undefined;
}

/** Returns whether a page of another machine sends the request. Such requests are rejected. */
export function isFromForeignPage(request: IncomingMessage): boolean {
  return request.headers.origin !== undefined && localOrigin(request) === undefined;
}
