/** Splits incoming bytes into whole HTTP requests. Supports bodies with `content-length` only. */
export class RequestReader {
  #received: Buffer = Buffer.alloc(0);

  /** Adds bytes and returns the text of each request that is now complete. */
  push(chunk: Buffer): string[] {
    this.#received = Buffer.concat([this.#received, chunk]);
    const requests: string[] = [];
    for (let next = this.#take(); next !== undefined; next = this.#take()) requests.push(next);
    return requests;
  }

  #take(): string | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = this.#received.subarray(0, end).toString('latin1');
    const total = end + 4 + Number(headerOf(head, 'content-length') ?? 0);
    if (this.#received.length < total) return undefined;
    const request = this.#received.subarray(0, total).toString('latin1');
    this.#received = this.#received.subarray(total);
    return request;
  }
}

/** Returns the value of a header of a request, or `undefined`. */
export function headerOf(request: string, name: string): string | undefined {
  const [head = ''] = request.split('\r\n\r\n', 1);
  const line = head.split('\r\n').find((text) => text.toLowerCase().startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}
