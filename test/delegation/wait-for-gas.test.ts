import { describe, expect, it } from 'vitest';
import type { DelegationTokenResult } from '../../src/delegation/client.js';
import type { DelegationDriver } from '../../src/delegation/driver.js';
import { runDelegation } from '../../src/delegation/run-delegation.js';
import { delegationStateOf } from '../../src/delegation/state.js';
import { WalletError } from '../../src/delegation/wallet-errors.js';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  RequestValidationError,
} from '../../src/errors/index.js';
import { createFakeDelegation } from './support/fake-driver.js';

const PENDING = { success: true, network: 'net', status: 'pending', message: 'on its way' };
const WAITING = 'Waiting for the network fee to arrive in your wallet.';
const ARRIVED = 'The network fee has arrived in your wallet.';
const NOT_ARRIVED = 'The network fee has not arrived yet, so your wallet may have to pay it.';

/**
 * A delegation whose faucet responds with the given fields, and whose wallet has gas from the `n`th
 * check on.
 */
function faucetDelegation(
  faucet: Partial<DelegationTokenResult> | (() => never),
  hasGasAtLook: number,
  changes: Partial<DelegationDriver> = {},
) {
  let looks = 0;
  const delegation = createFakeDelegation({
    async hasGas() {
      delegation.calls.push('look for gas');
      return ++looks >= hasGasAtLook;
    },
    ...changes,
  });
  const { client, calls } = delegation;
  const { getToken } = client.delegation;
  client.delegation.getToken = async (input, more) => {
    const issued = await getToken(input, more);
    if (input?.faucet !== true) return issued;
    return { ...issued, ...(typeof faucet === 'function' ? faucet() : faucet) };
  };
  const messages = () => delegation.progress.map(({ message }) => message);
  const looksFor = () => calls.filter((call) => call === 'look for gas').length;
  return { ...delegation, messages, looksFor };
}

const pending = { faucet: PENDING, faucetOutcome: 'succeeded' } as const;

describe('a delegation that requested the faucet', () => {
  it('waits until the coins have arrived before it prompts for the approval', async () => {
    const { driver, options, calls, messages } = faucetDelegation(pending, 6);
    await runDelegation(driver, options({ faucet: true }));
    const waits = calls.slice(calls.indexOf('sign') + 1, calls.indexOf('approve'));
    expect(waits).toEqual([
      'look for gas',
      'sleep 1000',
      'look for gas',
      'sleep 2000',
      'look for gas',
      'sleep 4000',
      'look for gas',
      'sleep 5000',
      'look for gas',
      'sleep 5000',
      'look for gas',
    ]);
    expect(messages()).toContain(WAITING);
    expect(messages()).toContain(ARRIVED);
  });

  it('does not wait when the wallet has gas already', async () => {
    const { driver, options, calls, messages } = faucetDelegation(pending, 1);
    await runDelegation(driver, options({ faucet: true }));
    expect(calls.some((call) => call.startsWith('sleep'))).toBe(false);
    expect(messages()).not.toContain(WAITING);
  });

  it.each([
    [undefined, 60_000],
    [20_000, 20_000],
    [1, 1],
  ])('continues without the coins after a faucetTimeout of %s', async (faucetTimeout, waited) => {
    const { driver, options, clock, messages } = faucetDelegation(pending, Infinity);
    const start = clock.now;
    const result = await runDelegation(driver, options({ faucet: true, faucetTimeout }));
    expect(result.registration).toBe('accepted');
    expect(clock.now - start).toBe(waited);
    expect(messages()).toContain(NOT_ARRIVED);
    expect(result.state.faucetExpected).toBeUndefined();
  });

  it('stops waiting while the token is still valid long enough for the approval', async () => {
    const { driver, options, clock } = faucetDelegation(pending, Infinity);
    const start = clock.now;
    const result = await runDelegation(driver, options({ faucet: true, faucetTimeout: 3_600_000 }));
    expect(result.registration).toBe('accepted');
    expect(clock.now - start).toBe(300_000);
  });

  it('ends its wait when the clock stands still', async () => {
    const { driver, options, looksFor } = faucetDelegation(pending, Infinity);
    const runtime = { now: () => 1_000_000, sleep: async () => {} };
    await runDelegation(driver, options({ faucet: true, runtime }));
    expect(looksFor()).toBe(201);
  });

  it('continues when the chain cannot be read', async () => {
    const { driver, options } = faucetDelegation(pending, 1, {
      hasGas: () => Promise.reject(new Error('the node is down')),
    });
    const result = await runDelegation(driver, options({ faucet: true }));
    expect(result.registration).toBe('accepted');
  });

  it('stops at once when it is aborted during the wait', async () => {
    const page = new AbortController();
    const { driver, options, calls } = faucetDelegation(pending, 1, {
      async hasGas() {
        page.abort(new Error('left'));
        throw new Error('the node is down');
      },
    });
    const error = await runDelegation(driver, options({ faucet: true, signal: page.signal })).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ message: 'left' });
    expect(calls).not.toContain('approve');
  });

  it.each([
    ['confirmed', { faucet: { status: 'confirmed', success: true } }, true],
    [
      'pending in a response that counts as failed',
      { faucet: PENDING, faucetOutcome: 'failed' },
      true,
    ],
    ['not reported', { faucetOutcome: 'unknown' }, true],
    ['declined', { faucet: { status: 'declined' }, faucetOutcome: 'failed' }, false],
    ['declined, as a server of your own passes it on', { faucet: { status: 'declined' } }, false],
    ['failed without details', { faucetOutcome: 'failed' }, false],
  ] as const)('waits for coins only if they may arrive: %s', async (_, response, waits) => {
    const { driver, options, looksFor } = faucetDelegation(response, 2);
    const result = await runDelegation(driver, options({ faucet: true }));
    expect(result.registration).toBe('accepted');
    expect(looksFor()).toBe(waits ? 2 : 0);
  });

  it('does not look for gas without the option faucet', async () => {
    const { driver, options, looksFor } = faucetDelegation(pending, 1);
    await runDelegation(driver, options());
    expect(looksFor()).toBe(0);
  });

  it('waits again, but does not request the faucet again, when it is resumed during the wait', async () => {
    const page = new AbortController();
    const first = faucetDelegation(pending, Infinity, {
      async hasGas() {
        if (!page.signal.aborted) page.abort(new Error('left'));
        return false;
      },
    });
    const error = await runDelegation(
      first.driver,
      first.options({ faucet: true, signal: page.signal }),
    ).catch((reason: unknown) => reason);
    const state = JSON.parse(JSON.stringify(delegationStateOf(error)));
    expect(state).toMatchObject({ faucetAsked: true, faucetExpected: true });
    const second = faucetDelegation(pending, 2);
    Object.assign(second.clock, first.clock);
    const result = await runDelegation(
      second.driver,
      second.options({ faucet: true, resume: state }),
    );
    expect(result.registration).toBe('accepted');
    expect(second.calls).not.toContain('token with faucet');
    expect(second.looksFor()).toBe(2);
  });

  it('refuses a time limit that is not a duration, before anything happens', async () => {
    const { checkOptions } = await import('../../src/delegation/check-options.js');
    const { driver, options } = createFakeDelegation();
    for (const faucetTimeout of [0, -1, 1.5, Number.NaN, Infinity, 2 ** 31, '60000']) {
      const wrong = options({ faucetTimeout: faucetTimeout as number });
      expect(() => checkOptions(wrong, [], driver.savedState)).toThrow(/faucetTimeout/);
    }
  });
});

it.each(['yes', 1, null])('faucet: %o is refused', async (faucet) => {
  const { checkOptions } = await import('../../src/delegation/check-options.js');
  const { driver, options } = faucetDelegation(pending, 1);
  const wrong = options({ faucet: faucet as never });
  expect(() => checkOptions(wrong, [], driver.savedState)).toThrow(/faucet/);
});

describe('a faucet request that fails', () => {
  const apiError = (Kind: typeof ApiError, status: number) =>
    new Kind({
      status,
      message: 'refused',
      code: status === 401 ? 'not_authenticated' : 'validation_failed',
      outcome: 'rejected',
      fieldErrors: [],
    } as unknown as ConstructorParameters<typeof ApiError>[0]);

  it.each([
    [
      'the client knows no faucet on the network',
      () => new RequestValidationError([{ path: 'network', message: 'is not listed' }]),
    ],
    ['the service refuses it', () => apiError(ApiError, 422)],
    ['the service forbids it', () => apiError(ApiError, 403)],
  ])('does not fail the flow when %s', async (_, error) => {
    const { driver, options, calls, messages, looksFor } = faucetDelegation(() => {
      throw error();
    }, 1);
    const result = await runDelegation(driver, options({ faucet: true }));
    expect(result.registration).toBe('accepted');
    expect(calls.slice(0, 3)).toEqual(['check chain', 'token with faucet', 'token']);
    expect(messages()).toContain('The network fee could not be provided, so your wallet pays it.');
    expect(looksFor()).toBe(0);
  });

  it('says so when the service reports a failure without details', async () => {
    const { driver, options, messages, looksFor } = faucetDelegation(
      { faucetOutcome: 'failed' },
      1,
    );
    await runDelegation(driver, options({ faucet: true }));
    expect(messages()).toContain('The network fee could not be provided, so your wallet pays it.');
    expect(looksFor()).toBe(0);
  });

  it('waits for the coins when its outcome is unknown', async () => {
    const { driver, options, looksFor } = faucetDelegation(() => {
      throw new WalletError('the connection broke', 'unknown');
    }, 3);
    await runDelegation(driver, options({ faucet: true }));
    expect(looksFor()).toBe(3);
  });

  it.each([
    ['the session has ended', () => apiError(AuthenticationError, 401)],
    ['there were too many requests', () => apiError(ApiError, 429)],
    ['the service does not know the client key', () => apiError(ApiError, 498)],
    ['the client key is missing', () => apiError(ApiError, 499)],
    ['the service cannot be reached', () => new ConnectionError({ outcome: 'not_sent' } as never)],
  ])('can be requested again on resume when %s', async (_, error) => {
    const { driver, options, calls } = faucetDelegation(() => {
      throw error();
    }, 1);
    const reason = await runDelegation(driver, options({ faucet: true })).catch((e: unknown) => e);
    expect(delegationStateOf(reason)).toMatchObject({ faucetAsked: false });
    expect(delegationStateOf(reason)?.faucetExpected).toBeUndefined();
    expect(calls).toEqual(['check chain', 'token with faucet']);
  });
});

describe('the faucet is asked only if the wallet needs it', () => {
  const look = (canPay: boolean | undefined): Partial<DelegationDriver> => ({
    checkChain: async () => ({ currentLimit: undefined, canPay }),
  });
  const asked = (calls: readonly string[]) => calls.filter((call) => call === 'token with faucet');

  it.each([
    [true, 0],
    [false, 1],
    [undefined, 1],
  ])('whether it can pay: %s', async (canPay, times) => {
    const { driver, options, calls } = faucetDelegation(pending, 1, look(canPay));
    await runDelegation(driver, options({ faucet: true }));
    expect(asked(calls)).toHaveLength(times);
    expect(calls).toContain('approve');
  });

  it.each([
    ['linea', {}, 1],
    ['solana', {}, 1],
    ['base', {}, 1],
    ['ethereum', {}, 0],
    ['ethereum', { faucet: true }, 1],
    ['linea', { faucet: false }, 0],
    ['linea', { checkFunds: false }, 0],
    ['linea', { checkFunds: false, faucet: true }, 1],
  ])('on %s with %j: %i times', async (network, more, times) => {
    const proof = { address: 'owner', network, currency: 'cur', amount: '5' };
    const { driver, options, calls } = faucetDelegation(pending, 1, { ...look(false), proof });
    const isAsked = times === 1 || 'checkFunds' in more;
    const result = runDelegation(driver, options(more));
    if (isAsked) await result;
    else await expect(result).rejects.toMatchObject({ code: 'insufficient_funds' });
    expect(asked(calls)).toHaveLength(times);
    expect(calls.includes('approve')).toBe(isAsked);
  });

  it('by default it is not asked if the chain does not say whether the wallet can pay', async () => {
    const proof = { address: 'owner', network: 'linea', currency: 'cur', amount: '5' };
    const changes = { ...look(undefined), proof };
    const { driver, options, calls } = faucetDelegation(pending, 1, changes);
    await runDelegation(driver, options());
    expect(asked(calls)).toEqual([]);
    expect(calls).toContain('approve');
  });

  it('the flow ends before the signature if it declines and the wallet cannot pay', async () => {
    const declined = { faucet: { status: 'declined' }, faucetOutcome: 'failed' } as const;
    const { driver, options, calls } = faucetDelegation(declined, 1, look(false));
    const error = await runDelegation(driver, options({ faucet: true })).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect(calls).toEqual(['token with faucet', 'check token']);
    // The coins were added by hand: the token is used, and the faucet is not asked again.
    const resume = delegationStateOf(error);
    const second = faucetDelegation(declined, 1, look(true));
    await runDelegation(second.driver, second.options({ faucet: true, resume }));
    expect(second.calls).not.toContain('token with faucet');
    expect(second.calls).not.toContain('token');
    expect(second.calls).toContain('approve');
  });

  it('a saved token is replaced if the faucet was not asked with it', async () => {
    const first = faucetDelegation(pending, 1, {
      ...look(true),
      signMessage: () => Promise.reject(new WalletError('closed', 'not_sent')),
    });
    const error = await runDelegation(first.driver, first.options()).catch((e: unknown) => e);
    const resume = delegationStateOf(error);
    expect(resume?.token).toBeDefined();
    const second = faucetDelegation(pending, 1, look(false));
    await runDelegation(second.driver, second.options({ faucet: true, resume }));
    expect(asked(second.calls)).toHaveLength(1);
  });

  it.each([
    [{}, 'insufficient_funds'],
    [{ checkFunds: true }, 'insufficient_funds'],
    [{ checkFunds: false }, undefined],
  ])('without it, %j ends with %s', async (more, code) => {
    const { driver, options, calls } = faucetDelegation(pending, 1, look(false));
    const error = await runDelegation(driver, options(more)).then(
      () => undefined,
      (e: unknown) => e,
    );
    expect((error as { code?: string } | undefined)?.code).toBe(code);
    expect(calls.includes('token')).toBe(code === undefined);
  });
});
