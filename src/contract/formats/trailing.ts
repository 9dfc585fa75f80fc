/** Removes a repeated character from the end of a text. A pattern would take quadratic time. */
export function dropTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end--;
  return text.slice(0, end);
}
