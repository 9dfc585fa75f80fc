import fc from 'fast-check';

/** How often each property is tried. `.ci/run` and the nightly job set `PROPERTY_RUNS` higher. */
export const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);

/** Tries a property; a failure prints the seed, the path and the smallest case that breaks it. */
export function holds<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  predicate: (...values: Values) => void,
  runs = RUNS,
): void {
  fc.assert(fc.property(...arbitraries, predicate), { numRuns: runs });
}

/** The same for a property that has to wait. */
export async function eventually<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  predicate: (...values: Values) => Promise<void>,
  runs = RUNS,
): Promise<void> {
  await fc.assert(fc.asyncProperty(...arbitraries, predicate), { numRuns: runs });
}

/** Characters that validators are known to trip over, and any other. */
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

/** A value with one character inserted, replaced, dropped or doubled somewhere. */
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

/** Any text: of any characters, of a few that matter, short or long. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.string({ unit: hostileCharacter }),
  fc.stringMatching(/^[0-9a-fA-Fx.#-]{0,100}$/),
);
