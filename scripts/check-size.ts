import { readFileSync, writeFileSync } from 'node:fs';
import { installPackedPackage } from '../bench/packed-package.js';
import { buildPackage } from '../bench/prepare.js';
import {
  DOCUMENTS_WITH_SIZES,
  measureSizes,
  readSizes,
  sizeProblems,
  withSizes,
  writeSizes,
} from '../bench/sizes.js';

// Measures how much of the packed package a page loads, and compares it with bench/sizes.json. With
// --write it stores the sizes there, and in the documents.
buildPackage();
installPackedPackage();
const measured = await measureSizes();
for (const [name, { esbuild, rollup }] of Object.entries(measured.pages)) {
  console.log(`${name}: esbuild ${esbuild} bytes gzip, rollup ${rollup} bytes gzip`);
}
if (process.argv.includes('--write')) {
  writeSizes(measured);
  for (const path of DOCUMENTS_WITH_SIZES) {
    writeFileSync(path, withSizes(readFileSync(path, 'utf8'), measured));
  }
} else {
  const problems = sizeProblems(readSizes(), measured);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error('The sizes have changed: run npm run size -- --write, and read the difference.');
    process.exitCode = 1;
  }
}
