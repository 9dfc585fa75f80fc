// One contestant in a process of its own, measured from its first call on. Arguments: its module,
// the address of the server, the largest number of calls.
const [module, baseUrl, most] = process.argv.slice(2);
const AT_ONCE = [1, 10, 100, 1_000];
const CALLS_AT_EACH = Math.min(4_000, Number(most) / 5);

const { connect } = await import(module);
const { get } = connect(baseUrl);

/** Returns the CPU time in microseconds of each of `calls` calls. */
async function cost(calls, lanes) {
  const before = process.cpuUsage();
  let left = calls;
  const lane = async () => {
    while (left-- > 0) await get();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

const byCalls = [];
for (let done = 0, mark = 1; mark <= Number(most); done = mark, mark *= 10) {
  byCalls.push({ at: mark, cpu: await cost(mark - done, 1) });
}
const byAtOnce = [];
for (const at of AT_ONCE) {
  await cost(at, at);
  byAtOnce.push({ at, cpu: await cost(CALLS_AT_EACH, at) });
}
process.send({ byCalls, byAtOnce });
process.disconnect();
