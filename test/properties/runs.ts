import fc from 'fast-check';

/**
 * The number of runs of each property. The nightly job sets `PROPERTY_RUNS` higher, and `.ci/run`
 * lower where it only checks the coverage limits.
 */
export const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);

/** Checks a property. A failure prints the seed, the path and the smallest failing case. */
export function holds<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  predicate: (...values: Values) => void,
  runs = RUNS,
): void {
  fc.assert(fc.property(...arbitraries, predicate), { numRuns: runs });
}

/** Checks an asynchronous property. */
export async function eventually<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  predicate: (...values: Values) => Promise<void>,
  runs = RUNS,
): Promise<void> {
  await fc.assert(fc.asyncProperty(...arbitraries, predicate), { numRuns: runs });
}

/** Characters that are known to break validators, and any other character. */
export const hostileCharacter = fc.oneof(
  fc.constantFrom(
    ...['\n', '\r', '\t', '\0', ' ', '\u00a0', '\u2028', '\ufeff', '\u202e', '\u212a', '\u0130'],
    ...['\\', '/', '.', '-', '+', '%', '#', '?', '@', ':', '&', '=', '"', "'", '<', '{', '$', '^'],
    ...[
      '\u0661',
      '\uff11',
      '\u0430',
      '\ud800',
      '\udfff',
      '\u{1f4b8}',
      'e',
      'x',
      'X',
      '0',
      'G',
      'O',
    ],
  ),
  fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
);

/** A value with one character inserted, replaced, dropped or doubled. */
export const nearly = (valid: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      valid,
      fc.nat(),
      hostileCharacter,
      fc.constantFrom('insert', 'replace', 'drop', 'double'),
    )
    .map(([text, at, character, how]) => {
      const index = at % (text.length + 1);
      const [before, after] = [text.slice(0, index), text.slice(index)];
      if (how === 'insert') return before + character + after;
      if (how === 'replace') return before + character + after.slice(1);
      if (how === 'drop') return before + after.slice(1);
      return before + after.slice(0, 1) + after;
    });

/** Any text: from all characters or a few relevant ones, short or long. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.string({ unit: hostileCharacter }),
  fc.stringMatching(/^[0-9a-fA-Fx.#-]{0,100}$/),
);
