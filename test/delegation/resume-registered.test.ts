import { expect, it } from 'vitest';
import { ApprovalMismatchError } from '../../src/delegation/approval-errors.js';
import { runDelegation } from '../../src/delegation/run-delegation.js';
import { type DelegationState, updateState } from '../../src/delegation/state.js';
import { createFakeDelegation } from './support/fake-driver.js';

/**
 * Creates a delegation that the service has registered, and a state that an earlier run has saved.
 */
async function registeredDelegation(change: (state: DelegationState) => DelegationState) {
  const delegation = createFakeDelegation();
  const { driver, options, client } = delegation;
  const { state } = await runDelegation(driver, options());
  const entry = { address: 'owner', currency: 'cur', network: 'net', allowance: '5' };
  client.wallets = { external: { list: async () => [entry] } };
  delegation.calls.length = 0;
  return { ...delegation, saved: change(JSON.parse(JSON.stringify(state))) };
}

// Found by the model: the page was closed while a registered approval was verified again.
it('a flow that finds the wallet registered ends with a state that can be resumed', async () => {
  const { driver, options, saved } = await registeredDelegation((state) =>
    updateState(state, {
      proof: 'submitting',
      approval: { status: 'confirmed', transactionId: 'transaction' },
    }),
  );
  const first = await runDelegation(driver, options({ resume: saved }));
  expect(first.state.approval).toEqual({ status: 'verified', transactionId: 'transaction' });
  const second = await runDelegation(driver, options({ resume: first.state }));
  expect(second.registration).toBe('found-in-wallets');
});

it.each([
  ['in other letters', { network: 'NET', currency: 'CUR' }, 'found-in-wallets'],
  ['without a network', { network: undefined }, 'found-in-wallets'],
  ['with an empty network', { network: null }, 'found-in-wallets'],
  ['with another network', { network: 'other' }, 'accepted'],
  ['with another currency', { currency: 'other' }, 'accepted'],
  ['of another wallet', { address: 'somebody' }, 'accepted'],
])('a flow takes a wallet that the service lists %s for its own or not', async (_, change, how) => {
  const { driver, options, client, saved } = await registeredDelegation((state) => state);
  const entry = { address: 'owner', currency: 'cur', network: 'net', allowance: '5', ...change };
  client.wallets = { external: { list: async () => [entry] } };
  const { registration } = await runDelegation(driver, options({ resume: saved }));
  expect(registration).toBe(how);
});

it.each([
  ['first', ['5', '7']],
  ['last', ['7', '5']],
])('a flow finds its limit in the %s of two entries of its wallet', async (_, allowances) => {
  const { driver, options, client, saved } = await registeredDelegation((state) => state);
  const entry = { address: 'owner', currency: 'cur', network: 'net' };
  const list = allowances.map((allowance) => ({ ...entry, allowance }));
  client.wallets = { external: { list: async () => list } };
  const { registration } = await runDelegation(driver, options({ resume: saved }));
  expect(registration).toBe('found-in-wallets');
});

// Found by the model: after a reorganization every resumed flow failed with approval_mismatch.
it('a flow whose registered approval is no longer on the chain waits for it again', async () => {
  const { driver, options, calls, saved } = await registeredDelegation((state) => state);
  const { verify } = driver;
  driver.verify = async (transactionId) => {
    driver.verify = verify;
    throw new ApprovalMismatchError('transaction', transactionId);
  };
  const result = await runDelegation(driver, options({ resume: saved }));
  expect(calls).toContain('confirm');
  expect(calls).not.toContain('approve');
  expect(result.registration).toBe('accepted');
});

it('a flow whose registered approval has disappeared asks the wallet for another one', async () => {
  const { driver, options, calls, progress, saved } = await registeredDelegation((state) => state);
  const { verify } = driver;
  driver.verify = async (transactionId) => {
    driver.verify = verify;
    throw new ApprovalMismatchError('transaction', transactionId);
  };
  driver.hasDisappeared = async () => true;
  progress.length = 0;
  const result = await runDelegation(driver, options({ resume: saved }));
  // The proof that was submitted is that of the approval that has disappeared.
  const sent = progress.find(({ step, status }) => step === 'approval-sent' && status === 'done');
  expect(sent?.state.approval?.status).toBe('sent');
  expect(sent?.state.proof).toBeUndefined();
  expect(calls.filter((call) => call === 'approve')).toHaveLength(1);
  expect(result.state.approval?.status).toBe('verified');
});

it('a flow whose registered approval differs from the request fails', async () => {
  const { driver, options, saved } = await registeredDelegation((state) => state);
  driver.verify = async (transactionId) => {
    throw new ApprovalMismatchError('spender', transactionId);
  };
  await expect(runDelegation(driver, options({ resume: saved }))).rejects.toMatchObject({
    code: 'approval_mismatch',
  });
});
