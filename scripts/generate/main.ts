import { writeFileSync } from 'node:fs';
import { EXPORTED_NAMES, exportedNames } from './exported-names.js';
import { generatedFiles } from './generated-files.js';

const ROOT = new URL('../../', import.meta.url);

for (const [path, content] of await generatedFiles()) {
  writeFileSync(new URL(path, ROOT), content);
}
// Read from the files that have just been written.
writeFileSync(new URL(EXPORTED_NAMES, ROOT), exportedNames());
