/** Whether a value is a text that differs from another one by case at most. */
export function equalsIgnoringCase(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === text.toLowerCase();
}
