/** A browser as far as this example needs one: it keeps cookies, and remembers what it was told. */
export class Browser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  readonly #heard: string[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Everything that any answer said: bodies and headers. */
  get heard(): string {
    return this.#heard.join('\n');
  }

  get(path: string) {
    return this.#ask(path, {});
  }

  post(path: string, body: object = {}) {
    const headers = { 'content-type': 'application/json', origin: this.#origin };
    return this.#ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #ask(path: string, init: RequestInit) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, cookie };
    const answer = await fetch(`${this.#origin}${path}`, { ...init, headers });
    const text = await answer.text();
    this.#heard.push(JSON.stringify([...answer.headers]), text);
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: answer.status, headers: answer.headers, body };
  }

  #keep(line: string): void {
    const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
