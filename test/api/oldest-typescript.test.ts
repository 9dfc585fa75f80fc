import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../api/', import.meta.url);

// `npm run test:typescript` compiles the declarations with the oldest version. It takes minutes.
it.each(
  readdirSync(FOLDER),
)('%s has no typed array with a type argument, which needs TypeScript 5.7', (report) => {
  const text = readFileSync(new URL(report, FOLDER), 'utf8');
  expect(
    text.match(/^.*\b(?:Uint8|Int8|Uint16|Int32|BigInt64|Float64)Array<.*$/m)?.[0],
  ).toBeUndefined();
});
