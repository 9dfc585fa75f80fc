import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';

type Conditions = { types: string; default: string };
type Manifest = { exports: Record<string, string | Record<'import' | 'require', Conditions>> };
const { exports: entries }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));

const IMPORTS_PACKAGE = /^import .* from '[^.]/m;
const importsPackage = (file: string) => IMPORTS_PACKAGE.test(readFileSync(file, 'utf8'));

// The declarations exist once, for CommonJS, which an ES module can import. Those of the ES modules
// point to them, so both formats have the same types. An entry that imports a peer has its own text
// twice, because the types of some peers differ between the formats.
for (const target of Object.values(entries)) {
  if (typeof target === 'string') continue;
  const { types } = target.require;
  if (importsPackage(types)) copyFileSync(types, target.import.types);
  else {
    const text = `export * from './${basename(target.require.default)}';\n`;
    writeFileSync(target.import.types, text);
  }
}
const ofEntries = Object.values(entries).map((target) =>
  typeof target === 'string' ? target : target.require.types,
);
for (const file of readdirSync('dist').map((name) => `./dist/${name}`)) {
  if (!file.endsWith('.d.cts') || ofEntries.includes(file) || !importsPackage(file)) continue;
  throw new Error(
    `${file} imports a peer for all entries that use it: import it in one entry only`,
  );
}

// Metro before React Native 0.79, and with package exports off, looks for `card-platform-sdk/evm` as a
// file of that name. Such apps get the CommonJS files, as from `main`, so that all entries share their
// error classes.
for (const [name, target] of Object.entries(entries)) {
  if (name === '.' || typeof target === 'string') continue;
  const file = target.require.default;
  const path = `./${posix.relative(posix.dirname(name), file)}`.replace('./..', '..');
  mkdirSync(dirname(name), { recursive: true });
  writeFileSync(`${name}.js`, `module.exports = require('${path}');\n`);
  writeFileSync(`${name}.d.ts`, `export * from '${path.replace(/\.cjs$/, '.js')}';\n`);
}
