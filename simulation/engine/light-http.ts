const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** A request that a server has received is never aborted. */
const { signal } = new AbortController();

/**
 * A request with the parts that the mock platform reads. Node's own `Request` creates a stream and
 * a signal that threads could share, which costs more than the platform's response.
 */
export class LightRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly signal = signal;
  readonly #body: string;

  constructor(url: string, { method = 'GET', headers, body = '' }: RequestInit = {}) {
    this.url = url;
    this.method = method;
    this.headers = new Headers(headers);
    this.#body = String(body);
  }

  async text(): Promise<string> {
    return this.#body;
  }
}

/** A response whose body is complete from the start. */
export class LightResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  readonly #body: string | Uint8Array;

  constructor(body: string | Uint8Array | null, { status = 200, headers }: ResponseInit = {}) {
    this.status = status;
    this.ok = status >= 200 && status < 300;
    this.headers = new Headers(headers);
    this.#body = body ?? '';
  }

  async text(): Promise<string> {
    return typeof this.#body === 'string' ? this.#body : decoder.decode(this.#body);
  }

  async arrayBuffer(): Promise<Uint8Array> {
    return typeof this.#body === 'string' ? encoder.encode(this.#body) : this.#body;
  }
}
