import { expect, it, vi } from 'vitest';
import { runDelegation } from '../../src/delegation/run-delegation.js';
import { createFakeDelegation } from './support/fake-driver.js';

it('a second copy of the package joins the flow that the first one runs', async () => {
  const { driver, options, calls } = createFakeDelegation();
  vi.resetModules();
  const copy = await import('../../src/delegation/run-delegation.js');
  expect(copy.runDelegation).not.toBe(runDelegation);
  const [one, other] = await Promise.all([
    runDelegation(driver, options()),
    copy.runDelegation(driver, options()),
  ]);
  expect(one).toBe(other);
  expect(calls.filter((call) => call === 'approve')).toHaveLength(1);
});

it('a flow runs without a lock when the locks of the page cannot be used', async () => {
  const { driver, options, calls } = createFakeDelegation();
  const { runtime } = options();
  const locks = { request: () => Promise.reject(new Error('SecurityError')) };
  await runDelegation(driver, options({ runtime: { ...runtime, locks } }));
  expect(calls).toContain('approve');
});
