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

/** Two callers of one flow, whose wallet waits until the test lets it approve. */
function twoCallers() {
  const delegation = createFakeDelegation();
  const { driver, options } = delegation;
  const prompt = { approve: () => {}, opened: Promise.resolve() };
  prompt.opened = new Promise((open) => {
    driver.approve = async (context) => {
      await context.promptApproval(
        () =>
          new Promise((resolve) => {
            prompt.approve = () => resolve('transaction');
            open();
          }),
      );
    };
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const run = ({ signal }: AbortController) => runDelegation(driver, options({ signal }));
  return { ...delegation, prompt, first, second, run };
}

it('a caller that has joined a flow and stops ends only its own wait', async () => {
  const { prompt, first, second, run } = twoCallers();
  const [one, other] = [run(first), run(second)];
  const stopped = expect(other).rejects.toMatchObject({ message: 'the page has closed' });
  await prompt.opened;
  second.abort(new Error('the page has closed'));
  await stopped;
  prompt.approve();
  expect(await one).toMatchObject({ registration: 'accepted' });
});

it('the first caller of a flow stops it for those that have joined it', async () => {
  const { prompt, first, second, run } = twoCallers();
  const ended = Promise.allSettled([run(first), run(second)]);
  await prompt.opened;
  const reason = new Error('the user has cancelled');
  first.abort(reason);
  expect(await ended).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
});

it('flows of two wallets run at once', async () => {
  const { prompt, first, run } = twoCallers();
  const one = run(first);
  await prompt.opened;
  const other = createFakeDelegation({ lockKey: 'another wallet' });
  const { registration } = await runDelegation(other.driver, other.options());
  expect(registration).toBe('accepted');
  prompt.approve();
  expect(await one).toMatchObject({ registration: 'accepted' });
});

it('a flow is not joined with the client of another user', async () => {
  const { client, driver, options, prompt, first, run } = twoCallers();
  const flow = run(first);
  await prompt.opened;
  await expect(runDelegation(driver, options({ client: { ...client } }))).rejects.toMatchObject({
    code: 'delegation_in_progress',
    outcome: 'not_sent',
  });
  prompt.approve();
  expect(await flow).toMatchObject({ registration: 'accepted' });
});
