import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { packPackage } from '../test/package/packed.js';

// Packs the package into the named file. Uses the existing build if the source has not changed
// since; tools that pack the package themselves would build it again.
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('name the file to write');
const folder = dirname(file);
mkdirSync(folder, { recursive: true });
renameSync(packPackage(folder).tarball, file);
