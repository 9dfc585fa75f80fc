import { spawn, spawnSync } from 'node:child_process';

// `npm run test:loaded -- 10 test`: runs a script of package.json ten times, at low priority and
// next to two processes that keep two cores busy. This makes tests with short time limits fail.
const [runs = '3', script = 'test', ...args] = process.argv.slice(2);

// Ends together with this process, however that ends.
const BUSY = `
  process.stdin.on('end', () => process.exit()).resume();
  const work = () => {
    const end = Date.now() + 100;
    while (Date.now() < end);
    setImmediate(work);
  };
  work();
`;

// Each in a session of its own, like a program in another terminal: Linux shares the processors
// between sessions. In the session of the tests, they would leave a tenth of them to the tests.
const busy = [1, 2].map(() =>
  spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'ignore', 'inherit'], detached: true }),
);
const stop = () => {
  for (const each of busy) each.kill('SIGKILL');
};
process.once('exit', stop);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

let failed = 0;
for (let run = 1; run <= Number(runs); run++) {
  const command = ['-n', '10', 'npm', 'run', '--silent', script, '--', ...args];
  const { status } = spawnSync('nice', command, { stdio: 'inherit' });
  if (status !== 0) failed++;
  console.log(`run ${run} of ${runs}: ${status === 0 ? 'passed' : 'FAILED'}`);
}
console.log(`${failed} of ${runs} runs failed`);
// The busy processes would keep this one running.
process.exit(failed === 0 ? 0 : 1);
