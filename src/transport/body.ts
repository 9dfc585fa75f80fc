/** The longest success answer, in bytes. */
export const SUCCESS_LIMIT = 1024 * 1024;
/** The longest error answer, in bytes. */
export const ERROR_LIMIT = 64 * 1024;

/** What is read of a response; a `Response` has it. */
export type ReceivedResponse = {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  readonly body: {
    getReader(): {
      read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
      cancel(): Promise<void>;
    };
    cancel(): Promise<void>;
  } | null;
};

/** An answer was longer than its limit. */
export class TooLong {
  constructor(readonly limit: number) {}
}

/** The body of an answer is not UTF-8. */
export class NotText {}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(chunks: readonly Uint8Array[], length: number): string {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new NotText();
  }
}

/** Drops a body that nobody will read, so that its connection is free again. */
export function discardBody(response: ReceivedResponse): void {
  response.body?.cancel().catch(() => {});
}

/**
 * Reads a body as text, counting the decoded bytes as they come: a compressed answer of a few
 * bytes may unpack to gigabytes.
 *
 * @throws TooLong, NotText, or what the stream throws when the connection breaks
 */
export async function readBody(response: ReceivedResponse): Promise<string> {
  const limit = response.ok ? SUCCESS_LIMIT : ERROR_LIMIT;
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return decode(chunks, length);
    length += value.byteLength;
    if (length > limit) {
      reader.cancel().catch(() => {});
      throw new TooLong(limit);
    }
    chunks.push(value);
  }
}
