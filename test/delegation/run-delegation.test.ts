import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { decimalToBaseUnits } from '../../src/contract/formats/decimal.js';
import { TransactionRevertedError } from '../../src/delegation/approval-errors.js';
import type { DelegationDriver } from '../../src/delegation/driver.js';
import { runDelegation } from '../../src/delegation/run-delegation.js';
import { delegationStateOf } from '../../src/delegation/state.js';
import { UserRejectedError, WalletError } from '../../src/delegation/wallet-errors.js';
import { ApiError, RequestValidationError, UnprocessableError } from '../../src/errors/index.js';
import { createFakeDelegation } from './support/fake-driver.js';
import { resealed } from './support/mutations.js';

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a delegation on any chain', () => {
  it('runs its steps in order, each once', async () => {
    const { driver, options, calls } = createFakeDelegation();
    const result = await runDelegation(driver, options());
    expect(calls).toEqual([
      'check chain',
      'token',
      'check token',
      'sign',
      'approve',
      'confirm',
      'verify',
      'submit',
    ]);
    expect(result).toMatchObject({ registration: 'accepted', transactionId: 'transaction' });
  });

  it('prints no secret of its state, and its final state contains none', async () => {
    const { driver, options, progress } = createFakeDelegation();
    const { state } = await runDelegation(driver, options());
    const savedState = progress.find((event) => event.state.message)?.state;
    expect(JSON.stringify(savedState)).toContain('token-1');
    expect(inspect(savedState)).not.toContain('token-1');
    expect(JSON.stringify(state)).not.toContain('token-1');
  });

  it('passes frozen states to its listener', async () => {
    const { driver, options, progress } = createFakeDelegation();
    await runDelegation(driver, options());
    for (const { state } of progress) {
      for (const part of [state, ...Object.values(state)]) expect(part).toSatisfy(Object.isFrozen);
    }
  });

  it('records in its state that the proof is being submitted before it submits the proof', async () => {
    const delegation = createFakeDelegation();
    let before: unknown;
    delegation.driver.submit = async () => {
      before = delegation.progress.at(-1)?.state.proof;
      return { success: true };
    };
    await runDelegation(delegation.driver, delegation.options());
    expect(before).toBe('submitting');
  });

  it('records in its state that the approval was requested before it prompts the wallet', async () => {
    const delegation = createFakeDelegation();
    let before: unknown;
    delegation.driver.approve = (context) =>
      context
        .promptApproval(async () => {
          before = delegation.progress.at(-1)?.state.approval;
          return 'transaction';
        })
        .then(() => undefined);
    await runDelegation(delegation.driver, delegation.options());
    expect(before).toEqual({ status: 'requested' });
  });

  it.each([
    ['not_sent', new UserRejectedError(), undefined],
    ['rejected', new TransactionRevertedError('transaction'), undefined],
    ['unknown', new WalletError('it broke', 'unknown'), { status: 'requested' }],
  ])('records the outcome %s of a failed approval in its state', async (_, error, approval) => {
    const { driver, options } = createFakeDelegation();
    driver.approve = async (context) => {
      await context.promptApproval(() => Promise.reject(error));
    };
    expect(await errorOf(runDelegation(driver, options()))).toBe(error);
    expect(delegationStateOf(error)?.approval).toEqual(approval);
  });

  it('records the transaction of a wallet that responds after the abort', async () => {
    const delegation = createFakeDelegation();
    const page = new AbortController();
    let respond = (_: string) => {};
    delegation.driver.approve = async (context) => {
      await context.promptApproval(
        () =>
          new Promise((resolve) => {
            respond = resolve;
            page.abort(new Error('gone'));
          }),
      );
    };
    const error = await errorOf(
      runDelegation(delegation.driver, delegation.options({ signal: page.signal })),
    );
    expect(error).toMatchObject({ message: 'gone' });
    respond('late');
    await Promise.resolve();
    await Promise.resolve();
    const approval = { status: 'sent', transactionId: 'late' };
    expect(delegation.progress.at(-1)?.state.approval).toEqual(approval);
  });

  it('continues with an approval that had failed and that the driver finds again', async () => {
    const { calls, progress, driver, options } = createFakeDelegation({
      findRestored: async () => 'transaction',
    });
    const result = await runDelegation(driver, options());
    expect(result.transactionId).toBe('transaction');
    expect(calls).not.toContain('approve');
    expect(progress.map(({ message }) => message)).toContain(
      'The chain has changed: the earlier approval is valid again.',
    );
  });

  it('passes the signal of the caller to each of its requests to the service', async () => {
    const { driver, options, client } = createFakeDelegation();
    const { signal } = new AbortController();
    const seen: [request: string, signal: unknown][] = [];
    const { getToken } = client.delegation;
    client.delegation.getToken = (input, call) => {
      seen.push([input?.faucet ? 'faucet' : 'token', call?.signal]);
      if (input?.faucet) throw new RequestValidationError([{ path: 'network', message: 'none' }]);
      return getToken(input, call);
    };
    client.wallets = {
      external: {
        async list(call) {
          seen.push(['list', call?.signal]);
          return [];
        },
      },
    };
    driver.checkChain = async () => ({ currentLimit: undefined, canPay: false });
    driver.submit = async (_, call) => {
      seen.push(['proof', call.signal]);
      throw new Error('lost');
    };
    const flow = runDelegation(driver, options({ signal, faucet: true, checkFunds: false }));
    expect(await errorOf(flow)).toMatchObject({ code: 'proof_unknown' });
    expect([...new Set(seen.map(([request]) => request))]).toEqual([
      'faucet',
      'token',
      'proof',
      'list',
    ]);
    for (const [request, passed] of seen) expect(passed, request).toBe(signal);
  });

  it.each([
    [-1_000_000, true],
    [-1_000_001, false],
    [253_402_299_799_999, true],
    [253_402_299_800_000, false],
  ])('resumes with a clock of the service that was ahead by %i ms: %s', async (by, isTime) => {
    const { driver, options, calls } = createFakeDelegation();
    const { approve } = driver;
    driver.approve = () => Promise.reject(new UserRejectedError());
    const error = await errorOf(runDelegation(driver, options()));
    const { token, ...state } = delegationStateOf(error) ?? {};
    const resume = resealed({ ...state, token: { ...token, clockOffset: by } });
    driver.approve = approve;
    calls.length = 0;
    const resumed = await errorOf(runDelegation(driver, options({ resume })));
    if (isTime) expect(resumed).toBeUndefined();
    else expect(resumed).toMatchObject({ code: 'state_mismatch', fields: ['token.clockOffset'] });
    expect(calls.length > 0).toBe(isTime);
  });

  it('leaves no listener on the abort signal', async () => {
    const { driver, options } = createFakeDelegation();
    const { signal } = new AbortController();
    await runDelegation(driver, options({ signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('rejects with the reason of the signal when it is aborted at any progress event', async () => {
    const total = 12;
    for (let n = 1; n <= total; n++) {
      const { driver, options } = createFakeDelegation();
      const page = new AbortController();
      let eventCount = 0;
      const onProgress = () => {
        if (++eventCount === n) page.abort(new Error(`left at event ${n}`));
      };
      const error = await errorOf(
        runDelegation(driver, options({ signal: page.signal, onProgress })),
      );
      expect(error).toMatchObject({ message: `left at event ${n}` });
    }
  });

  it('fails with chain_unreadable when a chain read exceeds readTimeout', async () => {
    const { driver, options } = createFakeDelegation();
    driver.checkChain = async (context) => {
      return context.read('the chain', () => new Promise(() => {}));
    };
    const error = await errorOf(runDelegation(driver, options({ readTimeout: 5 })));
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
  });

  it('requests the faucet only once, then a plain token when the outcome of the first request is unknown', async () => {
    const { driver, options, client, calls } = createFakeDelegation();
    const { getToken } = client.delegation;
    client.delegation.getToken = async (input, more) => {
      const response = await getToken(input, more);
      if (input?.faucet) throw new WalletError('the connection broke', 'unknown');
      return response;
    };
    const result = await runDelegation(driver, options({ faucet: true }));
    expect(result.registration).toBe('accepted');
    expect(calls.slice(0, 3)).toEqual(['check chain', 'token with faucet', 'token']);
  });
});

describe('submitting the proof of a delegation', () => {
  const createRefusal = (
    fieldErrors: { field: string; message: string }[],
    code = 'validation_failed',
  ) =>
    new UnprocessableError({
      status: 422,
      message: 'the service refused.',
      code,
      outcome: 'rejected',
      serverMessage: 'Refused',
      fieldErrors,
    } as unknown as ConstructorParameters<typeof UnprocessableError>[0]);

  const rejectSubmitWith = (error: unknown): Partial<DelegationDriver> => ({
    submit: () => Promise.reject(error),
  });

  it('succeeds when the service responds that the wallet is already approved', async () => {
    const error = createRefusal([], 'wallet_already_approved');
    expect(error).toBeInstanceOf(ApiError);
    const { driver, options, client } = createFakeDelegation(rejectSubmitWith(error));
    const found = { address: 'owner', currency: 'cur', network: 'net', allowance: '5' };
    client.wallets = { external: { list: async () => [found] } };
    const result = await runDelegation(driver, options());
    expect(result.registration).toBe('already-approved');
    expect(result.registeredAmount).toBe('5');
  });

  it('drops a refused token or signature from the state and keeps the approval', async () => {
    for (const [field, token, message] of [
      ['token', false, false],
      ['sigMessage', true, false],
      ['sigHash', true, false],
      ['amount', true, true],
    ] as const) {
      const error = createRefusal([{ field, message: 'is not right' }]);
      const { driver, options } = createFakeDelegation(rejectSubmitWith(error));
      expect(await errorOf(runDelegation(driver, options()))).toBe(error);
      const state = delegationStateOf(error);
      expect(state?.approval).toEqual({ status: 'verified', transactionId: 'transaction' });
      expect([state?.token !== undefined, state?.message !== undefined]).toEqual([token, message]);
      expect(state?.proof).toBeUndefined();
    }
  });

  it.each([
    ['the same address and amount', { allowance: '5' }, true],
    ['a longer form of the amount', { allowance: '5.000000' }, true],
    ['a number', { allowance: 5 }, true],
    ['the currency in upper case', { allowance: '5', currency: 'CUR' }, true],
    ['no network', { allowance: '5', network: undefined }, true],
    ['another amount', { allowance: '4' }, false],
    ['no amount', {}, false],
    ['another currency', { allowance: '5', currency: 'eur' }, false],
    ['another address', { allowance: '5', address: 'stranger' }, false],
    ['another network', { allowance: '5', network: 'base' }, false],
  ])('checks the list of wallets when its outcome is unknown, and the list has an entry with %s', async (_, entry, isFound) => {
    const broken = new WalletError('the connection broke', 'unknown');
    const { driver, options, client } = createFakeDelegation(rejectSubmitWith(broken));
    const found = { address: 'owner', currency: 'cur', network: 'net', ...entry };
    client.wallets = { external: { list: async () => [null, found] } };
    const result = await runDelegation(driver, options()).catch((error: unknown) => error);
    expect(result).toMatchObject(
      isFound
        ? { registration: 'found-in-wallets' }
        : { code: 'proof_unknown', outcome: 'unknown' },
    );
  });

  it.each([
    ['123456789012345', 123456789012345, true],
    ['12345.6789012345', 12345.6789012345, true],
    ['9007199254740992', 9007199254740992, false],
  ])('compares the amount %s with the number %d of the list only where it is exact', async (amount, allowance, isFound) => {
    const broken = new WalletError('the connection broke', 'unknown');
    const { driver, options, client } = createFakeDelegation(rejectSubmitWith(broken));
    const limit = { units: decimalToBaseUnits(amount, 10), decimals: 10 };
    Object.assign(driver, { limit, proof: { ...driver.proof, amount } });
    const found = { address: 'owner', currency: 'cur', network: 'net', allowance };
    client.wallets = { external: { list: async () => [found] } };
    const result = await runDelegation(driver, options()).catch((error: unknown) => error);
    expect(result).toMatchObject(
      isFound ? { registration: 'found-in-wallets' } : { code: 'proof_unknown' },
    );
  });

  it('checks the list of wallets when a proof that may have arrived is refused the second time', async () => {
    const { driver, options, client, calls } = createFakeDelegation();
    const broken = new WalletError('the connection broke', 'unknown');
    driver.submit = () => Promise.reject(broken);
    const unknown = await errorOf(runDelegation(driver, options()));
    const used = createRefusal([{ field: 'token', message: 'Token was already used' }]);
    driver.submit = () => Promise.reject(used);
    const found = { address: 'owner', currency: 'cur', network: 'net', allowance: '5' };
    let listCount = 0;
    client.wallets = { external: { list: async () => (++listCount > 1 ? [found] : []) } };
    const resume = delegationStateOf(unknown);
    const result = await runDelegation(driver, options({ resume }));
    expect(result.registration).toBe('found-in-wallets');
    expect(calls.filter((call) => call === 'approve')).toHaveLength(1);
  });

  it('checks the list of wallets three times, two seconds apart, because it may be late', async () => {
    const broken = new WalletError('the connection broke', 'unknown');
    const found = { address: 'owner', currency: 'cur', network: 'net', allowance: '5' };
    for (const [appearsAt, isFound] of [
      [3, true],
      [4, false],
    ] as const) {
      const { driver, options, client, calls } = createFakeDelegation(rejectSubmitWith(broken));
      let reads = 0;
      client.wallets = {
        external: {
          async list() {
            calls.push('list');
            return ++reads < appearsAt ? [] : [found];
          },
        },
      };
      const result = await runDelegation(driver, options()).catch((error: unknown) => error);
      expect(result).toMatchObject(
        isFound ? { registration: 'found-in-wallets' } : { code: 'proof_unknown' },
      );
      const looks = ['list', 'sleep 2000', 'list', 'sleep 2000', 'list'];
      expect(calls.slice(calls.indexOf('list'))).toEqual(looks);
    }
  });

  it('fails with proof_unknown when its outcome is unknown and the list of wallets fails', async () => {
    const broken = new WalletError('the connection broke', 'unknown');
    for (const list of [async () => 'nonsense', () => Promise.reject(new Error('404'))]) {
      const { driver, options, client } = createFakeDelegation(rejectSubmitWith(broken));
      client.wallets = { external: { list } };
      const error = await errorOf(runDelegation(driver, options()));
      expect(error).toMatchObject({ code: 'proof_unknown', transactionId: 'transaction' });
    }
  });

  it('is retried three times while the service does not find the transaction', async () => {
    const error = createRefusal([{ field: 'txHash', message: 'Transaction not found' }]);
    const { driver, options, calls } = createFakeDelegation();
    driver.submit = () => {
      calls.push('submit');
      return Promise.reject(error);
    };
    expect(await errorOf(runDelegation(driver, options()))).toBe(error);
    expect(calls.filter((call) => call === 'submit')).toHaveLength(4);
    expect(calls.filter((call) => call === 'sleep 5000')).toHaveLength(3);
    expect(calls.filter((call) => call === 'sign')).toHaveLength(1);
  });

  it('is not retried if the service refuses anything else', async () => {
    for (const [field, message] of [
      ['txHash', 'Transaction sets another limit'],
      ['sigHash', 'Signature could not be confirmed'],
    ] as const) {
      const error = createRefusal([{ field, message }]);
      const { driver, options, calls } = createFakeDelegation(rejectSubmitWith(error));
      expect(await errorOf(runDelegation(driver, options()))).toBe(error);
      expect(calls.filter((call) => call.startsWith('sleep'))).toEqual([]);
    }
  });

  // A token is valid for ten minutes.
  it.each([
    [580_000, 2],
    [580_001, 1],
  ])('is submitted, 5 seconds after it was refused at a token age of %i ms, %i times', async (age, times) => {
    const { driver, options, calls, clock } = createFakeDelegation();
    driver.submit = async () => {
      calls.push('submit');
      if (calls.filter((call) => call === 'submit').length > 1) return { success: true };
      clock.now += age;
      throw createRefusal([{ field: 'txHash', message: 'Transaction not found' }]);
    };
    const error = await errorOf(runDelegation(driver, options()));
    if (times === 2) expect(error).toBeUndefined();
    else expect(error).toMatchObject({ code: 'proof_refused', outcome: 'rejected' });
    expect(calls.filter((call) => call === 'submit')).toHaveLength(times);
  });

  it('is not submitted again when the token is about to expire', async () => {
    const { driver, options, calls, clock } = createFakeDelegation();
    driver.submit = () => {
      calls.push('submit');
      clock.now += 582_000;
      return Promise.reject(createRefusal([{ field: 'txHash', message: 'Transaction not found' }]));
    };
    const error = await errorOf(runDelegation(driver, options()));
    expect(error).toMatchObject({
      code: 'proof_refused',
      outcome: 'rejected',
      transactionId: 'transaction',
    });
    expect(calls.filter((call) => call === 'submit')).toHaveLength(1);
    // A resumed flow has a new token, and neither approves nor waits again.
    driver.submit = async () => ({ success: true });
    const resumed = await runDelegation(driver, options({ resume: delegationStateOf(error) }));
    expect(resumed.registration).toBe('accepted');
    expect(calls.filter((call) => call === 'approve')).toHaveLength(1);
  });
});
