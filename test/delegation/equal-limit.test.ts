import { describe, expect, it } from 'vitest';
import {
  AllowanceRacedError,
  ApprovalMismatchError,
} from '../../src/delegation/approval-errors.js';
import type { DelegationDriver } from '../../src/delegation/driver.js';
import { runDelegation, runRevocation } from '../../src/delegation/run-delegation.js';
import { delegationStateOf } from '../../src/delegation/state.js';
import { ChainReadError } from '../../src/delegation/wallet-errors.js';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  OperationRejectedError,
  UnprocessableError,
} from '../../src/errors/index.js';
import { createFakeDelegation } from './support/fake-driver.js';

const LISTED = [{ address: 'owner', currency: 'cur', network: 'net', allowance: '5' }];
const EARLIER = 'transaction';

/** A delegation of 5, whose chain says that the spender may spend `limit` already. */
function delegationWith(
  limit: bigint | undefined,
  { listed = [] as unknown, ...changes }: Partial<DelegationDriver> & { listed?: unknown } = {},
) {
  const delegation = createFakeDelegation({
    async checkChain() {
      delegation.calls.push('check chain');
      return { currentLimit: limit, canPay: false };
    },
    remainingLimit: async () => limit ?? 0n,
    async findEqualApproval() {
      delegation.calls.push('search');
      return EARLIER;
    },
    savedState: {
      kind: 'fake',
      isTransactionId: () => true,
      isSignature: (text) => text === 'signature',
      notes: { adopted: () => true, refused: () => true },
    },
    ...changes,
  });
  if (delegation.client.wallets) {
    delegation.client.wallets.external.list = async () => {
      delegation.calls.push('list');
      return listed;
    };
  }
  return delegation;
}

const refused = () =>
  new UnprocessableError({
    status: 422,
    message: 'the service refused.',
    code: 'validation_failed',
    outcome: 'rejected',
    serverMessage: 'Refused',
    fieldErrors: [],
  } as never);

const refusedFor = (field: string) =>
  new UnprocessableError({
    status: 422,
    message: 'the service refused.',
    code: 'validation_failed',
    outcome: 'rejected',
    fieldErrors: [{ field, message: 'is not accepted' }],
  } as never);

const apiError = (Kind: typeof ApiError, status: number, code: string) =>
  new Kind({ status, code, message: 'refused', outcome: 'rejected', fieldErrors: [] } as never);

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a limit that chain and service have already', () => {
  it('is the result: nothing is asked of the wallet, and no token of the service', async () => {
    const { driver, options, calls, progress } = delegationWith(5n, { listed: LISTED });
    const result = await runDelegation(driver, options());
    expect(calls).toEqual(['check chain', 'list']);
    expect(result).toMatchObject({ registration: 'found-in-wallets', registeredAmount: '5' });
    expect(result.transactionId).toBeUndefined();
    expect(result.state.approval).toBeUndefined();
    expect(progress.at(-1)).toMatchObject({ step: 'done', status: 'done' });
    // Resuming it looks again.
    const again = delegationWith(5n, { listed: LISTED });
    await runDelegation(again.driver, again.options({ resume: result.state }));
    expect(again.calls).toEqual(['check chain', 'list']);
  });

  it('leaves no secret of an earlier run in the result', async () => {
    const { driver, options } = delegationWith(4n, {
      approve: () => Promise.reject(new ChainReadError('it', 'not_sent')),
    });
    const resume = delegationStateOf(
      await errorOf(runDelegation(driver, options({ checkFunds: false }))),
    );
    expect(resume).toMatchObject({ token: {}, message: {} });
    const later = delegationWith(5n, { listed: LISTED });
    const { state } = await runDelegation(later.driver, later.options({ resume }));
    expect(state.token).toBeUndefined();
    expect(state.message).toBeUndefined();
  });

  it.each<[string, bigint | undefined, Parameters<typeof delegationWith>[1], object]>([
    ['is one unit lower', 4n, { listed: LISTED }, {}],
    ['is one unit higher', 6n, { listed: LISTED }, {}],
    ['is not known', undefined, { listed: LISTED }, {}],
    ['has changed since it was read', 5n, { listed: LISTED, remainingLimit: async () => 4n }, {}],
    [
      'cannot be read again',
      5n,
      {
        listed: LISTED,
        remainingLimit: () => Promise.reject(new ChainReadError('it', 'not_sent')),
      },
      {},
    ],
    ['is to be approved again', 5n, { listed: LISTED }, { approveAgain: true }],
  ])('does not count if it %s', async (_, limit, changes, more) => {
    const { driver, options, calls } = delegationWith(limit, changes);
    await runDelegation(driver, options({ checkFunds: false, ...more }));
    expect(calls).toContain('approve');
    expect(calls).not.toContain('search');
  });

  it('does not count for a revocation', async () => {
    const proof = { address: 'owner', network: 'net', currency: 'cur', amount: '0' } as const;
    const { driver, options, calls } = delegationWith(0n, {
      limit: { units: 0n, decimals: 0 },
      proof: { ...proof, isRevocation: true },
    });
    const result = await runRevocation(driver, options({ checkFunds: false }));
    expect(calls).toContain('approve');
    expect(result.transactionId).toBe('transaction');
  });

  it('is compared with the unlimited amount where that is approved', async () => {
    const limit = { units: 5n, decimals: 0, allowance: 99n };
    const same = delegationWith(99n, { limit, listed: LISTED });
    await runDelegation(same.driver, same.options());
    expect(same.calls).not.toContain('approve');
    const other = delegationWith(5n, { limit, listed: LISTED });
    await runDelegation(other.driver, other.options({ checkFunds: false }));
    expect(other.calls).toContain('approve');
  });
});

describe('a limit that only the chain has', () => {
  it('needs no second approval and no fee: its proof is submitted', async () => {
    const { driver, options, calls } = delegationWith(5n);
    const result = await runDelegation(driver, options());
    expect(calls).toEqual([
      'check chain',
      'list',
      'search',
      'confirm',
      'verify',
      'token',
      'check token',
      'sign',
      'submit',
    ]);
    expect(result).toMatchObject({ registration: 'accepted', transactionId: EARLIER });
  });

  it('does not ask the faucet, because its proof costs nothing', async () => {
    const { driver, options, calls } = delegationWith(5n);
    await runDelegation(driver, options({ faucet: true }));
    expect(calls).toContain('token');
  });

  it('is approved if nobody can find the approval', async () => {
    const { driver, options, calls } = delegationWith(5n, {
      findEqualApproval: async () => undefined,
    });
    await runDelegation(driver, options({ checkFunds: false }));
    expect(calls).toContain('approve');
  });

  it('is approved if the search fails', async () => {
    const { driver, options, calls } = delegationWith(5n, {
      findEqualApproval: () => Promise.reject(new ChainReadError('it', 'not_sent')),
    });
    await runDelegation(driver, options({ checkFunds: false }));
    expect(calls).toContain('approve');
  });

  it.each([
    new ApprovalMismatchError('spender', EARLIER),
    new AllowanceRacedError(5n, 9n, 'executed', EARLIER),
  ])('is approved if what is found is not it: %s', async (error) => {
    let verified = 0;
    const { driver, options, calls } = delegationWith(5n, {
      async verify() {
        if (++verified === 1) throw error;
      },
    });
    const { state, registration } = await runDelegation(driver, options({ checkFunds: false }));
    expect(calls.filter((call) => call === 'approve')).toHaveLength(1);
    expect(registration).toBe('accepted');
    expect(state.notes).toEqual({ refused: EARLIER });
  });

  it('is approved once if the service refuses the proof of the earlier approval', async () => {
    let submitted = 0;
    const { driver, options, calls } = delegationWith(5n, {
      async submit() {
        if (++submitted === 1) throw refused();
        return { success: true };
      },
    });
    const result = await runDelegation(driver, options({ checkFunds: false }));
    expect(result.registration).toBe('accepted');
    expect(calls.filter((call) => call === 'sign')).toHaveLength(1);
    expect(calls.filter((call) => call === 'approve')).toHaveLength(1);
    expect(submitted).toBe(2);
  });

  it.each([
    'txHash',
    'amount',
  ])('is approved once if the proof is refused for its %s', async (field) => {
    let submitted = 0;
    const { driver, options, calls } = delegationWith(5n, {
      async submit() {
        if (++submitted === 1) throw refusedFor(field);
        return { success: true };
      },
    });
    await runDelegation(driver, options({ checkFunds: false }));
    expect(calls.filter((call) => call === 'approve')).toHaveLength(1);
  });

  it('is approved only if the wallet can pay, once the proof was refused', async () => {
    const { driver, options, calls } = delegationWith(5n, {
      submit: () => Promise.reject(refused()),
    });
    const error = await errorOf(runDelegation(driver, options()));
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect(calls).not.toContain('approve');
    const state = delegationStateOf(error);
    expect(state).toMatchObject({ notes: { refused: EARLIER } });
    expect(state?.approval).toBeUndefined();
    // The refused one is not looked for again.
    const later = delegationWith(5n);
    await runDelegation(later.driver, later.options({ resume: state, checkFunds: false }));
    expect(later.calls).not.toContain('search');
    expect(later.calls).toContain('approve');
  });

  it.each<[string, () => Error]>([
    ['the user must log in', () => apiError(AuthenticationError, 401, 'not_authenticated')],
    ['the user may not do it', () => apiError(ApiError, 403, 'not_authorized')],
    ['the user is not verified', () => apiError(ApiError, 400, 'user_not_verified')],
    ['a one-time password is needed', () => apiError(ApiError, 400, 'otp_required')],
    ['its token has expired', () => refusedFor('token')],
    ['its signature is not accepted', () => refusedFor('sigHash')],
    ['there were too many requests', () => apiError(ApiError, 429, 'rate_limited')],
    [
      'the service cannot be reached',
      () => new ConnectionError({ message: 'refused', outcome: 'not_sent' } as never),
    ],
  ])('is not approved again if the proof was not taken because %s', async (_, refusal) => {
    const { driver, options, calls } = delegationWith(5n, {
      submit: () => Promise.reject(refusal()),
    });
    const error = await errorOf(runDelegation(driver, options({ checkFunds: false })));
    expect(calls).not.toContain('approve');
    // The proof of the same approval is submitted later.
    const later = delegationWith(5n);
    const resume = delegationStateOf(error);
    const result = await runDelegation(later.driver, later.options({ resume }));
    expect(result.transactionId).toBe(EARLIER);
    expect(later.calls).not.toContain('approve');
  });

  it.each<[string, () => Promise<{ success: boolean }>]>([
    ['says that it was not successful', async () => ({ success: false })],
    [
      'is a refusal with status 200',
      () =>
        Promise.reject(
          new OperationRejectedError(
            200,
            { message: 'refused', evidence: {}, isContradicted: false, data: undefined },
            { code: 'operation_rejected', outcome: 'rejected' },
          ),
        ),
    ],
  ])('is approved if the response to the proof %s', async (_, refuse) => {
    let submitted = 0;
    const { driver, options, calls } = delegationWith(5n, {
      submit: async () => (++submitted > 1 ? { success: true } : refuse()),
    });
    await runDelegation(driver, options({ checkFunds: false }));
    expect(calls.filter((call) => call === 'approve')).toHaveLength(1);
  });

  it('is not approved while it is unknown whether the service has accepted the proof', async () => {
    const { driver, options, calls } = delegationWith(5n, {
      submit: () => Promise.reject(new Error('the connection broke')),
    });
    const error = await errorOf(runDelegation(driver, options({ checkFunds: false })));
    expect(error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
    expect(calls).not.toContain('approve');
    const later = delegationWith(5n);
    const result = await runDelegation(
      later.driver,
      later.options({ resume: delegationStateOf(error) }),
    );
    expect(later.calls).not.toContain('approve');
    expect(result.transactionId).toBe(EARLIER);
  });
});
