import { describe, expect, it, vi } from 'vitest';
import { checkOptions } from '../../src/delegation/check-options.js';
import type { DelegationDriver, DriverContext } from '../../src/delegation/driver.js';
import type { DelegationOptions } from '../../src/delegation/options.js';
import { runDelegation } from '../../src/delegation/run-delegation.js';
import { delegationStateOf } from '../../src/delegation/state.js';
import { UserRejectedError } from '../../src/delegation/wallet-errors.js';
import { createFakeDelegation } from './support/fake-driver.js';

const LIMIT = 60_000;

/** A response of the wallet that the test sends when it chooses. */
function openPrompt<T>() {
  let respond = (_: T) => {};
  let fail = (_: unknown) => {};
  const response = new Promise<T>((resolve, reject) => {
    respond = resolve;
    fail = reject;
  });
  return { response, respond, fail };
}

/** A delegation whose driver asks for the approval with `ask`. */
function approvingWith(ask: (context: DriverContext) => Promise<string>) {
  const approve: DelegationDriver['approve'] = async (context) => {
    await context.promptApproval(() => ask(context));
  };
  return createFakeDelegation({ approve });
}

async function runAndCatch(
  { driver, options }: ReturnType<typeof createFakeDelegation>,
  more: Partial<DelegationOptions> = {},
): Promise<unknown> {
  return runDelegation(driver, options({ promptTimeout: LIMIT, ...more })).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Runs everything that can already run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a wallet that does not respond within promptTimeout', () => {
  it('while it is asked to sign ends the flow with the outcome not_sent', async () => {
    const delegation = createFakeDelegation({
      signMessage: (_, context) => context.prompt(() => openPrompt<never>().response),
    });
    const error = await runAndCatch(delegation);
    expect(error).toMatchObject({ code: 'prompt_timeout', outcome: 'not_sent' });
    expect((error as Error).message).toContain(`${LIMIT} ms. This step sent nothing`);
    expect(delegation.calls).toContain(`sleep ${LIMIT}`);
    expect(delegationStateOf(error)?.approval).toBeUndefined();
  });

  it('while it is asked for a transaction before the approval ends the flow with the outcome unknown', async () => {
    const delegation = createFakeDelegation({
      approve: (context) => context.prompt(() => openPrompt<never>().response, 'Reset.', 'unknown'),
    });
    expect(await runAndCatch(delegation)).toMatchObject({
      code: 'prompt_timeout',
      outcome: 'unknown',
    });
  });

  it('while it is asked for the approval leaves it requested, and a resumed flow does not ask again', async () => {
    const delegation = approvingWith(() => openPrompt<never>().response);
    const error = await runAndCatch(delegation);
    expect(error).toMatchObject({ code: 'prompt_timeout', outcome: 'unknown' });
    const resume = delegationStateOf(error);
    expect(resume?.approval).toEqual({ status: 'requested' });
    let prompts = 0;
    delegation.driver.approve = async () => void prompts++;
    expect(await runAndCatch(delegation, { resume })).toMatchObject({ code: 'approval_unknown' });
    delegation.driver.findApproval = async () => ({ transactionId: 'transaction' });
    const result = await runDelegation(delegation.driver, delegation.options({ resume }));
    expect(result.registration).toBe('accepted');
    expect(prompts).toBe(0);
  });

  it('but sends the approval later has its transaction in a progress event and in the state of the error', async () => {
    const prompt = openPrompt<string>();
    const delegation = approvingWith(() => prompt.response);
    const error = await runAndCatch(delegation);
    prompt.respond('transaction');
    await settle();
    const approval = { status: 'sent', transactionId: 'transaction' };
    expect(delegation.progress.at(-1)?.state.approval).toEqual(approval);
    const resume = delegationStateOf(error);
    expect(resume?.approval).toEqual(approval);
    const result = await runDelegation(delegation.driver, delegation.options({ resume }));
    expect(result.transactionId).toBe('transaction');
  });

  it('but declines later may be asked again by a resumed flow', async () => {
    const prompt = openPrompt<string>();
    const delegation = approvingWith(() => prompt.response);
    const error = await runAndCatch(delegation);
    prompt.fail(new UserRejectedError());
    await settle();
    expect(delegationStateOf(error)?.approval).toBeUndefined();
    expect(delegation.progress.at(-1)?.state.approval).toBeUndefined();
  });

  it.each([
    'sends',
    'declines',
  ])('but %s after a later flow has asked it is not reported', async (how) => {
    const prompts = [openPrompt<string>(), openPrompt<string>()];
    let asked = 0;
    const delegation = approvingWith(() => prompts[asked++]?.response ?? Promise.reject());
    const first = await runAndCatch(delegation);
    const resume = delegationStateOf(first);
    const second = runAndCatch(delegation, { resume, approveAgain: true });
    await vi.waitFor(() => expect(asked).toBe(2));
    prompts[1]?.fail(new Error('disconnected'));
    const state = delegationStateOf(await second);
    const count = delegation.progress.length;
    if (how === 'sends') prompts[0]?.respond('transaction');
    else prompts[0]?.fail(new UserRejectedError());
    await settle();
    expect(delegation.progress).toHaveLength(count);
    expect(delegation.progress.at(-1)?.state.approval).toEqual({ status: 'requested' });
    expect(state?.approval).toEqual({ status: 'requested' });
    expect(delegationStateOf(first)?.approval).toEqual({ status: 'requested' });
  });

  it('but sends the approval after a later flow only searched for it has its transaction reported', async () => {
    const prompt = openPrompt<string>();
    const delegation = approvingWith(() => prompt.response);
    const resume = delegationStateOf(await runAndCatch(delegation));
    expect(await runAndCatch(delegation, { resume })).toMatchObject({ code: 'approval_unknown' });
    prompt.respond('transaction');
    await settle();
    const approval = { status: 'sent', transactionId: 'transaction' };
    expect(delegation.progress.at(-1)?.state.approval).toEqual(approval);
  });

  it('but fails later in an unknown way leaves the approval requested', async () => {
    const prompt = openPrompt<string>();
    const delegation = approvingWith(() => prompt.response);
    const error = await runAndCatch(delegation);
    const count = delegation.progress.length;
    prompt.fail(new Error('disconnected'));
    await settle();
    expect(delegationStateOf(error)?.approval).toEqual({ status: 'requested' });
    expect(delegation.progress).toHaveLength(count);
  });

  it('but signs the transaction later does not get it sent by the flow that has ended', async () => {
    const prompt = openPrompt<string>();
    let sent = 0;
    const delegation = approvingWith(async (context) => {
      const transaction = await prompt.response;
      context.requireRunning();
      sent++;
      return transaction;
    });
    const error = await runAndCatch(delegation);
    prompt.respond('transaction');
    await settle();
    expect(sent).toBe(0);
    expect(delegationStateOf(error)?.approval).toEqual({ status: 'requested' });
  });
});

describe('the time limit for prompts', () => {
  it('is not set by default: no timer runs while the wallet is asked', async () => {
    const { driver, options, calls } = createFakeDelegation();
    await runDelegation(driver, options());
    expect(calls.filter((call) => call.startsWith('sleep'))).toEqual([]);
  });

  it('ends its timer as soon as the wallet responds or the flow is aborted', async () => {
    const timers: AbortSignal[] = [];
    const sleep = (_: number, signal?: AbortSignal): Promise<void> => {
      if (signal) timers.push(signal);
      return new Promise(() => {});
    };
    const { driver, options, clock } = createFakeDelegation();
    const runtime = { now: () => clock.now, sleep };
    await runDelegation(driver, options({ promptTimeout: LIMIT, runtime }));
    expect(timers.map(({ aborted }) => aborted)).toEqual([true, true]);

    const page = new AbortController();
    const delegation = approvingWith(() => {
      page.abort(new Error('gone'));
      return openPrompt<never>().response;
    });
    const error = await runAndCatch(delegation, { runtime, signal: page.signal });
    expect(error).toMatchObject({ message: 'gone' });
    expect(delegationStateOf(error)?.approval).toEqual({ status: 'requested' });
    expect(timers.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
  });

  it('of an answered prompt ends nothing, also if the sleep of the caller ignores its signal', async () => {
    const wakes: (() => void)[] = [];
    const delegation = createFakeDelegation({
      async approve(context) {
        for (const wake of wakes.splice(0)) wake();
        await settle();
        context.requireRunning();
        await context.promptApproval(async () => 'transaction');
      },
    });
    const sleep = () => new Promise<void>((wake) => wakes.push(wake));
    const runtime = { now: () => delegation.clock.now, sleep };
    expect(await runAndCatch(delegation, { runtime })).toBeUndefined();
  });

  it('applies to each prompt separately', async () => {
    const delegation = createFakeDelegation();
    const result = await runDelegation(
      delegation.driver,
      delegation.options({ promptTimeout: LIMIT }),
    );
    expect(result.registration).toBe('accepted');
    expect(delegation.calls.filter((call) => call === `sleep ${LIMIT}`)).toHaveLength(2);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 31, '1000', null])('of %j is refused', (promptTimeout) => {
    const { driver, options } = createFakeDelegation();
    const given = options({ promptTimeout: promptTimeout as number });
    const check = () => checkOptions(given, [], driver.savedState);
    expect(check).toThrow(
      expect.objectContaining({
        outcome: 'not_sent',
        issues: [expect.objectContaining({ path: 'promptTimeout' })],
      }),
    );
  });
});
