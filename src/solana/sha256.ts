/**
 * SHA-256 as FIPS 180-4 defines it, for the few dozen bytes of a program derived address.
 *
 * Implemented here, because the alternatives do not fit: WebCrypto is absent from React Native and would
 * make every derivation asynchronous, and @noble/hashes is half of this entry's size budget.
 * Nothing secret passes through it, and the tests compare it with Node's for any input.
 */
export function sha256(message: Uint8Array): Uint8Array {
  const hash = ROOTS.initial.slice();
  const words = padded(message);
  for (let block = 0; block < words.length; block += 16) compress(hash, words, block);
  return bigEndian(hash);
}

const ROOTS = /* @__PURE__ */ rootsOfPrimes();

function rootsOfPrimes(): { initial: Uint32Array; rounds: Uint32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  const fraction = (root: number) => (root % 1) * 2 ** 32;
  return {
    initial: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  };
}

function padded(message: Uint8Array): Uint32Array {
  const words = new Uint32Array(((message.length + 8) >> 6) * 16 + 16);
  [...message, 0x80].forEach((byte, index) => {
    words[index >> 2] = (words[index >> 2] ?? 0) | (byte << (24 - (index & 3) * 8));
  });
  words[words.length - 1] = message.length * 8;
  return words;
}

function compress(hash: Uint32Array, words: Uint32Array, block: number): void {
  const schedule = new Uint32Array(64);
  const at = (index: number) => schedule[index] ?? 0;
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const near = at(i - 15);
    const far = at(i - 2);
    schedule[i] =
      i < 16
        ? (words[block + i] ?? 0)
        : at(i - 16) +
          at(i - 7) +
          (turn(near, 7) ^ turn(near, 18) ^ (near >>> 3)) +
          (turn(far, 17) ^ turn(far, 19) ^ (far >>> 10));
    const sum1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = h + sum1 + ((e & f) ^ (~e & g)) + (ROOTS.rounds[i] ?? 0) + at(i);
    const sum0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = sum0 + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    hash[index] = (hash[index] ?? 0) + value;
  });
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function bigEndian(words: Uint32Array): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => (words[i >> 2] ?? 0) >>> (24 - (i & 3) * 8));
}
