import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startCardPage } from '../../examples/card-page/start.js';
import type { MockSnapshot } from '../../src/testing/index.js';
import { DEFAULT_PASSWORD } from '../../src/testing/users.js';
import { launchChromium } from '../support/chromium.js';

type RunningCardPage = Awaited<ReturnType<typeof startCardPage>>;

/** Starts the card page for the tests of a file, and opens it before each of them. */
export function useCardPage() {
  let browser: Browser;
  let running: RunningCardPage;
  let initialState: MockSnapshot;
  let initialChain: `0x${string}`;
  let page: Page;

  beforeAll(async () => {
    running = await startCardPage({ page: 0, sandbox: 0 });
    initialState = running.sandbox.platform.snapshot();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await running?.stop();
  });
  beforeEach(async () => {
    initialChain = await running.chain.testClient.snapshot();
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    await page.goto(running.url);
  });
  afterEach(async () => {
    await page.close();
    running.sandbox.platform.reset();
    running.sandbox.platform.restore(initialState);
    await running.chain.testClient.revert({ id: initialChain });
  });

  const platform = () => running.sandbox.platform;
  const userOf = (email: string) => platform().users.get(email);
  const panel = (name: string) => page.getByRole('region', { name });
  const statusIn = (name: string) => panel(name).getByRole('status');
  const press = (name: string, text: string) =>
    panel(name).getByRole('button', { name: text, exact: true }).click();

  async function logIn(email: string): Promise<void> {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(DEFAULT_PASSWORD);
    await press('Log in', 'Log in');
    if (!userOf(email).otpEnabled) return;
    await page.getByLabel('Code from your phone').fill(await codeOf(email));
    await press('Log in', 'Log in');
  }

  async function codeOf(email: string): Promise<string> {
    await statusIn('Log in').getByText('We sent a code').waitFor();
    return platform().otpFor(userOf(email)) ?? '';
  }

  /** Checks what a machine can check of accessibility: names, roles, contrast. */
  async function expectAccessible(): Promise<void> {
    await page.addScriptTag({ content: axe.source });
    const found = await page.evaluate(async () => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    expect(found).toEqual([]);
  }

  /** Checks that nothing is cut off on a phone. */
  async function expectFitsPhone(): Promise<void> {
    await page.setViewportSize({ width: 360, height: 740 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  }

  return {
    page: () => page,
    chain: () => running.chain,
    platform,
    userOf,
    panel,
    statusIn,
    press,
    logIn,
    expectAccessible,
    expectFitsPhone,
  };
}
