import './route-fetch.js';
import { openRunner } from './runner.js';

// The build adds every entry of the package.
globalThis.cardSite.modules['runner'] = { openRunner };
