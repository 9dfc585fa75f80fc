// Entry for browsers: defines a global function that runs the suite.
import { runSuite } from './index.mjs';

globalThis.runSuite = runSuite;
