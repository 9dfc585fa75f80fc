/** Returns how many characters must be added, removed or replaced to turn one text into the other. */
function distance(one: string, other: string): number {
  const letters = [...other];
  // The cost of turning the letters so far into each beginning of the other text, but the empty one.
  let costs = letters.map((_, index) => index + 1);
  for (const [row, character] of [...one].entries()) {
    let [diagonal, left] = [row, row + 1];
    costs = costs.map((above, column) => {
      const replaced = diagonal + (character === letters[column] ? 0 : 1);
      diagonal = above;
      left = Math.min(replaced, above + 1, left + 1);
      return left;
    });
  }
  return Math.max(...costs.slice(-1));
}

/**
 * Returns the name whose first word is a given one (`after` of `after-processing`), or else the one that is
 * spelled most like a mistyped one. `undefined` when there is none, or more than `mostWrong` of its
 * letters (a share from 0 to 1) differ.
 */
export function nearestName(
  mistyped: string,
  names: readonly string[],
  mostWrong = 1,
): string | undefined {
  const lower = mistyped.toLowerCase().slice(0, 100);
  const completed = names.find((name) => name.toLowerCase().startsWith(`${lower}-`));
  if (completed !== undefined) return completed;
  const ranked = names.map((name) => ({ name, cost: distance(lower, name.toLowerCase()) }));
  const [nearest] = ranked.sort((one, other) => one.cost - other.cost);
  const isNear = nearest !== undefined && nearest.cost <= nearest.name.length * mostWrong;
  return isNear || mostWrong === 1 ? nearest?.name : undefined;
}
