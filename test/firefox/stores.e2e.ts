import { describe } from 'vitest';
import { testStores } from '../chromium/stores/store-tests.js';
import { useBrowser } from '../chromium/stores/tabs.js';
import { launchFirefox, whyNoFirefox } from '../support/firefox.js';

const whyNot = whyNoFirefox();
if (whyNot !== '') console.warn(whyNot);

describe.skipIf(whyNot !== '')('Firefox', () => {
  useBrowser(launchFirefox);
  testStores();
});
