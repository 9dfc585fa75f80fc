import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const EXAMPLES = /^ *\* @example\n(?: *\*(?!\/| @).*\n)*/gm;

// The types for CommonJS have no examples. Those for ES modules keep theirs; both together would be
// a tenth of the package.
for (const name of readdirSync('dist').filter((file) => file.endsWith('.d.cts'))) {
  const file = `dist/${name}`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(EXAMPLES, ''));
}
