import { launchChromium } from '../../test/support/chromium.js';
import { testLockCard } from './lock-card.js';

// `npx tsx examples/playwright-kit/main.ts`. In your project: `chromium.launch()` of `playwright`.
const browser = await launchChromium();
try {
  await testLockCard(browser);
  console.log('The page locks a card, and shows what was done when a call fails.');
} finally {
  await browser.close();
}
