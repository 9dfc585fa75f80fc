import { fitsUtf8 } from './utf8-length.js';

/** Whether the JSON of a value has at most `bytes` bytes in UTF-8. */
export function fitsIntoBytes(value: unknown, bytes: number): boolean {
  try {
    const json = JSON.stringify(value);
    return fitsUtf8(json, bytes);
  } catch {
    return false;
  }
}
