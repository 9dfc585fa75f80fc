import { describe, expect, it } from 'vitest';
import { changedOptions } from '../../src/delegation/changed-limit.js';
import { type DelegationState, emptyState, updateState } from '../../src/delegation/state.js';
import { openState } from '../../src/delegation/state-keeper.js';
import { createFakeDelegation } from './support/fake-driver.js';

/** A flow for 5 base units, in place of which the wallet approved 3. */
const lowered = updateState(emptyState('fake', { address: 'owner', amount: '5', allowance: '5' }), {
  approval: { status: 'sent', transactionId: 'transaction' },
  notes: { approved: '3' },
});

function open(limit: { units: bigint; allowance?: bigint }): DelegationState {
  const { units, allowance = units } = limit;
  const { driver } = createFakeDelegation({
    request: { address: 'owner', amount: `${units}`, allowance: `${allowance}` },
    limit: { ...limit, decimals: 0 },
  });
  const notes = { approved: (text: string) => /^\d+$/.test(text) };
  return openState(lowered, { ...driver, savedState: { ...driver.savedState, notes } });
}

const REFUSED = expect.objectContaining({
  code: 'state_mismatch',
  fields: ['amount', 'allowance'],
});

describe('a saved state whose wallet approved another limit', () => {
  it('may be resumed with that limit, and then requests it', () => {
    const { request, approval } = open({ units: 3n });
    expect(request).toEqual({ address: 'owner', amount: '3', allowance: '3' });
    expect(approval).toEqual(lowered.approval);
  });

  it('may be resumed with the limit that was requested', () => {
    expect(open({ units: 5n }).request).toEqual(lowered.request);
  });

  it('may not be resumed with any other limit', () => {
    expect(() => open({ units: 4n })).toThrow(REFUSED);
  });

  it('may not be resumed with an approval of more than that limit', () => {
    expect(() => open({ units: 3n, allowance: 4n })).toThrow(REFUSED);
  });

  it('may not be resumed with that limit while the transaction of the approval is unknown', () => {
    const requested = updateState(lowered, { approval: { status: 'requested' } });
    expect(changedOptions(requested, { units: 3n, decimals: 0 })).toEqual([]);
    expect(changedOptions(lowered, { units: 3n, decimals: 0 })).toEqual(['amount', 'allowance']);
  });
});
