// Entry of the bundles that are compiled: every entry of the package, in both formats.

import { runChecks } from '../../suite/run-checks.mjs';
import { entries } from './entries.mjs';

globalThis.runInApp = (options) => runChecks('entries', entries, options);
