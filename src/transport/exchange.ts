import type { KyInstance } from 'ky';
import { discardBody, type ReceivedResponse, readBody } from './body.js';
import type { WireRequest } from './wire-request.js';

/** A whole answer, read. */
export type Exchange = {
  status: number;
  headers: Headers;
  text: string;
};

/** What `fetch` gets of a request. */
export type ExchangeInit = {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: 'manual';
  signal: AbortSignal;
};

/** What sends a request: a `fetch`, or what does the same for less. */
export type ExchangeFetch = (url: string, init: ExchangeInit) => Promise<ReceivedResponse>;

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

// Loaded with the first call: ky looks at what the runtime can do as soon as it is loaded, and that
// alone takes Node longer than everything else here.
let loadedKy: KyInstance | undefined;

async function loadKy(): Promise<KyInstance> {
  loadedKy ??= (await import('ky')).default;
  return loadedKy;
}

/** What ky is told: the answer itself is read by us. Made when it is first needed: it is slow to load. */
let answered: Response | undefined;

/**
 * Sends one request and reads the whole answer. Follows no redirect, because a redirect would hand
 * the credentials to another origin.
 *
 * ky gets no headers, body or signal: it would copy each into a `Request` that is sent nowhere.
 * They go to `fetch` as they are, from a hook that always gives ky an answer, whatever came of it:
 * so ky's own deadline, repeats and errors never begin. Those are the callers' concern, endpoint by
 * endpoint, and every option that turns one off is merged again with each call.
 */
export async function exchange(
  request: WireRequest,
  fetch: ExchangeFetch,
  inBrowser: boolean,
  signal: AbortSignal,
  progress: Progress,
): Promise<Exchange> {
  let received: { response: ReceivedResponse } | { failure: unknown } | undefined;
  const init: ExchangeInit = {
    method: request.method,
    headers: request.headers,
    redirect: 'manual',
    signal,
    ...(request.body !== undefined && { body: request.body }),
    ...(inBrowser && BROWSER_PRIVACY),
  };
  const send = async (): Promise<Response> => {
    try {
      // Whatever ky may take for a reason to ask again: what was sent is not sent a second time.
      received ??= { response: await fetch(request.url, init) };
    } catch (failure) {
      // The codes of the first cause are what we judge by.
      received = { failure };
    }
    // A server may replace the class after our first call (Hono's does): ky would take the old one
    // for no answer, and send a request of its own.
    if (!(answered instanceof Response)) answered = new Response();
    return answered;
  };
  // Sent from a hook, because on its own way to `fetch` ky clones a request that nobody needs.
  const ky = loadedKy ?? (await loadKy());
  await ky(request.url, { hooks: { beforeRequest: [send] } }).catch((failure: unknown) => {
    received ??= { failure };
  });
  const response = responseOf(received);
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

function responseOf(received: { response: ReceivedResponse } | { failure: unknown } | undefined) {
  if (received !== undefined && 'response' in received) return received.response;
  throw received?.failure;
}
