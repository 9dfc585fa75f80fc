/** Returns how many letters must change to turn one text into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, expected] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === expected ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns the name that is most like a text. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const given = text.slice(0, 100).toLowerCase();
  return [...names].sort((one, other) => distance(given, one) - distance(given, other))[0];
}
