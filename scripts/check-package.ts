import { execFileSync } from 'node:child_process';
import { packPackage, temporaryFolder } from '../test/package/packed.js';

// Checks the packed package with publint and "Are the types wrong?". Both would build it once more
// if they packed it themselves.
const { folder, remove } = temporaryFolder();
try {
  const { tarball } = packPackage(folder);
  execFileSync('npx', ['publint', 'run', tarball, '--strict'], { stdio: 'inherit' });
  execFileSync('npx', ['attw', tarball, '--profile', 'node16'], { stdio: 'inherit' });
} finally {
  remove();
}
