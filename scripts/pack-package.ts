import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { packPackage } from '../test/package/packed.js';

// Packs the package into the file that is named, with the build that is there if the source has not
// changed since. Tools that pack it themselves build it once more.
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('name the file to write');
const folder = dirname(file);
mkdirSync(folder, { recursive: true });
renameSync(packPackage(folder).tarball, file);
