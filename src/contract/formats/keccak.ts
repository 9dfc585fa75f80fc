const ROUNDS = 24;
/** Bytes of a block of Keccak-256. */
const BLOCK = 136;

const at = (words: Int32Array, index: number): number => words[index] ?? 0;

/** One half of a 64-bit lane, rotated left by less than 32 bits. A shift by 32 would be one by 0. */
const rotateLeft = (half: number, other: number, by: number): number =>
  (half << by) | ((other >>> 1) >>> (31 - by));

/**
 * Keccak-f[1600] on 25 lanes of 64 bits, each as its lower and its upper half: JavaScript has no
 * 64-bit integers, and BigInt is slow. Lane `x + 5 * y` is in column `x` of row `y`.
 */
function permute(state: Int32Array): void {
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    // Theta
    const parity = new Int32Array(10);
    state.forEach((half, i) => {
      parity[i % 10] = at(parity, i % 10) ^ half;
    });
    for (let i = 0; i < 50; i++) {
      const right = (i + 2) % 10;
      const rotated = rotateLeft(at(parity, right), at(parity, right ^ 1), 1);
      state[i] = at(state, i) ^ at(parity, (i + 8) % 10) ^ rotated;
    }
    // Rho and pi
    let [x, y, low, high] = [1, 0, at(state, 2), at(state, 3)];
    for (let step = 1; step < 25; step++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const to = 2 * (x + 5 * y);
      const by = (step * (step + 1)) / 2;
      const [first, second] = by & 32 ? [high, low] : [low, high];
      [low, high] = [at(state, to), at(state, to + 1)];
      state[to] = rotateLeft(first, second, by & 31);
      state[to + 1] = rotateLeft(second, first, by & 31);
    }
    // Chi
    const before = state.slice();
    for (let i = 0; i < 50; i++) {
      const row = i - (i % 10);
      const next = ~at(before, row + ((i + 2) % 10)) & at(before, row + ((i + 4) % 10));
      state[i] = at(before, i) ^ next;
    }
    // Iota
    for (let bit = 1; bit < 128; bit *= 2) {
      const place = bit - 1;
      if (register & 1) state[place >> 5] = at(state, place >> 5) ^ (1 << (place & 31));
      register = register & 0x80 ? (register << 1) ^ 0x171 : register << 1;
    }
  }
}

/**
 * Keccak-256 as Ethereum uses it, for the 40 characters of an address.
 *
 * Our own code, because @noble/hashes is four times as large in every page that loads the root.
 * Nothing secret passes through it, and a test compares it with @noble/hashes.
 */
export function keccak256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(message.length / BLOCK) + 1) * BLOCK);
  padded.set(message);
  padded[message.length] = 1;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const state = new Int32Array(50);
  padded.forEach((byte, i) => {
    const place = i % BLOCK;
    state[place >> 2] = at(state, place >> 2) ^ (byte << (8 * (place & 3)));
    if (place === BLOCK - 1) permute(state);
  });
  return Uint8Array.from({ length: 32 }, (_, i) => at(state, i >> 2) >>> (8 * (i & 3)));
}
