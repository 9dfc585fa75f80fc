import { expect, vi } from 'vitest';
import type { Delegation } from '../../src/delegation/create-delegation.js';
import { DELEGATION_STEPS } from '../../src/evm/index.js';

/** A page that has just been loaded, with the code of a guide. */
export type OpenPage = {
  limit: Delegation<object, object>;
  /** The user's click. */
  press(): Promise<unknown>;
};

/** The code of a guide with a wallet of two accounts and its chain. */
export type GuideInUse = {
  /** Loads a page, for the account that is chosen in the wallet. */
  open(): Promise<OpenPage>;
  choose(account: number): void;
  decline(isDeclining: boolean): void;
  /** How many approvals of all accounts were sent, mined or not. */
  approvals(): Promise<number>;
};

const codeOf = (error: unknown) => (error as { code?: unknown; name?: unknown }).code;

/** The user declines: the message says so, and the next click asks again. */
async function declines({ open, decline, approvals }: GuideInUse): Promise<void> {
  const before = await approvals();
  const { limit, press } = await open();
  decline(true);
  await expect(press()).rejects.toMatchObject({ code: 'user_rejected' });
  decline(false);
  expect(limit.getState()).toMatchObject({
    status: 'failed',
    message: 'You declined in your wallet. Continue when you are ready.',
    next: 'retry',
  });
  expect(await approvals()).toBe(before);
}

/** Loads a page that is closed as soon as it reaches the step. */
async function closedAt(step: string, { open }: GuideInUse): Promise<void> {
  const { limit, press } = await open();
  const closed = vi.fn(limit.cancel);
  const stop = limit.subscribe(() => {
    if (limit.getState().step === step && closed.mock.calls.length === 0) closed();
  });
  const end = await press().then(
    () => 'finished',
    (error: unknown) => codeOf(error) ?? Object(error).name,
  );
  stop();
  // An earlier page may have passed the step.
  expect(['finished', 'AbortError', 20]).toContain(end);
}

/**
 * Uses the code of a guide as users do who decline, close the page at each step, switch to another
 * account in between, and open a second tab. Each account approves once.
 */
export async function tryBadCases(guide: GuideInUse): Promise<void> {
  const { open, choose, approvals } = guide;
  const before = await approvals();
  await declines(guide);
  for (const step of DELEGATION_STEPS.slice(0, 6)) await closedAt(step, guide);
  expect(await approvals()).toBe(before + 1);

  // The first account's delegation is not finished: another account is not kept from its own.
  choose(1);
  const [tab, secondTab] = [await open(), await open()];
  const ends = await Promise.allSettled([tab.press(), secondTab.press()]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).not.toEqual([]);
  for (const end of ends) {
    if (end.status === 'rejected') expect(codeOf(end.reason)).toBe('delegation_in_progress');
  }
  expect(await approvals()).toBe(before + 2);

  choose(0);
  const last = await open();
  await last.press();
  expect(last.limit.getState().message).toBe('Done: your card may spend up to 250 USDC.');
  expect(await approvals()).toBe(before + 2);
}
