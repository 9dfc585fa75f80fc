import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from './find-browser.js';

/** Keeps Chromium from making requests of its own. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of Chromium, which is installed if it is missing. */
export function findChromium(): string {
  return findBrowser({
    name: 'Chromium',
    variable: 'CHROMIUM',
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    debianPackage: 'chromium',
  });
}

/** Starts Chromium without a window and with an empty user data directory. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), headless: true, args: CHROMIUM_FLAGS });
}
