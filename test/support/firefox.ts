import { type Browser, launch } from 'puppeteer-core';
import { whyNotInstalled } from './debian-package.js';
import { type DebianBrowser, findBrowser, installedBrowser } from './find-browser.js';

const FIREFOX: DebianBrowser = {
  name: 'Firefox',
  variable: 'FIREFOX',
  programs: ['firefox-esr', 'firefox'],
  debianPackage: 'firefox-esr',
};

/** Returns the path of Firefox, which is installed if it is missing. */
export function findFirefox(): string {
  return findBrowser(FIREFOX);
}

/** Installs Firefox where that is allowed. Returns why there is none, or an empty string. */
export function whyNoFirefox(): string {
  return whyNotInstalled(FIREFOX.debianPackage, () => installedBrowser(FIREFOX) !== undefined);
}

/**
 * Starts Firefox without a window and with an empty profile. Playwright drives only Firefox of its
 * own, which it downloads.
 *
 * @param preferences - those of `about:config`
 */
export function launchFirefox(preferences: Record<string, unknown> = {}): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath: findFirefox(),
    headless: true,
    extraPrefsFirefox: preferences,
  });
}
