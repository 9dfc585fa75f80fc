import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';

// Metro before React Native 0.79, and with package exports off, looks for `card-platform-sdk/evm` as a
// file of that name. Such apps get the CommonJS files, as from `main`, so that all entries share their
// error classes.

type Manifest = { exports: Record<string, string | { require: { default: string } }> };
const { exports: entries }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));

for (const [name, target] of Object.entries(entries)) {
  if (name === '.' || typeof target === 'string') continue;
  const file = target.require.default;
  const path = `./${posix.relative(posix.dirname(name), file)}`.replace('./..', '..');
  mkdirSync(dirname(name), { recursive: true });
  writeFileSync(`${name}.js`, `module.exports = require('${path}');\n`);
  writeFileSync(`${name}.d.ts`, `export * from '${path.replace(/\.cjs$/, '.js')}';\n`);
}
