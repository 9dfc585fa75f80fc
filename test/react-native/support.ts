import { vi } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { CREDENTIALS } from '../support/clients.js';

// Structural doubles of the globals that React Native 0.76 provides to an app.
// test/runtimes/react-native runs the build on React Native's own code; these make single cases
// easy to set up.

// Node loads its own `Headers` at the first use, which needs the globals that are removed below.
new Headers();

export const BASE_URL = 'https://api.example.com';

type Listener = () => void;

/** The `signal` of `abort-controller`, which React Native ships before 0.88: it has no `reason`. */
class Signal {
  aborted = false;
  readonly listeners = new Set<Listener>();
  addEventListener(_: 'abort', listener: Listener): void {
    this.listeners.add(listener);
  }
  removeEventListener(_: 'abort', listener: Listener): void {
    this.listeners.delete(listener);
  }
}

/** The `AbortController` of React Native before 0.88. */
export class Controller {
  readonly signal = new Signal();
  abort(): void {
    this.signal.aborted = true;
    for (const listener of [...this.signal.listeners]) listener();
  }
}

/** A signal as the type of the options has it. */
export const signalOf = ({ signal }: Controller): AbortSignal => signal as unknown as AbortSignal;

/** A `Request` of whatwg-fetch: it keeps all of its options except `redirect`. */
class RequestOfApp {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly signal: Signal;
  readonly #body: string;
  constructor(input: unknown, init: RequestInit = {}) {
    this.url = String(input);
    this.method = init.method ?? 'GET';
    this.headers = new Headers(init.headers);
    this.signal = (init.signal as Signal | undefined) ?? new Controller().signal;
    this.#body = String(init.body ?? '');
  }
  text = async () => this.#body;
}

/** A `Response` of whatwg-fetch, as an app makes one itself. */
class ResponseOfApp {
  readonly status: number;
  readonly headers: Headers;
  readonly url = '';
  readonly #body: string;
  constructor(body: string | null | undefined, { status = 200, headers }: ResponseInit = {}) {
    this.status = status;
    this.headers = new Headers(headers);
    this.#body = body ?? '';
  }
  text = async () => this.#body;
}

/** `URL` of React Native 0.76: it accepts anything, and its getters throw. */
class UrlOfApp {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  get href(): string {
    return this.#text;
  }
  get origin(): never {
    throw new Error('not implemented');
  }
  get protocol(): never {
    throw new Error('not implemented');
  }
  get pathname(): never {
    throw new Error('not implemented');
  }
}

const MISSING = [
  ...['structuredClone', 'DOMException', 'ReadableStream', 'TextDecoder', 'URLSearchParams'],
  ...[
    'crypto',
    'Event',
    'EventTarget',
    'FinalizationRegistry',
    'AbortSignal',
    'document',
    'location',
  ],
];

/** Makes this process look like an app until `vi.unstubAllGlobals()`. Its fetch fails unless stubbed. */
export function enterReactNative(): void {
  for (const name of MISSING) vi.stubGlobal(name, undefined);
  vi.stubGlobal('navigator', { product: 'ReactNative' });
  vi.stubGlobal('URL', UrlOfApp);
  vi.stubGlobal('AbortController', Controller);
  vi.stubGlobal('Request', RequestOfApp);
  vi.stubGlobal('Response', ResponseOfApp);
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Network request failed');
  });
}

/** A response of React Native's `fetch`: no `body`, no `redirected`. */
export function appResponse(
  body: string | null,
  {
    status = 200,
    headers = {},
    url = '',
  }: { status?: number; headers?: Record<string, string>; url?: string } = {},
): Response {
  const response = { status, headers: new Headers(headers), url, text: vi.fn(async () => body) };
  return response as unknown as Response;
}

type Sent = { url: string; init: RequestInit & { headers: Record<string, string> } };

/** Stubs the app's `fetch` with responses in turn, the last one again and again. */
export function stubFetch(
  ...responses: ((url: string, init: RequestInit) => Response | Promise<Response>)[]
) {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (url: string, init: Sent['init']) => {
    sent.push({ url, init });
    const respond = responses[Math.min(sent.length, responses.length) - 1];
    if (respond === undefined) throw new TypeError('Network request failed');
    return respond(url, init);
  });
  return sent;
}

/** A client of an app: without the secret key. */
export function appClient(options: Partial<ClientOptions> = {}): CardPlatformClient {
  const { secretKey: _, ...credentials } = CREDENTIALS;
  return new CardPlatformClient({ baseUrl: BASE_URL, random: () => 0, ...credentials, ...options });
}
