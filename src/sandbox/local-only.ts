import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/**
 * Whether a request is for this machine by name as well: a page of the internet whose name was
 * pointed at 127.0.0.1 (DNS rebinding) carries its own name in `Host`.
 */
export function isForThisMachine({ headers }: IncomingMessage): boolean {
  return LOOPBACK.test(headers.host ?? '');
}

/** The origin of a page on this machine, which may use the sandbox from a browser. */
export function localOrigin({ headers }: IncomingMessage): string | undefined {
  const { origin } = headers;
  if (origin === undefined || !/^https?:\/\//.test(origin)) return undefined;
  return LOOPBACK.test(origin.replace(/^https?:\/\//, '')) ? origin : undefined;
}

/** Whether a page of another machine asks: its requests change nothing here. */
export function isForeign(request: IncomingMessage): boolean {
  return request.headers.origin !== undefined && localOrigin(request) === undefined;
}
