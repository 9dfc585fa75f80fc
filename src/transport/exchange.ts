import ky from 'ky';
import { discardBody, readBody } from './body.js';
import type { FetchFunction } from './options.js';
import type { WireRequest } from './wire-request.js';

/** A whole answer, read. */
export type Exchange = {
  status: number;
  headers: Headers;
  text: string;
};

/** How far an exchange has come; written while it runs, read when it fails. */
export type Progress = {
  phase: 'headers' | 'body';
  status: number | undefined;
};

/** Options that keep single-use URLs and credentials out of a browser's caches and referrers. */
const BROWSER_PRIVACY = {
  cache: 'no-store',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
} as const;

/**
 * Sends one request and reads the whole answer. Follows no redirect, because a redirect would hand
 * the credentials to another origin.
 *
 * ky gets no headers, body or signal: it would copy each into a `Request` that is sent nowhere.
 * They go to `fetch` as they are; deadlines and repeats are the callers' concern.
 */
export async function exchange(
  request: WireRequest,
  fetch: FetchFunction,
  inBrowser: boolean,
  signal: AbortSignal,
  progress: Progress,
): Promise<Exchange> {
  let failure: unknown;
  const init: RequestInit = {
    method: request.method,
    headers: request.headers,
    redirect: 'manual',
    signal,
    ...(request.body !== undefined && { body: request.body }),
    ...(inBrowser && BROWSER_PRIVACY),
  };
  const response = await ky(request.url, {
    method: request.method,
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    fetch: async () => {
      try {
        return await fetch(request.url, init);
      } catch (error) {
        // ky wraps what a fetch throws; the codes of the first cause are what we judge by.
        failure = error;
        throw error;
      }
    },
  }).catch((error: unknown) => {
    throw failure ?? error;
  });
  const { status, headers } = response;
  // Nothing in a redirect is worth reading, and a browser does not let anyone read it.
  if (status === 0 || (status >= 300 && status < 400)) {
    discardBody(response);
    return { status, headers, text: '' };
  }
  progress.phase = 'body';
  progress.status = status;
  return { status, headers, text: await readBody(response) };
}
