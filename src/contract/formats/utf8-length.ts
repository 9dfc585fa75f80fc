/** Whether a text has at most `bytes` bytes in UTF-8. Jest's older jsdom has no `TextEncoder`. */
export function fitsUtf8(text: string, bytes: number): boolean {
  // A UTF-16 unit becomes one to three bytes, so most texts need no counting.
  if (text.length * 3 <= bytes) return true;
  let length = 0;
  for (let at = 0; at < text.length && length <= bytes; at++) {
    const character = text.codePointAt(at) ?? 0;
    length += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x1_00_00 ? 3 : 4;
    if (character > 0xff_ff) at++;
  }
  return length <= bytes;
}

/** Whether the JSON of a value has at most `bytes` bytes in UTF-8. */
export function fitsIntoBytes(value: unknown, bytes: number): boolean {
  try {
    const json = JSON.stringify(value);
    return fitsUtf8(json, bytes);
  } catch {
    return false;
  }
}
