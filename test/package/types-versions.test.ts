import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Manifest = {
  exports: Record<string, string | { import: { types: string } }>;
  typesVersions: { '*': Record<string, string[]> };
};

const manifest: Manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

it('typesVersions has every entry of exports, for TypeScript with moduleResolution node', () => {
  const entries = Object.entries(manifest.exports).flatMap(([name, target]) =>
    name === '.' || typeof target === 'string' ? [] : [[name.slice(2), [target.import.types]]],
  );
  expect(entries.length).toBeGreaterThan(5);
  expect(manifest.typesVersions).toEqual({ '*': Object.fromEntries(entries) });
});
