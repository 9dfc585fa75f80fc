import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { EVM_SAVED_STATE } from '../../src/evm/flow/driver.js';
import { SOLANA_SAVED_STATE } from '../../src/solana/flow/saved-state.js';

const HASH = `0x${'ab'.repeat(32)}`;
const SIGNATURE = bs58.encode(new Uint8Array(64).fill(7));
const digits = (count: number) => '9'.repeat(count);
const hex = (bytes: number) => 'ab'.repeat(bytes);

/** For a note: what it may be, and what it may not. */
type Rule = { may: readonly string[]; not: readonly string[] };

const HASHES: Rule = { may: [HASH], not: ['', HASH.slice(0, -1), `${HASH}a`, SIGNATURE] };
const WORDS_OF_NUMBERS = ['', '01', '-1', '1.5', '1e3', ' 1', '0x1'];
const LARGE_NUMBERS: Rule = {
  may: ['0', '1', digits(78)],
  not: [...WORDS_OF_NUMBERS, digits(79)],
};
const SIGNATURES: Rule = {
  may: [SIGNATURE],
  not: ['', SIGNATURE.slice(0, -2), `${SIGNATURE}11`, HASH],
};

const EVM: Readonly<Record<string, Rule>> = {
  sentAfter: LARGE_NUMBERS,
  nextNonce: LARGE_NUMBERS,
  nonce: LARGE_NUMBERS,
  approved: LARGE_NUMBERS,
  missing: HASHES,
  ended: HASHES,
  adopted: HASHES,
  refused: HASHES,
  reset: HASHES,
  sentBy: { may: ['flow'], not: ['wallet', ''] },
  raw: {
    may: ['0xab', `0x${hex(4_999)}`],
    not: ['', '0x', '0xa', 'ab', `0x${hex(5_000)}`],
  },
};

const SOLANA: Readonly<Record<string, Rule>> = {
  answered: { may: ['yes'], not: ['', 'no', 'true'] },
  adopted: SIGNATURES,
  refused: SIGNATURES,
  signature: SIGNATURES,
  approved: { may: ['0', '1', digits(20)], not: [...WORDS_OF_NUMBERS, digits(21)] },
  lastValidBlockHeight: { may: ['0', '1', digits(16)], not: [...WORDS_OF_NUMBERS, digits(17)] },
  newestBefore: {
    // A signature that the service would not take may still be the newest one.
    may: ['none', '1'.repeat(64), SIGNATURE, '1'.repeat(88)],
    not: ['', 'some', '1'.repeat(63), '1'.repeat(89), `${'1'.repeat(87)}0`],
  },
  sentBy: { may: ['flow', 'wallet'], not: ['', 'node'] },
  transaction: {
    may: [hex(66), hex(1_232)],
    not: ['', hex(65), hex(1_233), `${hex(66)}a`, `0x${hex(66)}`, 'zz'.repeat(66)],
  },
};

describe.each([
  ['EVM', EVM_SAVED_STATE.notes, EVM],
  ['Solana', SOLANA_SAVED_STATE.notes, SOLANA],
] as const)('the notes in a saved state of a delegation on %s', (_, notes, rules) => {
  it('are these', () => {
    expect(Object.keys(notes).sort()).toEqual(Object.keys(rules).sort());
  });

  it.each(Object.entries(rules))('%s has its form', (name, { may, not }) => {
    for (const text of may) expect([text, notes[name]?.(text)]).toEqual([text, true]);
    for (const text of not) expect([text, notes[name]?.(text)]).toEqual([text, false]);
  });
});
