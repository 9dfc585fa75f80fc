// The door of the runtimes that start as a command: the surroundings come as an argument, the
// results leave as the only line.
import { runSuite } from './index.mjs';

const [surroundings] = process.argv.slice(2);
console.log(JSON.stringify(await runSuite(JSON.parse(surroundings))));
