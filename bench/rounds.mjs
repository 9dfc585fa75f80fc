// One contestant in a process of its own, which runs a round of calls for each message. Arguments:
// the contestant's module, the server.
const [module, baseUrl] = process.argv.slice(2);
const { connect } = await import(module);
const connection = connect(baseUrl);

/** Measures the microseconds of CPU and of time that each of `calls` calls takes. */
async function round({ method, calls, atOnce }) {
  const call = connection[method];
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const lane = async () => {
    for (let i = 0; i < calls / atOnce; i++) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const wall = ((performance.now() - startedAt) * 1000) / calls;
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / calls, wall };
}

process.on('message', async (requestedRound) => process.send(await round(requestedRound)));
