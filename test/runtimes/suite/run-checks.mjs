/** Runs each check of a group, one after the other, and returns the results. It never throws. */
export async function runChecks(group, checks, options) {
  const results = [];
  for (const [name, check] of Object.entries(checks)) {
    const result = { name: `${group}: ${name}` };
    try {
      await check(options);
    } catch (error) {
      result.failure = `${error?.name}: ${error?.message}`;
    }
    results.push(result);
  }
  return results;
}
