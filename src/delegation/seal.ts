import { keccak_256 } from '@noble/hashes/sha3.js';

/** The parts of a state that are sealed one by one, so that a refusal can name the part. */
export const SEALED_PARTS = [
  'request',
  'faucetAsked',
  'faucetExpected',
  'token',
  'message',
  'approval',
  'notes',
  'proof',
] as const;

type Parts = { readonly [Part in (typeof SEALED_PARTS)[number]]?: unknown } & {
  readonly version: number;
  readonly kind: string;
};

/** Hex digits of the digest of one part, and of the whole. */
const PART_LENGTH = 16;
const WHOLE_LENGTH = 64;
const SEAL = /^[0-9a-f]{192}$/;

/** JSON with the fields in the order of their names. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  const sorted = fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}

function digest(text: string, length: number): string {
  const bytes = keccak_256(new TextEncoder().encode(text));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.slice(0, length);
}

/**
 * Returns the seal of a state: a digest of everything in it, after one of each part. It binds the parts
 * together: a token to its nonce, the message to the token, the transaction to the request.
 *
 * It has no key. It reveals fields that were swapped, mixed or damaged, but not a change by somebody who
 * computes it again: the flow still checks everything that can be checked without it.
 */
export function sealOf(state: Parts): string {
  const { version, kind } = state;
  const parts = SEALED_PARTS.map((part) =>
    digest(`${part} ${canonical(state[part])}`, PART_LENGTH),
  );
  const whole = canonical({ version, kind, parts: parts.join('') });
  return `${parts.join('')}${digest(whole, WHOLE_LENGTH)}`;
}

/**
 * The parts of a state that its seal does not fit; `['seal']` where every part fits a seal that is not
 * the seal of the whole. Empty when the state is as it was saved.
 *
 * @param seal - as it was saved
 */
export function brokenParts(state: Parts, seal: unknown): readonly string[] {
  const expected = sealOf(state);
  if (seal === expected) return [];
  if (typeof seal !== 'string' || !SEAL.test(seal)) return ['seal'];
  const isBroken = (_: string, index: number) => {
    const [from, to] = [index * PART_LENGTH, (index + 1) * PART_LENGTH];
    return seal.slice(from, to) !== expected.slice(from, to);
  };
  const broken = SEALED_PARTS.filter(isBroken);
  return broken.length > 0 ? broken : ['seal'];
}
