/** The text without the characters of one kind at its end; a pattern for it takes quadratic time. */
export function dropTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end--;
  return text.slice(0, end);
}
