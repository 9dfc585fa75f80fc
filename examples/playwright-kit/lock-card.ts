import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { startApp, startSandboxProgram } from './servers.js';

const EMAIL = 'grace@example.com';
/** The password of every demo user. */
const PASSWORD = 'correct horse battery staple';

type DemoUser = { id: string; email: string; card: { status: string } | null };

/** A test of a page with Playwright: the page runs in a real browser, against the sandbox. */
export async function testLockCard(browser: Browser): Promise<void> {
  const sandbox = await startSandboxProgram();
  const app = await startApp();
  const page = await browser.newPage();
  const press = (name: string) => page.getByRole('button', { name }).click();
  const shows = (text: string) => page.getByRole('status').getByText(text).waitFor();
  const grace = async (): Promise<DemoUser> => {
    const { users }: { users: DemoUser[] } = await sandbox.state();
    const found = users.find(({ email }) => email === EMAIL);
    assert(found);
    return found;
  };
  try {
    const settings = new URLSearchParams({ api: sandbox.url, clientKey: sandbox.clientKey });
    await page.goto(`${app.url}?${settings}`);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Log in');
    await shows(`Logged in as ${EMAIL}`);

    // Events outside the page: the provider verifies the user, and the card is provisioned.
    const { id: user } = await grace();
    await press('Order a card');
    await shows('That was refused. Nothing was changed.');
    await sandbox.act({ action: 'verify', user });
    await press('Order a card');
    await shows('Your card is on its way.');
    await sandbox.act({ action: 'provision', user });

    // A refusal, then a lost response.
    await sandbox.act({ action: 'fail', endpoint: 'card.freeze', status: '403' });
    await press('Lock my card');
    await shows('That was refused. Nothing was changed.');
    assert.equal((await grace()).card?.status, 'ACTIVE');
    await sandbox.act({ action: 'drop', endpoint: 'card.freeze' });
    await press('Lock my card');
    // It is sent again, because freezing a card twice is harmless.
    await shows('Your card is locked.');
    assert.equal((await grace()).card?.status, 'FROZEN');
  } finally {
    await page.close();
    await app.stop();
    await sandbox.stop();
  }
}
