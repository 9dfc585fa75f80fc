import { expect, it } from 'vitest';
import { RetryBudget } from '../../src/transport/attempts/attempt-plan.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

/** How many retries a budget pays for, one after the other. */
function retriesOf(budget: RetryBudget, afterTimeout = false): number {
  let count = 0;
  while (count < 10_000 && budget.spend(afterTimeout)) count++;
  return count;
}

it.each([
  ['a failure that came at once', false, 100],
  ['a timeout, which costs twice as much', true, 50],
])('after %s a client retries in a row, and then no more: %s', (_, afterTimeout, most) => {
  expect(retriesOf(new RetryBudget(), afterTimeout)).toBe(most);
});

it('a day without failures saves nothing up: the budget has a cap', () => {
  const budget = new RetryBudget();
  for (let call = 0; call < 10_000; call++) budget.refund();
  expect(retriesOf(budget)).toBe(100);
});

it('each call that succeeds at once pays a fifth of a retry', () => {
  const budget = new RetryBudget();
  retriesOf(budget);
  for (let call = 0; call < 4; call++) budget.refund();
  expect(budget.spend(false)).toBe(false);
  budget.refund();
  expect(budget.spend(true)).toBe(false);
  expect(budget.spend(false)).toBe(true);
  expect(budget.spend(false)).toBe(false);
});

it('a call that needed a retry pays nothing back, although it succeeded', async () => {
  let requests = 0;
  // Every second request fails, so each call succeeds with its first retry.
  const fetch = async () =>
    ++requests % 2 === 1 ? json({}, 503) : json({ id: 'c', status: 'ACTIVE' });
  const client = clientFor('https://api.example.com', { fetch, clock: new FakeClock() });
  for (let call = 0; call < 100; call++) await client.card.status();
  expect(await rejection(client.card.status())).toMatchObject({ status: 503, attempts: 1 });
});
