import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const catalogue = readFileSync(new URL('docs/reference/error-catalogue.md', root), 'utf8');
const guides = ['endings']
  .map((name) => readFileSync(new URL(`docs/own-wallet/${name}.md`, root), 'utf8'))
  .join();

function codes(): string[] {
  const found = [
    'src/delegation/',
    'src/evm/flow/',
    'src/evm/wallets/',
    'src/solana/flow/',
  ].flatMap((folder) =>
    readdirSync(new URL(folder, root)).flatMap((name) => [
      ...readFileSync(new URL(`${folder}${name}`, root), 'utf8').matchAll(/\bcode: '(\w+)'/g),
    ]),
  );
  return found.map(([, code]) => code ?? '');
}

it('the search for delegation error codes finds them in the source', () => {
  expect(codes().length).toBeGreaterThan(20);
});

it.each(codes())('the error code %s is in the error catalogue', (code) => {
  expect(catalogue).toContain(`\n### ${code}\n`);
});

it.each(codes())('the error code %s is in a delegation guide', (code) => {
  expect(guides).toContain(`\`${code}\``);
});
