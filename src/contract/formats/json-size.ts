import { fitsUtf8 } from './utf8-length.js';

/** Whether a value has at most so many bytes as JSON in UTF-8. */
export function fitsIntoBytes(value: unknown, bytes: number): boolean {
  try {
    const json = JSON.stringify(value);
    return fitsUtf8(json, bytes);
  } catch {
    return false;
  }
}
