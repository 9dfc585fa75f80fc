import { PLANTED_BUGS } from './planted/index.js';
import { openBundler } from './run/bundle.js';
import { findBug } from './run/find-bug.js';
import { replayLine } from './run/shrink.js';

// Finds every planted bug, or those whose name contains the argument.
const [part = ''] = process.argv.slice(2);
const bundler = await openBundler(PLANTED_BUGS);
for (const bug of PLANTED_BUGS.filter(({ name }) => name.includes(part))) {
  const found = await findBug(bundler, bug).catch((error: unknown) => error);
  if (found instanceof Error) {
    console.log(`ERROR  ${bug.name}: ${found.message.split('\n')[0]}`);
  } else if (found === undefined) {
    console.log(`MISSED ${bug.name}`);
  } else {
    const { invariant, problem } = Object(found).violation;
    const mark = bug.foundBy.includes(invariant) ? 'found ' : 'OTHER ';
    console.log(
      `${mark} ${bug.name}: ${invariant} (${problem.slice(0, 90)}) ${replayLine(Object(found).scenario)}`,
    );
  }
}
await bundler.close();
