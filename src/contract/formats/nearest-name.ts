/** Returns how many characters must be added, removed or replaced to turn one text into the other. */
function distance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, character] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, another] of [...other].entries()) {
      const replaced = (previous[column] ?? 0) + (character === another ? 0 : 1);
      const removed = (previous[column + 1] ?? 0) + 1;
      current.push(Math.min(replaced, removed, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/**
 * Returns the name that is spelled most like a mistyped one, or `undefined` when there is none, or
 * more than `mostWrong` of its letters (a share from 0 to 1) differ.
 */
export function nearestName(
  mistyped: string,
  names: readonly string[],
  mostWrong = 1,
): string | undefined {
  const lower = mistyped.toLowerCase().slice(0, 100);
  const ranked = names.map((name) => ({ name, cost: distance(lower, name.toLowerCase()) }));
  const [nearest] = ranked.sort((one, other) => one.cost - other.cost);
  const isNear = nearest !== undefined && nearest.cost <= nearest.name.length * mostWrong;
  return isNear || mostWrong === 1 ? nearest?.name : undefined;
}
