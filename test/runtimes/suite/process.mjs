// Entry for runtimes that start as a command: takes the options as an argument and prints the results
// as its only line.
import { runSuite } from './index.mjs';

const [options] = process.argv.slice(2);
console.log(JSON.stringify(await runSuite(JSON.parse(options))));
