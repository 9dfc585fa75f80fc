import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

// Both module formats have the same types, and a second copy of them would be a fifth of the
// package. So the types of the ES modules re-export those of the CommonJS files, the only direction
// that TypeScript allows. An error of one copy of the package then also has the type of the other
// copy, as the guards promise.

type Manifest = { exports: Record<string, string | { import: { types: string } }> };
const { exports: entries }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));

const INDENT = /^(?: {4})+/gm;
const EMPTY_LINE = /^ *(?:\* *)?\n/gm;
const oneBlankEach = (blanks: string) => ' '.repeat(blanks.length / 4);

for (const name of readdirSync('dist')) {
  const file = `dist/${name}`;
  if (name.endsWith('.d.ts')) rmSync(file);
  if (!name.endsWith('.d.cts')) continue;
  const types = readFileSync(file, 'utf8');
  writeFileSync(file, types.replace(INDENT, oneBlankEach).replace(EMPTY_LINE, ''));
}

for (const entry of Object.values(entries)) {
  if (typeof entry === 'string') continue;
  const { types } = entry.import;
  writeFileSync(
    types,
    `export * from '${types.replace('./dist', '.').replace(/\.d\.ts$/, '.cjs')}';\n`,
  );
}
rmSync('dist/sandbox.d.cts');
