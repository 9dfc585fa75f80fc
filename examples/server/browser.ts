/** A minimal browser: it keeps cookies and records everything that it receives. */
export class RecordingBrowser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  readonly #received: string[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The bodies and headers of all responses. */
  get received(): string {
    return this.#received.join('\n');
  }

  get(path: string) {
    return this.#send(path, {});
  }

  post(path: string, body: object = {}) {
    const headers = { 'content-type': 'application/json', origin: this.#origin };
    return this.#send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #send(path: string, init: RequestInit) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, cookie };
    const response = await fetch(`${this.#origin}${path}`, { ...init, headers });
    const text = await response.text();
    this.#received.push(JSON.stringify([...response.headers]), text);
    for (const line of response.headers.getSetCookie()) this.#storeCookie(line);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, body };
  }

  #storeCookie(line: string): void {
    const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
