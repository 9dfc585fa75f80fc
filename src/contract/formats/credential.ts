const VISIBLE_ASCII = /^[\x21-\x7e]{1,4096}$/;

/** Whether a value is absent, blank, or the text `null` or `undefined`. */
export function isMissing(value: unknown): boolean {
  const isBlank = typeof value === 'string' && /^(?:null|undefined)?$/.test(value.trim());
  return value === null || value === undefined || isBlank;
}

/** Whether a value is a credential that a header can carry. */
export function isCredential(value: unknown): value is string {
  return typeof value === 'string' && VISIBLE_ASCII.test(value) && !isMissing(value);
}
