import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';

/** The globals of the page of this test. */
type TestPage = {
  /** Starts to delegate, and calls back when the wallet is asked. */
  start(): Promise<string>;
  /** Lets the wallet respond. */
  respond(): void;
};

const PAGE = `
  import { runDelegation } from './src/delegation/run-delegation.js';
  import { createFakeDelegation } from './test/delegation/support/fake-driver.js';

  const { driver, options } = createFakeDelegation({ lockKey: 'one wallet' });
  const { approve } = driver;
  const response = new Promise((resolve) => { globalThis.respond = resolve; });
  driver.approve = (context) => {
    globalThis.isAsked = true;
    return response.then(() => approve(context));
  };
  globalThis.isAsked = false;
  globalThis.start = () =>
    runDelegation(driver, options()).then(({ registration }) => registration, ({ code }) => code);
`;

let server: Server;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  const stdin = { contents: PAGE, resolveDir: process.cwd(), loader: 'ts' as const };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'iife' });
  const script = outputFiles[0]?.text ?? '';
  server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><script>${script}</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await launchChromium();
  context = await browser.newContext();
});

afterAll(async () => {
  await browser.close();
  server.close();
});

async function openTab() {
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return {
    page,
    start: () => page.evaluate(() => (globalThis as unknown as TestPage).start()),
    respond: () => page.evaluate(() => (globalThis as unknown as TestPage).respond()),
    isAsked: () => page.waitForFunction('globalThis.isAsked'),
    heldLocks: () => page.evaluate(() => navigator.locks.query().then(({ held }) => held?.length)),
  };
}

it('a second tab does not start the delegation that the first one runs', async () => {
  const [first, second] = [await openTab(), await openTab()];
  const running = first.start();
  await first.isAsked();
  expect(await second.start()).toBe('delegation_in_progress');
  await first.respond();
  expect(await running).toBe('accepted');
  await second.respond();
  expect(await second.start()).toBe('accepted');
});

it('a tab that was closed does not keep the others from delegating', async () => {
  const [first, second] = [await openTab(), await openTab()];
  void first.start().catch(() => undefined);
  await first.isAsked();
  await first.page.close();
  // Chromium reports a tab as closed before it has released the locks of the tab.
  await expect.poll(second.heldLocks, { timeout: 10_000 }).toBe(0);
  await second.respond();
  expect(await second.start()).toBe('accepted');
});
