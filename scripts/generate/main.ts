import { mkdirSync, writeFileSync } from 'node:fs';
import { apiReports } from '../api/reports.js';
import { generatedFiles } from './generated-files.js';

const ROOT = new URL('../../', import.meta.url);

function write(files: Iterable<readonly [string, string]>): void {
  for (const [path, content] of files) writeFileSync(new URL(path, ROOT), content);
}

write(await generatedFiles());
mkdirSync(new URL('api/', ROOT), { recursive: true });
// Compiled from the files that have just been written.
write(apiReports());
