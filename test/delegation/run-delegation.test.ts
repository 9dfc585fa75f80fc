import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TransactionRevertedError } from '../../src/delegation/approval-errors.js';
import type { DelegationDriver } from '../../src/delegation/driver.js';
import { runDelegation } from '../../src/delegation/run-delegation.js';
import { delegationStateOf } from '../../src/delegation/state-of-error.js';
import { isUserRejection } from '../../src/delegation/user-rejection.js';
import { UserRejectedError, WalletError } from '../../src/delegation/wallet-errors.js';
import { ApiError, UnprocessableError } from '../../src/errors/index.js';
import { fakeScene } from './support/fake-driver.js';

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a delegation on any chain', () => {
  it('runs its steps in order, each once', async () => {
    const { driver, options, calls } = fakeScene();
    const result = await runDelegation(driver, options());
    expect(calls).toEqual([
      'token',
      'check token',
      'check chain',
      'sign',
      'approve',
      'confirm',
      'verify',
      'submit',
    ]);
    expect(result).toMatchObject({ registration: 'accepted', transactionId: 'transaction' });
  });

  it('has a state that prints no secret, and contains none when it is done', async () => {
    const { driver, options, progress } = fakeScene();
    const { state } = await runDelegation(driver, options());
    const held = progress.find((event) => event.state.message)?.state;
    expect(JSON.stringify(held)).toContain('token-1');
    expect(inspect(held)).not.toContain('token-1');
    expect(JSON.stringify(state)).not.toContain('token-1');
  });

  it('passes states to listeners that they cannot change', async () => {
    const { driver, options, progress } = fakeScene();
    await runDelegation(driver, options());
    for (const { state } of progress) {
      for (const part of [state, ...Object.values(state)]) expect(part).toSatisfy(Object.isFrozen);
    }
  });

  it('saves that the proof is being submitted before it submits it', async () => {
    const scene = fakeScene();
    let before: unknown;
    scene.driver.submit = async () => {
      before = scene.progress.at(-1)?.state.proof;
      return { success: true };
    };
    await runDelegation(scene.driver, scene.options());
    expect(before).toBe('submitting');
  });

  it('saves that the wallet was asked before it is asked', async () => {
    const scene = fakeScene();
    let before: unknown;
    scene.driver.approve = (context) =>
      context
        .promptApproval(async () => {
          before = scene.progress.at(-1)?.state.approval;
          return 'transaction';
        })
        .then(() => undefined);
    await runDelegation(scene.driver, scene.options());
    expect(before).toEqual({ status: 'requested' });
  });

  it.each([
    ['not_sent', new UserRejectedError(), undefined],
    ['rejected', new TransactionRevertedError('transaction'), undefined],
    ['unknown', new WalletError('it broke', 'unknown'), { status: 'requested' }],
  ])('saves the result of a failed approval: %s', async (_, error, approval) => {
    const { driver, options } = fakeScene();
    driver.approve = async (context) => {
      await context.promptApproval(() => Promise.reject(error));
    };
    expect(await caught(runDelegation(driver, options()))).toBe(error);
    expect(delegationStateOf(error)?.approval).toEqual(approval);
  });

  it('saves the hash of a wallet that responds after the abort', async () => {
    const scene = fakeScene();
    const page = new AbortController();
    let answer = (_: string) => {};
    scene.driver.approve = async (context) => {
      await context.promptApproval(
        () =>
          new Promise((resolve) => {
            answer = resolve;
            page.abort(new Error('gone'));
          }),
      );
    };
    const error = await caught(runDelegation(scene.driver, scene.options({ signal: page.signal })));
    expect(error).toMatchObject({ message: 'gone' });
    answer('late');
    await Promise.resolve();
    await Promise.resolve();
    const approval = { status: 'sent', transactionId: 'late' };
    expect(scene.progress.at(-1)?.state.approval).toEqual(approval);
  });

  it('leaves no listener on the signal', async () => {
    const { driver, options } = fakeScene();
    const { signal } = new AbortController();
    await runDelegation(driver, options({ signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('ends with the reason of the signal, whenever that comes', async () => {
    const total = 12;
    for (let n = 1; n <= total; n++) {
      const { driver, options } = fakeScene();
      const page = new AbortController();
      let heard = 0;
      const onProgress = () => {
        if (++heard === n) page.abort(new Error(`news ${n}`));
      };
      const error = await caught(
        runDelegation(driver, options({ signal: page.signal, onProgress })),
      );
      expect(error).toMatchObject({ message: `news ${n}` });
    }
  });

  it('reads under a deadline', async () => {
    const { driver, options } = fakeScene();
    driver.checkChain = async (context) => {
      await context.read('the chain', () => new Promise(() => {}));
    };
    const error = await caught(runDelegation(driver, options({ readTimeout: 5 })));
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
  });

  it('asks for the faucet once, and for a plain token when its outcome is unknown', async () => {
    const { driver, options, client, calls } = fakeScene();
    const { getToken } = client.delegation;
    client.delegation.getToken = async (input, more) => {
      const answer = await getToken(input, more);
      if (input?.faucet) throw new WalletError('the connection broke', 'unknown');
      return answer;
    };
    const result = await runDelegation(driver, options({ faucet: true }));
    expect(result.registration).toBe('accepted');
    expect(calls.slice(0, 2)).toEqual(['token with faucet', 'token']);
  });
});

describe('the last step', () => {
  const refusal = (fieldErrors: { field: string; message: string }[], code = 'validation_failed') =>
    new UnprocessableError({
      status: 422,
      message: 'the service refused.',
      code,
      outcome: 'rejected',
      serverMessage: 'Refused',
      fieldErrors,
    } as unknown as ConstructorParameters<typeof UnprocessableError>[0]);

  const submitting = (error: unknown): Partial<DelegationDriver> => ({
    submit: () => Promise.reject(error),
  });

  it('is done when the wallet is approved already', async () => {
    const error = refusal([], 'wallet_already_approved');
    expect(error).toBeInstanceOf(ApiError);
    const { driver, options } = fakeScene(submitting(error));
    const result = await runDelegation(driver, options());
    expect(result.registration).toBe('already-approved');
  });

  it('forgets a token and a signature that were refused, and keeps the approval', async () => {
    for (const [field, token, message] of [
      ['token', false, false],
      ['sigMessage', true, false],
      ['sigHash', true, false],
      ['amount', true, true],
    ] as const) {
      const error = refusal([{ field, message: 'is not right' }]);
      const { driver, options } = fakeScene(submitting(error));
      expect(await caught(runDelegation(driver, options()))).toBe(error);
      const state = delegationStateOf(error);
      expect(state?.approval).toEqual({ status: 'verified', transactionId: 'transaction' });
      expect([state?.token !== undefined, state?.message !== undefined]).toEqual([token, message]);
      expect(state?.proof).toBeUndefined();
    }
  });

  it.each([
    ['the same wallet and amount', { allowance: '5' }, true],
    ['a longer form of the amount', { allowance: '5.000000' }, true],
    ['a number', { allowance: 5 }, true],
    ['the currency in upper case', { allowance: '5', currency: 'CUR' }, true],
    ['no network', { allowance: '5', network: undefined }, true],
    ['another amount', { allowance: '4' }, false],
    ['no amount', {}, false],
    ['another currency', { allowance: '5', currency: 'eur' }, false],
    ['another wallet', { allowance: '5', address: 'stranger' }, false],
    ['another network', { allowance: '5', network: 'base' }, false],
  ])('checks the wallets when its outcome is unknown: %s', async (_, entry, isFound) => {
    const broken = new WalletError('the connection broke', 'unknown');
    const { driver, options, client } = fakeScene(submitting(broken));
    const found = { address: 'owner', currency: 'cur', network: 'net', ...entry };
    client.wallets = { external: { list: async () => [null, found] } };
    const result = await runDelegation(driver, options()).catch((error: unknown) => error);
    expect(result).toMatchObject(
      isFound
        ? { registration: 'found-in-wallets' }
        : { code: 'proof_unknown', outcome: 'unknown' },
    );
  });

  it('checks the wallets when a proof that may have arrived is refused the second time', async () => {
    const { driver, options, client, calls } = fakeScene();
    const broken = new WalletError('the connection broke', 'unknown');
    driver.submit = () => Promise.reject(broken);
    const unknown = await caught(runDelegation(driver, options()));
    const used = refusal([{ field: 'token', message: 'Token was already used' }]);
    driver.submit = () => Promise.reject(used);
    const found = { address: 'owner', currency: 'cur', network: 'net', allowance: '5' };
    let looks = 0;
    client.wallets = { external: { list: async () => (++looks > 1 ? [found] : []) } };
    const resume = delegationStateOf(unknown);
    const result = await runDelegation(driver, options({ resume }));
    expect(result.registration).toBe('found-in-wallets');
    expect(calls.filter((call) => call === 'approve')).toHaveLength(1);
  });

  it('is not affected by failures of the list of wallets', async () => {
    const broken = new WalletError('the connection broke', 'unknown');
    for (const list of [async () => 'nonsense', () => Promise.reject(new Error('404'))]) {
      const { driver, options, client } = fakeScene(submitting(broken));
      client.wallets = { external: { list } };
      const error = await caught(runDelegation(driver, options()));
      expect(error).toMatchObject({ code: 'proof_unknown', transactionId: 'transaction' });
    }
  });

  it('is retried only while the service does not see the confirmation', async () => {
    const error = refusal([{ field: 'txHash', message: 'Transaction not found' }]);
    const { driver, options, calls } = fakeScene();
    driver.submit = () => {
      calls.push('submit');
      return Promise.reject(error);
    };
    expect(await caught(runDelegation(driver, options()))).toBe(error);
    expect(calls.filter((call) => call === 'submit')).toHaveLength(4);
    expect(calls.filter((call) => call === 'sleep 5000')).toHaveLength(3);
    expect(calls.filter((call) => call === 'sign')).toHaveLength(1);
  });
});

describe('isUserRejection', () => {
  it.each([
    [{ code: 4001 }, true],
    [{ name: 'UserRejectedRequestError' }, true],
    [{ code: 'ACTION_REJECTED' }, true],
    [{ cause: { cause: { code: 4001 } } }, true],
    [{ error: { code: 4001 } }, true],
    [{ code: -32603 }, false],
    [{ message: 'User rejected' }, false],
    [{ cause: { cause: { cause: { cause: { cause: { code: 4001 } } } } } }, false],
    ['4001', false],
    [null, false],
  ])('of %j is %s', (error, is) => {
    expect(isUserRejection(error)).toBe(is);
  });
});
