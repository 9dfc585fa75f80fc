/** Whether a value equals a text, ignoring case. */
export function equalsIgnoringCase(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === text.toLowerCase();
}
