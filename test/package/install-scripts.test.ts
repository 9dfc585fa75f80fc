import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as unknown;

it('npm ci does not ask about install scripts: package.json answers for each package that has one', () => {
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { hasInstallScript?: true }>;
  };
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
  const withScript = Object.keys(packages)
    .filter((path) => packages[path]?.hasInstallScript)
    .map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));

  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScript)].sort());
});
