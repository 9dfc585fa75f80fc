import { decodeBase58, encodeBase58 } from '../../../contract/formats/base58.js';
import { readLittleEndian } from './accounts.js';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from './programs.js';

const PRIME = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Returns the address of the associated token account of a wallet and a mint. The mock has its own
 * derivation, because it shares no code with the client that it tests.
 */
export async function findTokenAccount(owner: string, mint: string): Promise<string> {
  const seeds = [...bytes(owner), ...bytes(TOKEN_PROGRAM), ...bytes(mint)];
  const suffix = new TextEncoder().encode('ProgramDerivedAddress');
  for (let bump = 255; ; bump--) {
    const input = [...seeds, bump, ...bytes(ASSOCIATED_TOKEN_PROGRAM), ...suffix];
    const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(input));
    const address = new Uint8Array(digest);
    if (!isOnCurve(address)) return encodeBase58(address);
  }
}

function bytes(address: string): Uint8Array {
  const decoded = decodeBase58(address);
  if (decoded?.length !== 32) throw new TypeError('the address must be base58 of 32 bytes');
  return decoded;
}

/** Whether 32 bytes are a point of ed25519: such an address could have a private key. */
function isOnCurve(point: Uint8Array): boolean {
  const square = (readLittleEndian(point) % 2n ** 255n) ** 2n;
  let base = ((square - 1n) * (D * square + 1n)) % PRIME;
  let result = 1n;
  for (let rest = (PRIME - 1n) / 2n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * base) % PRIME;
    base = (base * base) % PRIME;
  }
  return result <= 1n;
}
