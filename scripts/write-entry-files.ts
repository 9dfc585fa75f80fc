import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';

// Metro before React Native 0.79, and with package exports off, looks for `card-platform-sdk/evm` as a
// file of that name. Such apps get the CommonJS files, as from `main`, so that all entries share their
// error classes.

// The declarations exist once, for CommonJS, which an ES module can import. Those of the ES modules
// point to them: both formats have the same types, and the package is half a megabyte smaller.

type Conditions = { types: string; default: string };
type Manifest = { exports: Record<string, string | Record<'import' | 'require', Conditions>> };
const { exports: entries }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));

for (const [name, target] of Object.entries(entries)) {
  if (typeof target === 'string') continue;
  writeFileSync(target.import.types, `export * from './${basename(target.require.default)}';\n`);
  if (name === '.') continue;
  const file = target.require.default;
  const path = `./${posix.relative(posix.dirname(name), file)}`.replace('./..', '..');
  mkdirSync(dirname(name), { recursive: true });
  writeFileSync(`${name}.js`, `module.exports = require('${path}');\n`);
  writeFileSync(`${name}.d.ts`, `export * from '${path.replace(/\.cjs$/, '.js')}';\n`);
}
