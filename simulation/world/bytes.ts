const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of a text in UTF-8. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** The text of bytes in UTF-8. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The JSON in bytes; an empty object where there is none. */
export function parsed(bytes: Uint8Array): Record<string, unknown> {
  try {
    return Object(JSON.parse(textOf(bytes)));
  } catch {
    return {};
  }
}
