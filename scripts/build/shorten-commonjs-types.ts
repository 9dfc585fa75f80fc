import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const EXAMPLES = /^ *\* @example\n(?: *\*(?!\/| @).*\n)*/gm;

// The types for CommonJS have no examples, no empty lines, and one blank for each level. Those for
// ES modules are for people; both together would be a tenth of the package.
const INDENT = /^(?: {4})+/gm;
const EMPTY_LINE = /^ *(?:\* *)?\n/gm;
const oneBlankEach = (blanks: string) => ' '.repeat(blanks.length / 4);

for (const name of readdirSync('dist').filter((file) => file.endsWith('.d.cts'))) {
  const file = `dist/${name}`;
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replace(EXAMPLES, '')
      .replace(INDENT, oneBlankEach)
      .replace(EMPTY_LINE, ''),
  );
}
