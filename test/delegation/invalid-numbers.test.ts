import { describe, expect, it } from 'vitest';
import { delegationToken } from '../../src/contract/fields.js';
import { isIssuedToken } from '../../src/delegation/delegation-token.js';
import { runDelegation } from '../../src/delegation/run-delegation.js';
import { delegationStateOf } from '../../src/delegation/state.js';
import { delegateEvm, type EvmDelegationOptions } from '../../src/evm/index.js';
import { delegateSolana, type SolanaDelegationOptions } from '../../src/solana/index.js';
import { errorNaming, errorOf, NOT_COUNTS, NOT_NUMBERS } from '../input/not-numbers.js';
import { createFakeDelegation } from './support/fake-driver.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const KEY = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const DELEGATE = '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp';

/** Throws when any property is used: the options must be refused before that. */
const untouched = new Proxy(
  {},
  {
    get: (_, name) => {
      throw new Error(`${String(name)} was used`);
    },
    has: () => true,
  },
) as never;
const wallet = { address: ADDRESS, getChainId: untouched, sendTransaction: untouched } as never;
const client = { delegation: untouched } as never;

const evm = (changes: object) =>
  errorOf(() =>
    delegateEvm({
      client,
      wallet,
      node: untouched,
      network: 'linea',
      currency: 'usdc',
      amount: '5',
      spender: SPENDER,
      domain: 'app.example',
      uri: 'https://app.example',
      ...changes,
    } as EvmDelegationOptions),
  );
const solana = (changes: object) =>
  errorOf(() =>
    delegateSolana({
      client,
      node: untouched,
      currency: 'usdc',
      amount: '5',
      spender: DELEGATE,
      wallet: { address: KEY, signTransaction: untouched },
      domain: 'app.example',
      ...changes,
    } as unknown as SolanaDelegationOptions),
  );

describe('a delegation with an invalid option is refused with the name of the option', () => {
  it.each(NOT_COUNTS)('when one of its numbers is %s', async (value) => {
    const options = ['messageLifetime', 'confirmations', 'confirmationTimeout', 'pollingInterval'];
    for (const option of [...options, 'readTimeout']) {
      expect(await evm({ [option]: value }), option).toMatchObject(errorNaming(option));
    }
    for (const option of ['confirmationTimeout', 'readTimeout']) {
      expect(await solana({ [option]: value }), option).toMatchObject(errorNaming(option));
    }
  });

  it('when a wait is longer than timers support', async () => {
    expect(await evm({ pollingInterval: 2 ** 31 })).toMatchObject(errorNaming('pollingInterval'));
    expect(await evm({ readTimeout: 2 ** 31 })).toMatchObject(errorNaming('readTimeout'));
  });

  it.each([...NOT_NUMBERS, null, undefined])('when runtime.now returns %s', async (value) => {
    const runtime = { now: () => value };
    expect(await evm({ runtime })).toMatchObject(errorNaming('runtime.now'));
    expect(await solana({ runtime })).toMatchObject(errorNaming('runtime.now'));
    const { driver, options, calls } = createFakeDelegation();
    const error = await errorOf(() =>
      runDelegation(driver, options({ runtime: runtime as never })),
    );
    expect(error).toMatchObject({ code: 'clock_unusable', outcome: 'not_sent' });
    expect(calls).toEqual([]);
  });

  it.each([
    ['runtime', { runtime: 5 }],
    ['runtime', { runtime: null }],
    ['runtime.now', { runtime: { now: 5 } }],
    ['runtime.sleep', { runtime: { sleep: 5 } }],
  ])('when %s cannot be used', async (path, changes) => {
    expect(await evm(changes)).toMatchObject(errorNaming(path));
    expect(await solana(changes)).toMatchObject(errorNaming(path));
  });

  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    256,
    1.5,
    '6',
  ])('when the decimals of a token are %s', async (decimals) => {
    const token = { mint: DELEGATE, decimals };
    expect(await solana({ token })).toMatchObject(errorNaming('decimals'));
    const networks = {
      linea: { chainId: 59144, tokens: { usdc: { address: ADDRESS, decimals } } },
    };
    expect(await evm({ networks })).toMatchObject(errorNaming('networks'));
  });
});

describe('a delegation whose clock breaks while it runs', () => {
  it('fails, keeps the sent approval in its state and does not request it again on resume', async () => {
    const { driver, options, calls, clock } = createFakeDelegation();
    driver.confirm = async (transactionId, context) => {
      calls.push('confirm');
      context.now();
      return transactionId;
    };
    const approve = driver.approve;
    driver.approve = async (context) => {
      await approve(context);
      clock.now = Number.NaN;
    };
    const error = await errorOf(() => runDelegation(driver, options()));
    expect(error).toMatchObject({ code: 'clock_unusable', outcome: 'unknown' });
    const resume = delegationStateOf(error);
    expect(resume?.approval).toEqual({ status: 'sent', transactionId: 'transaction' });
    clock.now = 2_000_000;
    await runDelegation(driver, options({ resume }));
    expect(calls.filter((call) => call === 'approve')).toHaveLength(1);
  });
});

describe('a delegation token from the service', () => {
  it.each([
    [{ token: 'a b', nonce: 'nonce1234' }],
    [{ token: '', nonce: 'nonce1234' }],
    [{ token: 'a'.repeat(201), nonce: 'nonce1234' }],
    [{ token: 5, nonce: 'nonce1234' }],
    [{ token: 'token' }],
    [{ token: 'token', nonce: 'a'.repeat(501) }],
    [null],
  ])('is refused before the wallet is prompted when the response is %j', async (response) => {
    const { driver, options, client: service, calls } = createFakeDelegation();
    service.delegation.getToken = (async () => response) as never;
    const error = await errorOf(() => runDelegation(driver, options()));
    expect(error).toMatchObject({ code: 'token_unusable', outcome: 'not_sent' });
    expect(calls).toEqual(['check chain']);
    expect(delegationStateOf(error)?.token).toBeUndefined();
  });

  it.each([
    '',
    'a',
    'A_b-9',
    'a.b',
    'a b',
    'ä',
    'a'.repeat(200),
    'a'.repeat(201),
    'a\n',
  ])('is valid exactly when the contract allows it, for the text %j', (token) => {
    expect(isIssuedToken(token)).toBe(delegationToken.zod.safeParse(token).success);
  });

  it('is requested again on resume when its nonce was invalid', async () => {
    const { driver, options, calls } = createFakeDelegation();
    const { checkToken } = driver;
    driver.checkToken = () => {
      throw new TypeError('does not fit');
    };
    const error = await errorOf(() => runDelegation(driver, options()));
    expect(delegationStateOf(error)).not.toHaveProperty('token');
    await runDelegation({ ...driver, checkToken }, options({ resume: delegationStateOf(error) }));
    expect(calls.filter((call) => call === 'token')).toHaveLength(2);
  });
});
