import { describe, expect, it } from 'vitest';
import { readState, type SavedStateRules } from '../../src/delegation/saved-state.js';
import { type DelegationState, emptyState, updateState } from '../../src/delegation/state.js';

const RULES: SavedStateRules = {
  kind: 'fake',
  isTransactionId: (text) => text === 'transaction',
  isSignature: (text) => text === 'signature',
  notes: { height: (text) => /^\d+$/.test(text), other: () => true },
  conflictingNote: ({ notes }) => (notes['other'] === 'conflict' ? 'other' : undefined),
};
const TOKEN = { token: 'token-1', nonce: 'nonce', requestedAt: 1_000, clockOffset: 0 };
const LONGEST_TEXT = 'x'.repeat(20_000);

const STATE = updateState(emptyState('fake', { address: 'owner', amount: '5' }), {
  faucetAsked: true,
  faucetExpected: true,
  token: TOKEN,
  message: { text: 'text', signature: 'signature', expiresAt: 2_000 },
  approval: { status: 'verified', transactionId: 'transaction' },
  notes: { height: '7' },
  proof: 'accepted',
});

/** The state with one change, and the seal of its new content. */
const changed = (patch: object): unknown =>
  JSON.parse(JSON.stringify(updateState(STATE, patch as Partial<DelegationState>)));

/** The names of the fields for which a state is refused; `undefined` if it is read. */
function refusedFields(state: unknown): unknown {
  try {
    readState(state, RULES);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'state_mismatch', outcome: 'not_sent' });
    return Object(error).fields;
  }
}

describe('a saved state', () => {
  it('is read as it was saved, also after a round trip through JSON', () => {
    expect(readState(STATE, RULES)).toEqual(STATE);
    expect(readState(JSON.parse(JSON.stringify(STATE)), RULES)).toEqual(STATE);
    const first = emptyState('fake', { address: 'owner' });
    expect(readState(first, RULES)).toEqual(first);
  });

  it.each<[string, object]>([
    ['a time of 0', { token: { ...TOKEN, requestedAt: 0 } }],
    ['a message without an end', { message: { text: 'text', signature: 'signature' } }],
    ['the longest text', { message: { text: LONGEST_TEXT, signature: 'signature' } }],
    ['a requested approval', { approval: { status: 'requested' }, proof: undefined }],
    [
      'a sent approval',
      { approval: { status: 'sent', transactionId: 'transaction' }, proof: undefined },
    ],
    ['a proof whose response is not known', { approval: undefined, proof: 'submitting' }],
    ['a wallet that was found in the list', { proof: 'found-in-wallets' }],
    ['a wallet that was approved already', { proof: 'already-approved' }],
    ['no note', { notes: {} }],
  ])('may have %s', (_, patch) => {
    expect(refusedFields(changed(patch))).toBeUndefined();
  });

  it.each<[string, object]>([
    ['version', { version: 2 }],
    ['kind', { kind: 'evm' }],
    ['surplus', { surplus: 1 }],
    ['request', { request: undefined }],
    ['request', { request: [5] }],
    ['request', { request: { address: 'owner', amount: 5 } }],
    ['request', { request: { address: `${LONGEST_TEXT}x` } }],
    ['faucetAsked', { faucetAsked: undefined }],
    ['faucetAsked', { faucetAsked: 'true' }],
    ['faucetExpected', { faucetExpected: false }],
    ['faucetExpected', { faucetAsked: false }],
    ['token', { token: 'token-1' }],
    ['token', { token: null }],
    ['token.surplus', { token: { ...TOKEN, surplus: 1 } }],
    ['token.token', { token: { ...TOKEN, token: '' } }],
    ['token.token', { token: { ...TOKEN, token: 'a b' } }],
    ['token.nonce', { token: { ...TOKEN, nonce: undefined } }],
    ['token.requestedAt', { token: { ...TOKEN, requestedAt: -1 } }],
    ['token.requestedAt', { token: { ...TOKEN, requestedAt: '1000' } }],
    ['token.clockOffset', { token: { ...TOKEN, clockOffset: undefined } }],
    ['token.clockOffset', { token: { ...TOKEN, clockOffset: -1_001 } }],
    ['message', { message: 0 }],
    ['message.text', { message: { signature: 'signature' } }],
    ['message.text', { message: { text: `${LONGEST_TEXT}x`, signature: 'signature' } }],
    ['message.signature', { message: { text: 'text' } }],
    ['message.signature', { message: { text: 'text', signature: 'other' } }],
    ['message.expiresAt', { message: { text: 'text', signature: 'signature', expiresAt: -1 } }],
    ['message.surplus', { message: { text: 'text', signature: 'signature', surplus: 1 } }],
    ['approval', { approval: 'verified' }],
    ['approval.status', { approval: { status: 'mined', transactionId: 'transaction' } }],
    ['approval.transactionId', { approval: { status: 'verified' } }],
    ['approval.transactionId', { approval: { status: 'sent', transactionId: 'other' } }],
    [
      'approval.transactionId',
      { approval: { status: 'requested', transactionId: 'transaction' }, proof: undefined },
    ],
    ['approval.surplus', { approval: { status: 'requested', surplus: 1 } }],
    ['notes', { notes: undefined }],
    ['notes.unknown', { notes: { unknown: '7' } }],
    ['notes.height', { notes: { height: 'high' } }],
    ['notes.height', { notes: { height: 7 } }],
    ['notes.other', { notes: { other: 'conflict' } }],
    ['proof', { proof: 'done' }],
    ['proof', { proof: true }],
    // The flow verifies an approval before it registers the wallet.
    ['approval', { approval: { status: 'confirmed', transactionId: 'transaction' } }],
    ['approval', { approval: undefined, proof: 'already-approved' }],
  ])('is refused for %s: %o', (field, patch) => {
    expect(refusedFields(changed(patch))).toEqual([field]);
  });

  it.each<[unknown, string]>([
    [undefined, 'resume'],
    [null, 'resume'],
    [5, 'resume'],
    ['state', 'resume'],
    [[], 'resume'],
  ])('cannot be %j', (state, field) => {
    expect(refusedFields(state)).toEqual([field]);
  });

  it('does not quote a name that may be anything', () => {
    const name = `${'n'.repeat(32)}`;
    expect(refusedFields({ ...STATE, [name]: 1 })).toEqual([name]);
    expect(refusedFields({ ...STATE, [`${name}n`]: 1 })).toEqual(['resume']);
    expect(refusedFields({ ...STATE, 'a secret': 1 })).toEqual(['resume']);
    expect(refusedFields({ ...STATE, token: { ...TOKEN, 'a secret': 1 } })).toEqual(['token']);
  });

  it('is refused with the part whose seal is broken, or the seal', () => {
    const plain = JSON.parse(JSON.stringify(STATE)) as Record<string, unknown>;
    expect(refusedFields({ ...plain, notes: { height: '8' } })).toEqual(['notes']);
    expect(refusedFields({ ...plain, proof: 'found-in-wallets' })).toEqual(['proof']);
    expect(refusedFields({ ...plain, seal: undefined })).toEqual(['seal']);
    expect(refusedFields({ ...plain, seal: 'f'.repeat(191) })).toEqual(['seal']);
    const last = String(plain['seal']).replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    expect(refusedFields({ ...plain, seal: last })).toEqual(['seal']);
  });

  it('is refused for a getter that throws, and for a proxy that was revoked', () => {
    const throwing = {
      ...STATE,
      get token(): never {
        throw new Error('a secret');
      },
    };
    expect(refusedFields(throwing)).toEqual(['token']);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(refusedFields(proxy)).toEqual(['resume']);
    expect(refusedFields({ ...STATE, token: proxy })).toEqual(['token']);
  });

  it('keeps nothing that the saved object may change later', () => {
    const saved = JSON.parse(JSON.stringify(STATE)) as { token: { token: string } };
    const state = readState(saved, RULES);
    saved.token.token = 'other';
    expect(state.token?.token).toBe('token-1');
  });

  it('has no inherited field', () => {
    const inherited: unknown = Object.create(STATE);
    expect(refusedFields(inherited)).toEqual(['version']);
  });
});
