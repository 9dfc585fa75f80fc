/** Whether a value has at most so many bytes as JSON in UTF-8. */
export function fitsIntoBytes(value: unknown, bytes: number): boolean {
  try {
    const json = JSON.stringify(value);
    // Not TextEncoder, which Jest's older jsdom lacks. A longer text need not be encoded to know.
    if (json.length > bytes) return false;
    return encodeURIComponent(json).replace(/%[\dA-F]{2}/g, '_').length <= bytes;
  } catch {
    return false;
  }
}
