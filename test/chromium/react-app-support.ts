import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startReactApp } from '../../examples/react-app/start.js';
import type { MockSnapshot } from '../../src/testing/index.js';
import { launchChromium } from '../support/chromium.js';

type RunningApp = Awaited<ReturnType<typeof startReactApp>>;

const EMAIL = 'ada@example.com';

/** Starts the React app for the tests of a file, and logs in before each of them. */
export function useReactApp() {
  let browser: Browser;
  let running: RunningApp;
  let initialState: MockSnapshot;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    running = await startReactApp({ page: 0, sandbox: 0 });
    initialState = running.platform.snapshot();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await running?.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    await openTab();
    await logIn();
    await panel('Balance').getByText('250.75 usdc').waitFor();
  });
  afterEach(async () => {
    await context.close();
    running.platform.reset();
    running.platform.restore(initialState);
  });

  const ada = () => running.platform.users.get(EMAIL);
  const panel = (name: string) => page.getByRole('region', { name });

  /** Opens a tab whose clock is ahead by this many milliseconds. */
  async function openTab(later = 0): Promise<void> {
    page = await context.newPage();
    if (later > 0) await page.clock.install({ time: Date.now() + later });
    await page.goto(running.url);
  }

  async function logIn(): Promise<void> {
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(ada().password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  async function withdraw(amount: string): Promise<void> {
    await panel('Withdraw').getByLabel('Amount').fill(amount);
    await panel('Withdraw').getByRole('button').click();
  }

  return {
    page: () => page,
    context: () => context,
    platform: () => running.platform,
    wallet: () => running.wallet,
    ada,
    panel,
    logIn,
    openTab,
    withdraw,
    /** How many withdrawals have reached the service. */
    withdrawals: () =>
      running.platform.requests.filter(({ operation }) => operation === 'wallets.credit.withdraw')
        .length,
  };
}
