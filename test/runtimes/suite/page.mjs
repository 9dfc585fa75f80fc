// The door of a browser: the page has a function that runs the suite.
import { runSuite } from './index.mjs';

globalThis.runSuite = runSuite;
